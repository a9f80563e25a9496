/** Races of the comparison, step by step; each step is a click of the reader. */
import type { App } from '../../../../bench/comparison/App.js';
import type { Ending, Server } from './server.js';

/** What a reader can do. */
export type Step =
  | { readonly text: string; readonly act: (app: App, server: Server) => unknown }
  | { readonly text: string; readonly end: RegExp; readonly how: Ending };

export interface Scene {
  readonly title: string;
  readonly steps: readonly Step[];
}

const edit = (title: string): Step => ({
  text: `You rename apples to “${title}”`,
  act: (app) => app.edit('a', { title }),
});
const poll: Step = { text: 'The list is polled', act: (app) => app.poll() };
const other: Step = {
  text: 'Somebody else renames cheese to “cheddar”',
  act: (_app, server) => {
    server.write(3, { title: 'cheddar' });
  },
};
const answered = (what: string, end: RegExp): Step => ({ text: `The server answers ${what}`, end, how: 'answer' });
const refused = (what: string, end: RegExp): Step => ({ text: `The server refuses ${what}`, end, how: 'refuse' });
const list = /^GET \/todos$/;
const pollNews = answered('the poll, before it handles the edit', list);
const again = answered('whoever asks again', /^GET/);

export const scenes: readonly Scene[] = [
  {
    title: 'The first of two edits fails',
    steps: [
      edit('apples1'),
      edit('apples2'),
      answered('the second', /^PATCH .*apples2/),
      refused('the first', /^PATCH .*apples1/),
      again,
    ],
  },
  {
    title: 'A poll is answered while an edit is pending',
    steps: [edit('apples1'), other, poll, pollNews, answered('the edit', /^PATCH/), again],
  },
  {
    title: 'A poll sent before an edit is answered after it',
    steps: [poll, edit('apples1'), answered('the edit', /^PATCH/), answered('the old poll', list), again],
  },
  {
    title: 'An item is edited while it is being created',
    steps: [
      { text: 'You add “dates”', act: (app) => app.create({ title: 'dates' }) },
      { text: 'You rename dates to “dates1”', act: (app) => app.edit('d', { title: 'dates1' }) },
      answered('the create', /^POST/),
      answered('the edit', /^PATCH/),
      again,
    ],
  },
  {
    title: 'Two deletions fail',
    steps: [
      { text: 'You delete apples', act: (app) => app.remove('a') },
      { text: 'You delete bread', act: (app) => app.remove('b') },
      refused('the first', /^DELETE \/todos\/1/),
      refused('the second', /^DELETE \/todos\/2/),
      again,
    ],
  },
  {
    title: 'A poll sent before a deletion is answered after it',
    steps: [
      poll,
      { text: 'You delete bread', act: (app) => app.remove('b') },
      answered('the deletion', /^DELETE/),
      answered('the old poll', list),
      again,
    ],
  },
  {
    title: 'The connection is lost after the server has done an edit',
    steps: [edit('apples1'), { text: 'The server does it, and its answer is lost', end: /^PATCH/, how: 'lose' }, again],
  },
];

/** The scene of the home page: a poll is answered while an edit is pending. */
export const home = 1;
