import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import type { Page } from '../../docs/.vitepress/snippets.js';

export { claimsOf, withChecks } from '../../docs/.vitepress/claims.js';
export { makeServer } from './docsServer.js';
export { filesOf, readPages, root, snippetsOf, type Page, type Snippet } from '../../docs/.vitepress/snippets.js';

/** Lets snippets make claims; gives those that hold and those that do not. */
export function listenToClaims(): { readonly kept: string[]; readonly broken: string[] } {
  const kept: string[] = [];
  const broken: string[] = [];
  const compare = (value: string, told: string): void => {
    const [one, other] = [value, told].map((text) => text.replace(/\s/g, ''));
    if (one === other) kept.push(told);
    else broken.push(`${value} is not ${told}`);
  };
  globalThis.shows = (value, told) => {
    compare(inspect(value, { breakLength: Infinity, depth: 9 }), told);
  };
  globalThis.throws = async (run, told) => {
    const error: unknown = await run().then(
      () => 'nothing',
      (reason: unknown) => reason,
    );
    const { code, name } = error as { readonly code?: string; readonly name?: string };
    compare(code ?? name ?? String(error), told);
  };
  return { kept, broken };
}

/** The places in the repository that a page leads to. */
export function linksOf({ path, text }: Page): readonly string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? path : join(dirname(path), file);
      return anchor === undefined ? found : `${found}#${anchor}`;
    });
}
