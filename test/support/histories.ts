import fc from 'fast-check';
import { folderOf, type Asked, type Body, type ListName, type Table, type Target } from './naive.js';

/** When the server does what it is asked to, and makes its answer: as the request arrives, or as it replies. */
export type Moment = 'at once' | 'late';
/** How a request ends: with an answer (a write: also without content), or not. */
export type Outcome = 'answer' | 'empty' | 'refuse' | 'lose' | 'abort';

/** What a generated step is about: found when it is its turn, and known which there are. */
export interface Draw {
  readonly table: Table;
  readonly draw: number;
}

/** A step as it is generated. */
export type Step =
  | { readonly does: 'start'; readonly asked: Asked<Draw>; readonly moment: Moment }
  | { readonly does: 'settle'; readonly which: number; readonly outcome: Outcome }
  | { readonly does: 'set'; readonly target: Draw; readonly body: Body<Draw> }
  | { readonly does: 'remote'; readonly target: Draw; readonly body: Body<Draw> | undefined }
  | { readonly does: 'expire wait' | 'reset' };

/** A step as it was played; requests have numbers. */
export type Event =
  | { readonly does: 'start'; readonly number: number; readonly asked: Asked; readonly moment: Moment }
  | { readonly does: 'settle'; readonly number: number; readonly outcome: Outcome }
  | { readonly does: 'set'; readonly target: Target; readonly body: Body }
  | { readonly does: 'remote'; readonly target: Target; readonly body: Body | undefined }
  | { readonly does: 'expire wait' | 'reset' };

// Mostly the same list, so that much happens to it.
const list = fc.constantFrom<ListName>('all', 'all', 'all', 'all', 'a', 'b', 'b', 'people');
// Mostly notes.
const table = fc.constantFrom<Table>('notes', 'notes', 'notes', 'people');
const person = fc.nat(9).map((draw): Draw => ({ table: 'people', draw }));

const texts = { text: fc.constantFrom('t1', 't2', 't3'), color: fc.constantFrom('c1', 'c2') };
const bodies: Readonly<Record<Table, fc.Arbitrary<Body<Draw>>>> = {
  notes: some({ ...texts, folder: fc.constantFrom('a', 'b'), by: person, votes: fc.constantFrom(5, 7) }),
  people: some(texts),
};

/** One or two of some fields. */
function some<F extends object>(fields: { readonly [Name in keyof F]: fc.Arbitrary<F[Name]> }): fc.Arbitrary<
  Partial<F>
> {
  const names = fc.subarray(Object.keys(fields) as (keyof F)[], { minLength: 1, maxLength: 2 });
  return fc
    .tuple(fc.record<F>(fields), names)
    .map(([all, named]) => Object.fromEntries(named.map((name) => [name, all[name]])) as Partial<F>);
}

const target = fc.record({ table, draw: fc.nat(9_999) });
const note = fc.nat(9_999).map((draw): Draw => ({ table: 'notes', draw }));
/** Every third write shows nothing before it is answered. */
const quiet = fc.constantFrom({}, {}, { quiet: true as const });
const edited = target.chain((to) => bodies[to.table].map((body) => ({ target: to, body })));

const asked: fc.Arbitrary<Asked<Draw>> = fc.oneof(
  { weight: 4, arbitrary: list.map((of) => ({ is: 'list' as const, list: of })) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('page' as const), list, page: fc.constantFrom(2, 3) }) },
  { weight: 1, arbitrary: target.map((to) => ({ is: 'get' as const, target: to })) },
  {
    weight: 4,
    arbitrary: fc.tuple(edited, quiet).map(([edit, how]) => ({ is: 'patch' as const, ...edit, ...how })),
  },
  { weight: 3, arbitrary: note.map((to) => ({ is: 'vote' as const, target: to })) },
  { weight: 1, arbitrary: edited.map((edit) => ({ is: 'replace' as const, ...edit })) },
  { weight: 3, arbitrary: edited.map((edit) => ({ is: 'move' as const, ...edit })) },
  { weight: 1, arbitrary: fc.record({ list, draw: fc.nat(9_999) }).map(removal) },
  { weight: 2, arbitrary: target.map((to) => ({ is: 'delete' as const, target: to })) },
  {
    weight: 4,
    arbitrary: list.chain((to) =>
      fc
        .record({
          is: fc.constantFrom('push' as const, 'unshift' as const),
          list: fc.constant(to),
          body: bodies[to === 'people' ? 'people' : 'notes'],
          how: quiet,
        })
        .map(({ how, ...create }) => filedOnce({ ...create, ...how })),
    ),
  },
);

function removal({ list: from, draw }: { list: ListName; draw: number }): Asked<Draw> {
  return { is: 'remove', list: from, target: { table: from === 'people' ? 'people' : 'notes', draw } };
}

/** The folder is in the address or in the body. */
function filedOnce(create: Extract<Asked<Draw>, { is: 'push' | 'unshift' }>): Asked<Draw> {
  const { folder: _, ...rest } = create.body;
  return folderOf(create.list) === undefined ? create : { ...create, body: rest };
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('start' as const),
      asked,
      moment: fc.constantFrom<Moment>('at once', 'late'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      which: fc.nat(9),
      outcome: fc.constantFrom<Outcome>('answer', 'answer', 'answer', 'empty', 'refuse', 'lose', 'abort'),
    }),
  },
  { weight: 1, arbitrary: edited.map((edit) => ({ does: 'set' as const, ...edit })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(edited, fc.nat(5))
      .map(([edit, i]) => ({ does: 'remote' as const, ...edit, body: i === 0 ? undefined : edit.body })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'expire wait' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'reset' }) },
);

/** Mostly there is a list already. */
const fetched: readonly Step[] = [
  { does: 'start', asked: { is: 'list', list: 'all' }, moment: 'at once' },
  { does: 'settle', which: 0, outcome: 'answer' },
];

/** What happens to a store, from the start. */
export function histories(maxLength: number): fc.Arbitrary<readonly Step[]> {
  const steps = fc.array(step, { minLength: 1, maxLength, size: 'max' });
  const first = fc.constantFrom<readonly Step[]>([], fetched, fetched);
  return fc.tuple(first, steps).map((parts) => parts.flat());
}

/** The events without what has to do with some requests. */
export function without(events: readonly Event[], numbers: ReadonlySet<number>): readonly Event[] {
  return events.filter((event) => !('number' in event && numbers.has(event.number)));
}
