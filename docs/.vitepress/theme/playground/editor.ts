/** A text area with numbered lines. */
import { h, type VNode } from 'vue';

const EDITOR = 'playground-editor';

export function editor(name: string, code: string, run: () => void, change: (code: string) => void): VNode {
  const lines = code.split('\n').length;
  return h('div', { class: 'editor' }, [
    h('pre', { 'aria-hidden': true }, Array.from({ length: lines }, (_, i) => i + 1).join('\n')),
    h('textarea', {
      id: EDITOR,
      'aria-label': `Code of ${name}`,
      value: code,
      rows: lines,
      wrap: 'off',
      spellcheck: false,
      autocapitalize: 'off',
      autocomplete: 'off',
      onInput: ({ target }: Event) => {
        change((target as HTMLTextAreaElement).value);
      },
      onKeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        run();
      },
    }),
  ]);
}

/** Selects a line of the code, and scrolls to it. */
export function lineOf(line: number): void {
  const area = document.getElementById(EDITOR);
  if (!(area instanceof HTMLTextAreaElement)) return;
  const before = area.value.split('\n').slice(0, line - 1);
  const start = before.join('\n').length + (line > 1 ? 1 : 0);
  const end = area.value.indexOf('\n', start);
  area.focus();
  area.setSelectionRange(start, end < 0 ? area.value.length : end);
}
