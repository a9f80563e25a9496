import type { SqlValue } from 'sql.js';
import type { Db, Row } from './database.ts';
import { isStatus, labels, type Label, type Status } from './labels.ts';
import { publicPerson, type PublicPerson } from './people.ts';

/** An issue as it is sent in lists. */
export interface IssueJson {
  readonly id: number;
  readonly title: string;
  readonly status: Status;
  readonly author: PublicPerson;
  readonly assignee: PublicPerson | null;
  readonly labels: readonly Label[];
  readonly createdAt: string;
}

/** An issue with what only its detail needs. */
export interface IssueDetailJson extends IssueJson {
  readonly body: string;
  readonly comments: readonly CommentJson[];
}

export interface CommentJson {
  readonly id: number;
  readonly issueId: number;
  readonly text: string;
  readonly author: PublicPerson;
  readonly createdAt: string;
}

/** What an issue is made of; labels and people by id. */
export interface IssueFields {
  readonly title?: string;
  readonly body?: string;
  readonly status?: Status;
  readonly labels?: readonly string[];
  readonly assignee?: number | null;
}

/** Which issues a list has. */
export interface IssueFilter {
  readonly status?: string | undefined;
  readonly label?: string | undefined;
  /** Words of the title. */
  readonly q?: string | undefined;
  /** The id of the last issue of the page before. */
  readonly after?: string | undefined;
}

const pageSize = 30;

/** What the server keeps. */
export class Issues {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** One page, newest first. */
  list({ status, label, q, after }: IssueFilter): IssueJson[] {
    const conditions: [sql: string, value: SqlValue][] = [['isDeleted = ?', 0]];
    if (status) conditions.push(['status = ?', status]);
    if (label) conditions.push(["',' || labels || ',' LIKE ?", `%,${label},%`]);
    if (q) conditions.push(["title LIKE ? ESCAPE '\\'", `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`]);
    if (after) conditions.push(['id < ?', Number(after)]);
    const rows = this.#db.all(
      `SELECT * FROM issues WHERE ${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY id DESC LIMIT ${pageSize}`,
      ...conditions.map(([, value]) => value),
    );
    return rows.map(summaryOf);
  }

  find(id: number): IssueDetailJson | undefined {
    const row = this.#db.one('SELECT * FROM issues WHERE id = ? AND isDeleted = 0', id);
    return row && { ...summaryOf(row), body: String(row['body']), comments: this.comments(id) };
  }

  hasTitle(title: string): boolean {
    return this.#db.one('SELECT id FROM issues WHERE title = ? AND isDeleted = 0', title) !== undefined;
  }

  create(fields: IssueFields, authorId: number): IssueDetailJson | undefined {
    const { title = '', body = '', status = 'backlog', labels: labelIds = [], assignee = null } = fields;
    const created = this.#db.one(
      `INSERT INTO issues (title, body, status, labels, author, assignee, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)
       RETURNING id`,
      ...[title, body, status, labelIds.join(), authorId, assignee, new Date().toISOString()],
    );
    return this.find(Number(created?.['id']));
  }

  update(id: number, { labels: labelIds, ...fields }: IssueFields): void {
    for (const [name, value] of Object.entries({ ...fields, ...(labelIds && { labels: labelIds.join() }) }))
      this.#db.run(`UPDATE issues SET ${name} = ? WHERE id = ?`, value, id);
    this.#count(id);
  }

  /** The tag of an issue and its comments: another one after each change. */
  tagOf(id: number): string {
    return `"${String(this.#db.one('SELECT version FROM issues WHERE id = ?', id)?.['version'])}"`;
  }

  #count(id: number): void {
    this.#db.run('UPDATE issues SET version = version + 1 WHERE id = ?', id);
  }

  /** It is not sent any more, but it may come back. */
  delete(id: number): void {
    this.#db.run('UPDATE issues SET isDeleted = 1 WHERE id = ?', id);
    this.#count(id);
  }

  restore(id: number): IssueDetailJson | undefined {
    this.#db.run('UPDATE issues SET isDeleted = 0 WHERE id = ?', id);
    this.#count(id);
    return this.find(id);
  }

  comments(issueId: number): CommentJson[] {
    return this.#db.all('SELECT * FROM comments WHERE issueId = ? ORDER BY id', issueId).map(commentOf);
  }

  comment(issueId: number, authorId: number, text: string): CommentJson | undefined {
    const row = this.#db.one(
      'INSERT INTO comments (issueId, author, text, createdAt) VALUES (?, ?, ?, ?) RETURNING *',
      ...[issueId, authorId, text, new Date().toISOString()],
    );
    this.#count(issueId);
    return row && commentOf(row);
  }

  deleteComment(issueId: number, id: number): void {
    this.#db.run('DELETE FROM comments WHERE id = ?', id);
    this.#count(issueId);
  }
}

function summaryOf(row: Row): IssueJson {
  const labelIds = String(row['labels']).split(',');
  return {
    id: Number(row['id']),
    title: String(row['title']),
    status: isStatus(row['status']) ? row['status'] : 'backlog',
    author: publicPerson(Number(row['author'])),
    assignee: row['assignee'] === null ? null : publicPerson(Number(row['assignee'])),
    labels: labels.filter(({ id }) => labelIds.includes(id)),
    createdAt: String(row['createdAt']),
  };
}

function commentOf(row: Row): CommentJson {
  return {
    id: Number(row['id']),
    issueId: Number(row['issueId']),
    text: String(row['text']),
    author: publicPerson(Number(row['author'])),
    createdAt: String(row['createdAt']),
  };
}
