import fc from 'fast-check';
import { plain, type Field, type Folder, type State, type World } from './worlds.js';

/** What the server makes of a write: it does it and tells all or what was named, does it in silence, refuses it; or something gets lost. */
export type Fate = 'fine' | 'brief' | 'silent' | 'refused' | 'lost on the way' | 'answer lost';

type ReadOfPages = 'next' | 'previous' | 'page' | 'refetch';

/** What somebody is about to ask. */
export interface Draw {
  readonly is: 'list' | 'get' | 'patch' | 'vote' | 'push' | 'unshift' | 'delete' | ReadOfPages;
  readonly list: string;
  /** One of the rows that are shown; of a list with pages, which of them. */
  readonly row: number;
  readonly named: readonly Field[];
  readonly folder: Folder;
  readonly state?: State;
  /** Which kind of row is made. */
  readonly type?: string;
  /** Whether nothing is shown before the answer. */
  readonly isQuiet: boolean;
  readonly fate: Fate;
  /** Whether the server does it at once, and not when somebody says so. */
  readonly isPrompt: boolean;
}

/** What another client does, by itself. */
export interface Other {
  readonly is: 'write' | 'vote' | 'create' | 'delete';
  readonly row: number;
  readonly named: readonly Field[];
  readonly folder: Folder;
  readonly state?: State;
  readonly type?: string;
  /** Whether it makes its row before all others. */
  readonly isFirst?: boolean;
}

export type Step =
  | { readonly does: 'ask'; readonly draw: Draw }
  /** The server handles one of the requests on their way, one of the answers is delivered, or somebody cancels a write. */
  | { readonly does: 'handle' | 'deliver' | 'cancel'; readonly which: number }
  | { readonly does: 'other'; readonly other: Other };

const folder = fc.constantFrom<Folder>('a', 'b');
const fates = ['fine', 'fine', 'fine', 'fine', 'brief', 'silent', 'refused', 'lost on the way', 'answer lost'] as const;
const usual = ['list', 'list', 'list', 'get', 'patch', 'patch', 'patch', 'vote', 'push', 'unshift', 'delete'] as const;
const paged = ['next', 'next', 'next', 'previous', 'previous', 'page', 'refetch', 'refetch', 'refetch'] as const;
const others = ['write', 'write', 'write', 'write', 'vote', 'create', 'delete'] as const;

/** Stands for the list that a history is about, where lists have pages: they meet the more. */
const MAIN = 'the list that this is about';

/** What there is to draw in some worlds only. */
function more({ fields, types }: World) {
  return {
    ...(fields.includes('state') && { state: fc.constantFrom<State>('open', 'closed') }),
    ...(types && { type: fc.constantFrom(...types) }),
  };
}

function draws(world: World): fc.Arbitrary<Draw> {
  const hasPages = world.lists.some(({ pages }) => pages);
  const names = world.lists.map(({ name }) => name);
  const nested = world.lists.filter(({ isNested }) => isNested).map(({ name }) => name);
  return fc.record({
    is: fc.constantFrom<Draw['is']>(...usual, ...(hasPages ? [...paged, ...paged] : [])),
    list: hasPages
      ? fc.constantFrom(MAIN, MAIN, MAIN, ...names)
      : fc.constantFrom('all', ...names, ...nested, ...nested),
    row: rowsOf(world),
    named: namedOf(world),
    folder,
    isQuiet: fc.boolean(),
    fate: fc.constantFrom(...fates),
    isPrompt: fc.boolean(),
    ...more(world),
  });
}

function othersOf(world: World): fc.Arbitrary<Other> {
  const hasPages = world.lists.some(({ pages }) => pages);
  return fc.record({
    is: fc.constantFrom<Other['is']>(...others, ...(hasPages ? (['create', 'delete'] as const) : [])),
    row: rowsOf(world),
    named: namedOf(world),
    folder,
    ...(hasPages && { isFirst: fc.boolean() }),
    ...more(world),
  });
}

function rowsOf({ seeds }: World): fc.Arbitrary<number> {
  const all = seeds.length > 4 ? seeds.map((_, i) => i) : [0, 0, 0, 1, 1, 2, 3];
  return fc.constantFrom(...all);
}

function namedOf({ fields }: World): fc.Arbitrary<readonly Field[]> {
  return fc.subarray([...fields], { minLength: 1, maxLength: 2 });
}

function stepsOf(world: World): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 20, arbitrary: draws(world).map((draw) => ({ does: 'ask' as const, draw })) },
    { weight: 16, arbitrary: fc.nat(5).map((which) => ({ does: 'deliver' as const, which })) },
    { weight: 4, arbitrary: fc.nat(5).map((which) => ({ does: 'handle' as const, which })) },
    { weight: 1, arbitrary: fc.nat(5).map((which) => ({ does: 'cancel' as const, which })) },
    { weight: 8, arbitrary: othersOf(world).map((other) => ({ does: 'other' as const, other })) },
  );
}

/** In which order the server serves what one client sends. */
export type Serving = 'in order of sending' | 'in any order';

/** What a client, a server and others do; some lists have been fetched before. */
export function histories(serving: Serving, world = plain, maxLength = 25): fc.Arbitrary<readonly Step[]> {
  const names = world.lists.map(({ name }) => name);
  return fc
    .tuple(
      fc.subarray(names),
      fc.array(stepsOf(world), { minLength: 1, maxLength, size: 'max' }),
      fc.constantFrom(...names),
    )
    .map(([fetched, steps, main]) => [...fetched.flatMap(fetching), ...steps.map((one) => about(main, one))])
    .map((steps) => (serving === 'in order of sending' ? steps.flatMap(promptly) : steps));
}

function about(main: string, one: Step): Step {
  return one.does === 'ask' && one.draw.list === MAIN ? { ...one, draw: { ...one.draw, list: main } } : one;
}

function fetching(list: string): readonly Step[] {
  const drawn: Draw = {
    is: 'list',
    list,
    row: 0,
    named: [],
    folder: 'a',
    isQuiet: false,
    fate: 'fine',
    isPrompt: true,
  };
  return [
    { does: 'ask', draw: drawn },
    { does: 'deliver', which: 0 },
  ];
}

function promptly(one: Step): readonly Step[] {
  if (one.does === 'handle') return [];
  return [one.does === 'ask' ? { ...one, draw: { ...one.draw, isPrompt: true } } : one];
}

/** The same, with a server that always tells all of a row. */
export function outspoken(steps: readonly Step[]): readonly Step[] {
  return steps.map((one) =>
    one.does === 'ask' && (one.draw.fate === 'brief' || one.draw.fate === 'silent')
      ? { ...one, draw: { ...one.draw, fate: 'fine' as const } }
      : one,
  );
}
