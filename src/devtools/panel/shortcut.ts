/** Whether a key was pressed as a shortcut says, which is written as in `aria-keyshortcuts`: `Alt+Shift+R`. */
export function isShortcut(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>,
  shortcut: string,
): boolean {
  const parts = shortcut.split('+');
  const key = (parts.pop() ?? '').toLowerCase();
  const wants = (name: string): boolean => parts.some((part) => part.toLowerCase() === name);
  // With Alt or Shift, some keyboards write another character.
  const isKey = [event.key, event.code.replace(/^(?:Key|Digit)/, '')].some((one) => one.toLowerCase() === key);
  return (
    isKey &&
    key !== '' &&
    event.altKey === wants('alt') &&
    event.shiftKey === wants('shift') &&
    event.ctrlKey === wants('control') &&
    event.metaKey === wants('meta')
  );
}
