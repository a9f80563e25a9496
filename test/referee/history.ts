import fc from 'fast-check';

/** What a row is told by; of `folder` there are two values, every value of the others is written once. */
export type Field = 'text' | 'color' | 'folder';
export const fields: readonly Field[] = ['text', 'color', 'folder'];

/** All rows, or those of one folder. */
export type ListName = 'all' | 'a' | 'b';
export const lists: readonly ListName[] = ['all', 'a', 'b'];

type Folder = 'a' | 'b';

/** What the server makes of a write: it does it and tells all or what was named, does it in silence, refuses it; or something gets lost. */
export type Fate = 'fine' | 'brief' | 'silent' | 'refused' | 'lost on the way' | 'answer lost';

/** What somebody is about to ask. */
export interface Draw {
  readonly is: 'list' | 'get' | 'patch' | 'vote' | 'push' | 'unshift' | 'delete';
  readonly list: ListName;
  /** One of the rows that are shown. */
  readonly row: number;
  readonly named: readonly Field[];
  readonly folder: Folder;
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
}

export type Step =
  | { readonly does: 'ask'; readonly draw: Draw }
  /** The server handles one of the requests on their way, one of the answers is delivered, or somebody cancels a write. */
  | { readonly does: 'handle' | 'deliver' | 'cancel'; readonly which: number }
  | { readonly does: 'other'; readonly other: Other };

const named = fc.subarray([...fields], { minLength: 1, maxLength: 2 });
const folder = fc.constantFrom<Folder>('a', 'b');

const draw = fc.record<Draw>({
  is: fc.constantFrom(
    ...(['list', 'list', 'list', 'get', 'patch', 'patch', 'patch', 'vote', 'push', 'unshift', 'delete'] as const),
  ),
  list: fc.constantFrom('all', 'all', 'a', 'b'),
  row: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
  named,
  folder,
  isQuiet: fc.boolean(),
  fate: fc.constantFrom('fine', 'fine', 'fine', 'fine', 'brief', 'silent', 'refused', 'lost on the way', 'answer lost'),
  isPrompt: fc.boolean(),
});

const other = fc.record<Other>({
  is: fc.constantFrom('write', 'write', 'write', 'write', 'vote', 'create', 'delete'),
  row: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
  named,
  folder,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: draw.map((drawn) => ({ does: 'ask' as const, draw: drawn })) },
  { weight: 16, arbitrary: fc.nat(5).map((which) => ({ does: 'deliver' as const, which })) },
  { weight: 4, arbitrary: fc.nat(5).map((which) => ({ does: 'handle' as const, which })) },
  { weight: 1, arbitrary: fc.nat(5).map((which) => ({ does: 'cancel' as const, which })) },
  { weight: 8, arbitrary: other.map((drawn) => ({ does: 'other' as const, other: drawn })) },
);

/** In which order the server serves what one client sends. */
export type Serving = 'in order of sending' | 'in any order';

/** What a client, a server and others do; some lists have been fetched before. */
export function histories(serving: Serving, maxLength = 25): fc.Arbitrary<readonly Step[]> {
  return fc
    .tuple(fc.subarray([...lists]), fc.array(step, { minLength: 1, maxLength, size: 'max' }))
    .map(([fetched, steps]) => [...fetched.flatMap(fetching), ...steps])
    .map((steps) => (serving === 'in order of sending' ? steps.flatMap(promptly) : steps));
}

function fetching(list: ListName): readonly Step[] {
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
