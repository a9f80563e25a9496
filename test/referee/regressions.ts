import type { Draw, Other, Step } from './history.js';

/** A history that the referee has found something in, made as short as can be. */
export interface Regression {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Whether its class goes by versions. */
  readonly isVersioned?: boolean;
  /** Whether something is still found in it, that no client can know: docs/guarantees.md tells of it. */
  readonly isOpen?: boolean;
}

const plain: Omit<Draw, 'is'> = {
  list: 'all',
  row: 0,
  named: ['text'],
  folder: 'a',
  isQuiet: false,
  fate: 'fine',
  isPrompt: true,
};

const ask = (is: Draw['is'], drawn: Partial<Draw> = {}): Step => ({ does: 'ask', draw: { ...plain, is, ...drawn } });
const list = (name: string): Step => ask('list', { list: name });
/** The answer to one of those that are under way, by when they were sent. */
const answer = (which: number): Step => ({ does: 'deliver', which });
const other = (drawn: Partial<Other>): Step => ({
  does: 'other',
  other: { is: 'write', row: 0, named: ['text'], folder: 'a', ...drawn },
});
const fetched = (name: string): readonly Step[] => [list(name), answer(0)];

export const regressions: readonly Regression[] = [
  {
    name: 'an edit of a row that nobody has fetched, answered with nothing, before an older list',
    steps: [list('all'), ask('patch', { fate: 'silent' }), answer(1), answer(0)],
  },
  {
    name: 'an edit of a row that is being deleted, answered with nothing, before an older edit',
    steps: [
      ...fetched('all'),
      ask('patch'),
      ask('delete', { fate: 'refused' }),
      ask('patch', { fate: 'silent' }),
      ...[answer(2), answer(0), answer(0)],
    ],
  },
  {
    name: 'an edit that names the folder which the row is shown in, and has left meanwhile, and an older list',
    steps: [
      ...fetched('all'),
      other({ row: 1, named: ['folder'] }),
      list('b'),
      ask('patch', { row: 1, named: ['folder'], folder: 'b' }),
      ...[answer(0), answer(0)],
    ],
  },
  {
    name: 'two edits of a row that nobody has fetched, answered with nothing, the later first, and a list',
    steps: [
      ask('patch', { row: 1, named: ['folder'], folder: 'b', fate: 'silent' }),
      ask('patch', { row: 1, named: ['folder'], fate: 'silent' }),
      answer(1),
      list('all'),
      ...[answer(0), answer(0)],
    ],
  },
  {
    name: 'a created item that another deletes, which is told of and gone again before its create is answered',
    steps: [
      ...fetched('all'),
      ask('unshift', { isQuiet: true }),
      list('all'),
      other({ is: 'delete' }),
      answer(1),
      ...[list('all'), answer(1), answer(0)],
    ],
  },
  {
    name: 'a created item that another moves, which a list has had and has lost before its create is answered',
    steps: [
      ask('unshift', { isQuiet: true }),
      list('a'),
      other({ named: ['folder'], folder: 'b' }),
      answer(1),
      ...[list('a'), answer(1), answer(0)],
    ],
  },
  {
    name: 'an edit of an item that is being created, moved by another to where the edit moves it, and an older list',
    steps: [
      ...fetched('all'),
      ask('unshift', { folder: 'b' }),
      list('a'),
      other({ named: ['folder'], folder: 'a' }),
      ask('patch', { named: ['folder'], folder: 'a' }),
      list('all'),
      answer(2),
      ...[answer(0), answer(0), answer(0)],
    ],
  },
  {
    name: 'an edit back to a folder that a pending edit moves its row out of, which no list has shown there',
    steps: [
      ...fetched('b'),
      ask('patch', { named: ['folder'], folder: 'b' }),
      ask('patch', { named: ['folder'] }),
      answer(0),
      ask('patch', { named: ['folder'], folder: 'b', isQuiet: true }),
      answer(1),
    ],
  },
  {
    name: 'an edit back to a folder that a pending edit moves its row out of, while the first answer of its list is on its way',
    steps: [
      ask('patch', { named: ['folder'] }),
      list('all'),
      ask('patch', { named: ['folder'], folder: 'b' }),
      list('a'),
      answer(0),
      list('b'),
      answer(0),
      ask('patch', { named: ['folder'] }),
      answer(3),
      ...[answer(0), answer(0)],
    ],
  },
  {
    name: 'an edit that names the folder in which its row is shown, while another moves it, and a vote tells so',
    steps: [
      ...[...fetched('a'), ...fetched('b')],
      ask('patch', { named: ['folder'] }),
      other({ named: ['folder'], folder: 'b' }),
      ask('vote'),
      list('a'),
      answer(2),
      ...[answer(1), answer(0)],
    ],
  },
  {
    name: 'a pending deletion of an item that is being created, and a list that another has moved the item into',
    isOpen: true,
    steps: [
      ...[...fetched('all'), ...fetched('b')],
      ask('unshift'),
      other({ named: ['folder'], folder: 'b' }),
      ask('delete', { row: 0 }),
      ...[list('b'), answer(1)],
    ],
  },
  {
    name: 'a pending deletion, under the id that another list has told, of an item that is being created',
    isOpen: true,
    steps: [...fetched('b'), ask('unshift', { folder: 'b' }), list('all'), answer(1), ask('delete', { row: 3 })],
  },
  {
    name: 'an edit that moves an item that is being created into a list which tells of it under its real id',
    isOpen: true,
    steps: [
      ...[...fetched('a'), ...fetched('b')],
      ask('unshift', { folder: 'b' }),
      ask('patch', { named: ['folder'] }),
      other({ named: ['folder'], folder: 'a' }),
      list('a'),
      answer(1),
    ],
  },
  {
    name: 'an edit that moves an item into a list where it is being created, under the id that another list has told',
    isOpen: true,
    steps: [
      ...fetched('b'),
      ask('unshift', { folder: 'b' }),
      other({ named: ['folder'], folder: 'a' }),
      list('all'),
      answer(1),
      ask('patch', { row: 3, named: ['folder'], folder: 'b' }),
    ],
  },
  {
    name: 'a vote for a row that is being deleted, after another vote',
    steps: [
      ...fetched('all'),
      ask('vote'),
      ask('delete', { fate: 'lost on the way' }),
      ask('vote'),
      ...[answer(0), answer(0), answer(0)],
    ],
  },
  {
    name: 'a created row that another moves, and an older list of where it was',
    steps: [
      ask('unshift', { folder: 'b' }),
      list('all'),
      other({ named: ['folder'] }),
      answer(1),
      list('all'),
      list('b'),
      ...[answer(0), answer(0), answer(0)],
    ],
  },
  {
    name: 'a folder that another gives back, while the answer to its edit is under way',
    isOpen: true,
    steps: [
      ...fetched('all'),
      ask('patch'),
      list('all'),
      ask('patch', { named: ['text', 'folder'], folder: 'b', isQuiet: true }),
      ask('get'),
      other({ named: ['text', 'folder'] }),
      answer(0),
      list('a'),
      ...[answer(2), answer(2), answer(0), answer(0)],
    ],
  },
  {
    name: 'a row that leaves and comes back while the answer to a vote for it is under way',
    steps: [
      ...[...fetched('all'), ...fetched('b')],
      other({ row: 1, named: ['folder'] }),
      ask('vote', { row: 1 }),
      other({ row: 1, named: ['folder'], folder: 'b' }),
      ...[list('all'), list('b')],
      ...[answer(0), answer(0), answer(0)],
    ],
  },
  {
    name: 'with versions: a pending edit of a row that nobody has fetched, and a list that brings it',
    isVersioned: true,
    steps: [list('all'), ask('patch'), answer(0), answer(0)],
  },
  {
    name: 'with versions: two edits of a row that nobody has fetched',
    isVersioned: true,
    steps: [ask('patch'), ask('patch'), answer(0), answer(0)],
  },
  {
    name: 'with versions: an edit of one field is answered while another is pending',
    isVersioned: true,
    steps: [
      ...fetched('all'),
      ask('patch', { named: ['text', 'color'], isQuiet: true }),
      ask('patch'),
      ...[answer(0), answer(0)],
    ],
  },
  {
    name: 'with versions: a deletion is answered before an older list',
    isVersioned: true,
    steps: [...fetched('all'), list('all'), ask('delete'), answer(1), answer(0)],
  },
  {
    name: 'with versions: an edit is answered before an older vote, which it counts',
    isVersioned: true,
    steps: [...fetched('all'), ask('vote'), ask('patch'), answer(1), answer(0)],
  },
  {
    name: 'with versions: the later of two edits is answered first',
    isVersioned: true,
    steps: [...fetched('all'), ask('patch'), list('all'), list('b'), ask('patch'), answer(3), answer(0)],
  },
  {
    name: 'with versions: an older list brings a row that has moved',
    isVersioned: true,
    steps: [list('b'), ask('patch', { row: 1, named: ['folder'] }), answer(1), answer(0)],
  },
];
