/** Links as they are in the repository, made those of the site. */
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

type State = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0];
type Token = State['tokens'][number];

/**
 * What is no page of the site, such as a test, is named and not linked. A name of the package that stands in code leads to its page.
 */
export function linksOfTheSite(markdown: MarkdownRenderer, names: ReadonlyMap<string, string>): void {
  markdown.core.ruler.push('links-of-the-site', (state) => {
    const env = state.env as { readonly relativePath?: string };
    const page = env.relativePath ?? '';
    for (const token of state.tokens) {
      if (token.type !== 'inline' || !token.children) continue;
      const own = names.get(/^reference\/api\/(.*)\.md$/.exec(page)?.[1]?.replace('-', '.') ?? '');
      rebase(token.children, page);
      const before = state.tokens[state.tokens.indexOf(token) - 1];
      if (before?.type !== 'heading_open') token.children = withNames(state, token.children, names, own);
    }
  });
}

/** Makes links from a page those of the site. */
function rebase(tokens: readonly Token[], page: string): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_close' && isText) Object.assign(token, { type: 'text_close', tag: 'span' });
    if (token.type !== 'link_open' && token.type !== 'image') continue;
    const attribute = token.type === 'image' ? 'src' : 'href';
    const there = targetOf(token.attrGet(attribute) ?? '', page);
    isText = token.type === 'link_open' && there === undefined;
    if (isText) Object.assign(token, { type: 'text_open', tag: 'span', attrs: [] });
    else if (there !== undefined) token.attrSet(attribute, there);
  }
}

/** Where a link leads, from its page; undefined where that is no page of the site. */
function targetOf(target: string, page: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const inRepository = posix.join('docs', posix.dirname(page), path);
  if (!inRepository.startsWith('docs/')) return undefined;
  const here = posix.relative(posix.join('docs', posix.dirname(page)), inRepository);
  const there = here.startsWith('.') ? here : `./${here}`;
  return anchor === undefined ? there : `${there}#${anchor}`;
}

/** Code that is the name of an export, as a link to its page; what is in a link already stays. */
function withNames(
  state: State,
  tokens: readonly Token[],
  names: ReadonlyMap<string, string>,
  own: string | undefined,
): Token[] {
  let depth = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') depth++;
    if (token.type === 'link_close') depth--;
    const href =
      token.type === 'code_inline' && depth === 0 ? names.get(token.content.replace(/\(\)$/, '')) : undefined;
    if (href === undefined || href === own) return [token];
    const open = new state.Token('link_open', 'a', 1);
    open.attrs = [
      ['href', href],
      ['class', 'to-reference'],
    ];
    return [open, token, new state.Token('link_close', 'a', -1)];
  });
}
