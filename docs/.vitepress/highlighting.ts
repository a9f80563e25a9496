import type { MarkdownRenderer } from 'vitepress';

const colored = new Map<string, string>();

/** Colors each piece of code once, though pages are rendered for the browser, for the server and for the search. */
export function highlightOnce(markdown: MarkdownRenderer): void {
  const { highlight } = markdown.options;
  if (!highlight) return;
  markdown.set({
    highlight: (code, lang, attributes) => {
      const key = JSON.stringify([code, lang, attributes]);
      const known = colored.get(key) ?? highlight(code, lang, attributes);
      colored.set(key, known);
      return known;
    },
  });
}
