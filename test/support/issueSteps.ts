import fc from 'fast-check';
import { allFilters, owners, statuses, type Filters, type IssueBody } from './issueServer.js';

/** What the client under test, other clients, and the network do; numbers choose among what is there then. */
export type IssueStep =
  /** A list begins anew, or somebody subscribes to it; the next page is read, or all pages are read again, mostly of one that is there. */
  | { readonly does: 'begin' | 'watch'; readonly filters: Filters }
  | { readonly does: 'next' | 'again'; readonly filters: Filters; readonly isLoaded: boolean }
  | { readonly does: 'get'; readonly row: number }
  | { readonly does: 'push'; readonly body: IssueBody; readonly how: How }
  | { readonly does: 'edit'; readonly row: number; readonly body: IssueBody; readonly how: How }
  | { readonly does: 'delete'; readonly row: number; readonly how: How }
  /** Another client; a socket may tell this one of it. */
  | { readonly does: 'other'; readonly act: Act; readonly row: number; readonly body: IssueBody }
  /** One of the answers that are on their way comes; a read may fail on its way instead. */
  | { readonly does: 'answer'; readonly which: number; readonly isLost: boolean }
  /** All answers come, then all lists are read again. */
  | { readonly does: 'look' };

export interface How {
  readonly isOptimistic: boolean;
  readonly isRefused: boolean;
}

type Act = 'create' | 'create first' | 'edit' | 'edit and tell' | 'delete';

export interface IssueHistory {
  readonly isByCursor: boolean;
  readonly pageSize: number;
  /** How many issues there are at first. */
  readonly count: number;
  readonly steps: readonly IssueStep[];
}

const filters = fc.constantFrom(...allFilters.slice(0, 3), ...allFilters);
const isLoaded = fc.constantFrom(true, true, true, false);
const how = fc.record<How>({
  isOptimistic: fc.constantFrom(true, true, false),
  isRefused: fc.constantFrom(false, false, false, false, true),
});
const row = fc.nat(9);
const moved = fc.record({ status: fc.constantFrom(...statuses), owner: fc.constantFrom(...owners) });
const edited = fc.oneof(
  fc.constantFrom<IssueBody>(...statuses.map((status) => ({ status }))),
  fc.constantFrom<IssueBody>(...owners.map((owner) => ({ owner }))),
  moved,
  fc.constantFrom<IssueBody>({ title: 'new' }, { title: 'newer' }),
);

const step: fc.Arbitrary<IssueStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('begin' as const), filters }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('next' as const), filters, isLoaded }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('again' as const), filters, isLoaded }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('watch' as const), filters }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('get' as const), row }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('push' as const), body: moved, how }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('edit' as const), row, body: edited, how }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), row, how }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('other' as const),
      act: fc.constantFrom<Act>('create', 'create first', 'edit', 'edit', 'edit and tell', 'edit and tell', 'delete'),
      row,
      body: edited,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      which: fc.nat(9),
      isLost: fc.constantFrom(false, false, false, false, false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'look' as const }) },
);

/** Histories of a server and its clients. Each begins with some lists that the client has fetched. */
export function issueHistories(maxLength: number): fc.Arbitrary<IssueHistory> {
  const begun = fc
    .subarray([...allFilters], { minLength: 1, maxLength: 4 })
    .map((lists) => lists.map((of): IssueStep => ({ does: 'begin', filters: of })));
  return fc
    .record({
      isByCursor: fc.boolean(),
      pageSize: fc.constantFrom(2, 3),
      count: fc.nat(12),
      begun,
      steps: fc.array(step, { minLength: 1, maxLength, size: 'max' }),
    })
    .map(({ begun: lists, steps, ...rest }) => {
      const answers = lists.map((): IssueStep => ({ does: 'answer', which: 0, isLost: false }));
      return { ...rest, steps: [...lists, ...answers, ...steps] };
    });
}
