import { freezeInDevelopment } from '../../schema/freezing.js';
import { getOrMake, none, type Ref } from '../../schema/Schema.js';
import { among, identity } from '../../tables/members.js';
import type { Page } from '../state.js';

/** Whether two pages are one, read twice. */
export function isSame(one: Page, other: Page): boolean {
  return one.place === other.place && one.asked === other.asked;
}

/** A page without the rows that it lacked when it was read again, and that another has brought now. */
export function withoutLeft(page: Page, isBrought: (ref: Ref) => boolean): Page {
  const { left = none, refs } = page;
  if (!left.some(isBrought)) return page;
  const hasGone = among(left.filter(isBrought));
  const stays = (all: readonly Ref[]): readonly Ref[] => freezeInDevelopment(all.filter((ref) => !hasGone(ref)));
  return { ...page, refs: stays(refs), left: stays(left) };
}

export function inPlaces(pages: readonly Page[]): readonly Page[] {
  return [...pages].sort((one, other) => one.place - other.place || one.asked - other.asked);
}

/** Whether the last of these pages has brought what no other had. */
export function isNews(pages: readonly Page[]): boolean {
  const last = pages.at(-1)?.refs ?? none;
  const isKnown = among(pages.slice(0, -1).flatMap(({ refs }) => refs));
  return last.some((ref) => !isKnown(ref));
}

/** On which page each row of a list stands: where two have it, on that which fits its place; on none where it stands behind one that its pages have behind it. */
export function standingOn(refs: readonly Ref[], pages: readonly Page[]): (ref: Ref) => Page | undefined {
  const ranks = new Map<unknown, { readonly rank: number; readonly page: Page }[]>();
  let count = 0;
  for (const page of pages)
    for (const ref of page.refs) getOrMake(ranks, identity(ref), () => []).push({ rank: count++, page });
  let last = -1;
  const standing = new Map(
    refs.map((ref) => {
      const place = ranks.get(identity(ref))?.find(({ rank }) => rank >= last);
      last = place?.rank ?? last;
      return [identity(ref), place?.page] as const;
    }),
  );
  return (ref) => standing.get(identity(ref));
}

/** Pages as their list stands after a write has set its order: each has as many rows as it had. What the list lacks stays where it was. */
export function inOrderOf(list: readonly (Ref | null | undefined)[], pages: readonly Page[]): readonly Page[] {
  const isIn = among(list);
  const isTold = among(pages.flatMap(({ refs }) => refs));
  const told = list.filter((ref) => isTold(ref)) as readonly Ref[];
  let at = 0;
  const next = (ref: Ref): Ref => (isIn(ref) ? (told[at++] ?? ref) : ref);
  return pages.map((page) => ({ ...page, refs: freezeInDevelopment(page.refs.map(next)) }));
}
