import initSqlJs, { type SqlValue } from 'sql.js';
import { seed } from './seed.ts';

export type Row = Readonly<Record<string, SqlValue>>;

/** The database, as far as the server needs it. */
export interface Db {
  all(sql: string, ...values: SqlValue[]): Row[];
  /** The first row. */
  one(sql: string, ...values: SqlValue[]): Row | undefined;
  run(sql: string, ...values: SqlValue[]): void;
  /** Forgets every change. */
  reset(): void;
}

const tables = `
  DROP TABLE IF EXISTS issues;
  DROP TABLE IF EXISTS comments;
  CREATE TABLE issues (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    labels TEXT NOT NULL,
    author INTEGER NOT NULL,
    assignee INTEGER,
    createdAt TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    isDeleted INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    issueId INTEGER NOT NULL,
    author INTEGER NOT NULL,
    text TEXT NOT NULL,
    createdAt TEXT NOT NULL
  );
  CREATE INDEX issuesByStatus ON issues (status, id);
  CREATE INDEX commentsByIssue ON comments (issueId);
`;

/** SQLite in memory, with issues in it. */
export async function openDatabase(): Promise<Db> {
  const { Database } = await initSqlJs();
  const database = new Database();

  const db: Db = {
    all(sql, ...values) {
      const statement = database.prepare(sql);
      const rows: Row[] = [];
      statement.bind(values);
      while (statement.step()) rows.push(statement.getAsObject());
      statement.free();
      return rows;
    },
    one: (sql, ...values) => db.all(sql, ...values)[0],
    run(sql, ...values) {
      database.run(sql, values);
    },
    reset() {
      database.exec(tables);
      seed(db);
    },
  };
  db.reset();
  return db;
}
