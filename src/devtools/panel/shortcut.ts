/** Whether a key was pressed as a shortcut says, which is written as in `aria-keyshortcuts`: `Alt+Shift+R`. */
export function isShortcut(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>,
  shortcut: string,
): boolean {
  const parts = shortcut.toLowerCase().split('+');
  const key = parts.pop();
  // With Alt or Shift, some keyboards write another character.
  const isKey = [event.key, event.code.replace(/^(?:Key|Digit)/, '')].some((one) => one.toLowerCase() === key);
  const { altKey: alt, shiftKey: shift, ctrlKey: control, metaKey: meta } = event;
  const isWith = Object.entries({ alt, shift, control, meta }).every(([name, is]) => is === parts.includes(name));
  return isKey && key !== '' && isWith;
}
