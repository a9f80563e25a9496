import type { Db } from './database.ts';

const count = 2000;
const now = Date.UTC(2026, 10, 22, 9);
const hour = 3_600_000;

const acts = ['Fix', 'Explain', 'Speed up', 'Redraw', 'Test', 'Simplify', 'Translate', 'Measure', 'Rename', 'Guard'];
const things = [
  'the export dialog',
  'the keyboard shortcuts',
  'the sign-in page',
  'the search index',
  'the weekly digest',
  'the colour picker',
  'the offline queue',
  'the undo stack',
  'the billing report',
  'the calendar view',
  'the import wizard',
  'the avatar menu',
  'the dark theme',
];
const circumstances = ['on small screens', 'for new teams', 'in Safari', 'after a timeout', 'with a screen reader', ''];
const labelSets = ['bug', 'docs', 'idea', 'speed', 'a11y', 'bug,speed', 'docs,a11y', ''];
const remarks = [
  'I can see this, too.',
  'It began with the last release.',
  'Could we do the same for the settings?',
  'A test would have caught it.',
  'Looks good to me.',
];

/** The first issues: the same ones every time. */
export function seed(db: Db): void {
  db.run('BEGIN');
  for (let i = 0; i < count; i++) {
    const [act, thing, when] = [pick(acts, i * 7), pick(things, i * 3), pick(circumstances, i * 5)];
    db.run(
      'INSERT INTO issues (title, body, status, labels, author, assignee, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
      `${act} ${thing} ${when}`.trim(),
      `Somebody has to ${act.toLowerCase()} ${thing}. Reported ${2 + (i % 9)} times.`,
      pick(['backlog', 'todo', 'backlog', 'done', 'doing', 'done', 'todo', 'done', 'backlog'], i * 4 + (i >> 3)),
      pick(labelSets, i * 3 + (i >> 4)),
      1 + ((i * 3) % 4),
      i % 3 === 0 ? null : 1 + (i % 4),
      new Date(now - (count - i) * hour).toISOString(),
    );
  }
  for (let i = 0; i < count; i++) {
    db.run(
      'INSERT INTO comments (issueId, author, text, createdAt) VALUES (?, ?, ?, ?)',
      count - Math.floor(i / 2),
      1 + (i % 4),
      pick(remarks, i * 3),
      new Date(now - (count - i) * 60_000).toISOString(),
    );
  }
  db.run('COMMIT');
}

function pick(texts: readonly string[], i: number): string {
  return texts[i % texts.length] ?? '';
}
