import type { MarkdownRenderer } from 'vitepress';

/** A cell without text is no header of its row or column: screen readers would read out a header of nothing. */
export function tablesOfTheSite(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('tables-of-the-site', ({ tokens }) => {
    for (const [i, open] of tokens.entries()) {
      if (open.type !== 'th_open' || tokens[i + 1]?.content !== '') continue;
      const close = tokens.slice(i).find(({ type }) => type === 'th_close');
      for (const token of [open, close]) if (token) token.tag = 'td';
    }
  });
}
