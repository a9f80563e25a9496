import fc from 'fast-check';
import {
  filtersOf,
  lists,
  type Asked,
  type Body,
  type ListName,
  type Paging,
  type Table,
  type Target,
} from './notes.js';
import type { Setting } from './play.js';

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

/** The lists that a history is about: few, so that much happens to them. */
const topics: readonly (readonly ListName[])[] = [
  ['all'],
  ['all', 'a'],
  ['all', 'all', 'b', 'people'],
  ['a', 'b'],
  ['a', 'a', 'red a'],
  ['red', 'red a', 'all'],
  lists,
];
// Mostly notes.
const table = fc.constantFrom<Table>('notes', 'notes', 'notes', 'people');
const person = fc.nat(9).map((draw): Draw => ({ table: 'people', draw }));

const texts = { text: fc.constantFrom('t1', 't2'), color: fc.constantFrom('red', 'blue') };
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

/** Mostly the first. */
const draw = fc.tuple(fc.constantFrom(0, 0, 0, 1, 1, 2, 3), fc.nat(9)).map(([at, about]) => 10 * at + about);
const target = fc.record({ table, draw });
const note = draw.map((one): Draw => ({ table: 'notes', draw: one }));
/** Every third write shows nothing before it is answered. */
const quiet = fc.constantFrom({}, {}, { quiet: true as const });
const edited = target.chain((to) => bodies[to.table].map((body) => ({ target: to, body })));

function asked(list: fc.Arbitrary<ListName>): fc.Arbitrary<Asked<Draw>> {
  const turn = fc.constantFrom('next' as const, 'next' as const, 'previous' as const);
  return fc.oneof(
    { weight: 5, arbitrary: list.map((of) => ({ is: 'list' as const, list: of })) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('page' as const), list, page: fc.constantFrom(2, 3) }) },
    { weight: 4, arbitrary: fc.record({ is: turn, list }) },
    { weight: 3, arbitrary: list.map((of) => ({ is: 'again' as const, list: of })) },
    { weight: 1, arbitrary: target.map((to) => ({ is: 'get' as const, target: to })) },
    {
      weight: 6,
      arbitrary: fc.tuple(edited, quiet).map(([edit, how]) => ({ is: 'patch' as const, ...edit, ...how })),
    },
    { weight: 3, arbitrary: note.map((to) => ({ is: 'vote' as const, target: to })) },
    { weight: 1, arbitrary: edited.map((edit) => ({ is: 'replace' as const, ...edit })) },
    { weight: 1, arbitrary: edited.map((edit) => ({ is: 'move' as const, ...edit })) },
    { weight: 1, arbitrary: fc.record({ list, draw }).map(removal) },
    { weight: 1, arbitrary: target.map((to) => ({ is: 'delete' as const, target: to })) },
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
          .map(({ how, ...create }) => filteredOnce({ ...create, ...how })),
      ),
    },
  );
}

function removal({ list: from, draw: of }: { list: ListName; draw: number }): Asked<Draw> {
  return { is: 'remove', list: from, target: { table: from === 'people' ? 'people' : 'notes', draw: of } };
}

/** What a list is filtered by is in the address, and not in the body. */
function filteredOnce(create: Extract<Asked<Draw>, { is: 'push' | 'unshift' }>): Asked<Draw> {
  const rest = Object.entries(create.body).filter(([field]) => !(field in filtersOf(create.list)));
  return { ...create, body: Object.fromEntries(rest) };
}

function step(list: fc.Arbitrary<ListName>): fc.Arbitrary<Step> {
  return fc.oneof(
    {
      weight: 40,
      arbitrary: fc.record({
        does: fc.constant('start' as const),
        asked: asked(list),
        moment: fc.constantFrom<Moment>('at once', 'late'),
      }),
    },
    {
      weight: 32,
      arbitrary: fc.record({
        does: fc.constant('settle' as const),
        which: fc.nat(9),
        outcome: fc.constantFrom<Outcome>(...usual, ...usual, ...usual, 'empty', 'empty', 'refuse', 'lose', 'abort'),
      }),
    },
    { weight: 3, arbitrary: edited.map((edit) => ({ does: 'set' as const, ...edit })) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(edited, fc.nat(5))
        .map(([edit, i]) => ({ does: 'remote' as const, ...edit, body: i === 0 ? undefined : edit.body })),
    },
    { weight: 2, arbitrary: fc.constant<Step>({ does: 'expire wait' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ does: 'reset' }) },
  );
}

const usual: readonly Outcome[] = ['answer', 'answer', 'answer'];

/** How a play may be set: mostly with pages by number. */
export const settings: fc.Arbitrary<Setting> = fc.record({
  isAttentive: fc.boolean(),
  paging: fc.constantFrom<Paging>('number', 'number', 'cursor', 'two by cursor'),
  isVersioned: fc.constantFrom(false, false, false, true),
});

/** Lists that are there already, mostly. */
function fetched(all: readonly ListName[]): readonly Step[] {
  return all.flatMap((list): readonly Step[] => [
    { does: 'start', asked: { is: 'list', list }, moment: 'at once' },
    { does: 'settle', which: 0, outcome: 'answer' },
  ]);
}

/** What happens to a store, from the start. */
export function histories(maxLength: number): fc.Arbitrary<readonly Step[]> {
  return fc.constantFrom(...topics).chain((topic) => {
    const steps = fc.array(step(fc.constantFrom(...topic)), { minLength: 1, maxLength, size: 'max' });
    const first = fc.constantFrom([], fetched([...new Set(topic)]), fetched(topic.slice(0, 1)));
    return fc.tuple(first, steps).map((parts) => parts.flat());
  });
}

/** The events without what has to do with some requests. */
export function without(events: readonly Event[], numbers: ReadonlySet<number>): readonly Event[] {
  return events.filter((event) => !('number' in event && numbers.has(event.number)));
}

/** A step that names none of the fields by which lists are filtered, but of what it creates. */
export function withoutFilters(step: Step): Step {
  const isCreate = step.does === 'start' && (step.asked.is === 'push' || step.asked.is === 'unshift');
  if (isCreate) return step;
  if (step.does === 'start' && 'body' in step.asked) {
    // What is left of a body is one.
    return { ...step, asked: { ...step.asked, body: unfiltered(step.asked.body) } };
  }
  return 'body' in step && step.body ? { ...step, body: unfiltered(step.body) } : step;
}

function unfiltered({ folder, color, ...rest }: Body<Draw>): Body<Draw> {
  return Object.keys(rest).length > 0 ? rest : { text: `${folder ?? ''}${color ?? ''}` };
}
