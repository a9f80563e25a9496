/** The text of docstrings. */
import ts from 'typescript';

/** A docstring in Markdown: a `{@link Name}` is the name in code, which leads to its page. */
export function wordsOf(parts: readonly ts.SymbolDisplayPart[] = []): string {
  return ts.displayPartsToString([...parts]).replace(/\{@link\s+([^}\s|]+)[^}]*\}/g, '`$1`');
}
