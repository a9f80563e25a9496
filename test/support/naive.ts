/** The fields of a note, beside its id. */
export type Fields = Readonly<Partial<Record<'text' | 'color' | 'folder', string>>>;

/** What a request is about: a note that the server had from the start, or what the nth request creates. */
export type Target = { readonly id: number } | { readonly created: number };

/** What is asked of the server. */
export type Asked =
  | { readonly is: 'list'; readonly folder?: string | undefined }
  | { readonly is: 'page'; readonly folder?: string | undefined; readonly page: number }
  | { readonly is: 'get'; readonly target: Target }
  | { readonly is: 'patch' | 'replace'; readonly target: Target; readonly body: Fields }
  | { readonly is: 'delete'; readonly target: Target }
  | { readonly is: 'push' | 'unshift'; readonly folder?: string | undefined; readonly body: Fields };

/** A row with its id, as the server sends it. */
export type Sent = Fields & { readonly id: number };

/** The lists there are: of all notes, and of each folder. */
export const folders = [undefined, 'a', 'b'] as const;

/** What selectors are to show: rows by pk, and the pks of each list that is there. */
export interface View {
  readonly rows: Readonly<Record<string, Fields>>;
  readonly lists: readonly (readonly string[] | undefined)[];
}

type Create = Extract<Asked, { is: 'push' | 'unshift' }>;
type Kind = 'read' | 'write' | 'deletion';
type Operation = 'set' | 'append' | 'push' | 'unshift';

/** What has settled. */
interface Landed {
  readonly kind: Kind;
  readonly seq: number;
  readonly settled: number;
  readonly rows: readonly (readonly [pk: string, fields: Fields])[];
  /** The fields that the body of an edit names. */
  readonly named?: readonly string[] | undefined;
  readonly gone?: string;
  readonly list?: { readonly operation: Operation; readonly isOf: (folder: string | undefined) => boolean };
}

interface Pending {
  readonly number: number;
  readonly seq: number;
  readonly asked: Asked;
}

/** An item of the history of one list. */
interface ListStep {
  readonly seq: number;
  readonly operation: Operation;
  readonly pks: readonly string[];
}

/**
 * What a store is to show, without a thought of cost: all that ever settled is remembered, and for every look at it
 * put together anew, by the rules of order alone.
 */
export class Naive {
  #clock = 0;
  #landed: Landed[] = [];
  #pending: Pending[] = [];
  /** The reads that each list has taken in so far. */
  readonly #reads = new Map<string | undefined, Landed[]>();
  readonly #pks = new Map<number, string>();

  start(number: number, asked: Asked, requestId: string): void {
    this.#pending.push({ number, seq: ++this.#clock, asked });
    if (isCreate(asked)) this.#pks.set(number, `~${requestId}`);
  }

  pkOf(target: Target): string {
    if ('id' in target) return String(target.id);
    return this.#pks.get(target.created) ?? '';
  }

  /** The server has answered; undefined for no content. */
  answer(number: number, response: unknown): void {
    const { seq, asked } = this.#take(number);
    const settled = this.#clock;
    const at = { seq, settled };
    const rowsOf = (rows: unknown): Landed['rows'] =>
      (rows as readonly Sent[]).map(({ id, ...fields }) => [String(id), fields]);
    switch (asked.is) {
      case 'list':
      case 'page': {
        const isOf = (folder: string | undefined): boolean => folder === asked.folder;
        const operation = asked.is === 'list' ? 'set' : 'append';
        this.#landed.push({ ...at, kind: 'read', rows: rowsOf(response), list: { operation, isOf } });
        break;
      }
      case 'get':
        this.#landed.push({ ...at, kind: 'read', rows: rowsOf([response]) });
        break;
      case 'push':
      case 'unshift': {
        const rows = rowsOf([response]);
        this.#pks.set(number, rows[0]?.[0] ?? '');
        const isOf = (folder: string | undefined): boolean => belongs(asked, folder);
        this.#landed.push({ ...at, kind: 'write', rows, list: { operation: asked.is, isOf } });
        break;
      }
      case 'patch':
      case 'replace': {
        const named = Object.keys(asked.body);
        const write = { ...at, kind: 'write', named } as const;
        if (response !== undefined) this.#landed.push({ ...write, rows: rowsOf([response]) });
        else {
          const pk = this.pkOf(asked.target);
          // What patches nothing is not kept.
          const rows = asked.is === 'patch' && !this.#rows().has(pk) ? [] : [[pk, asked.body] as const];
          this.#landed.push({ ...write, rows });
        }
        break;
      }
      case 'delete':
        this.#landed.push({ ...at, kind: 'deletion', rows: [], gone: this.pkOf(asked.target) });
    }
    this.#admit();
  }

  /** A request has failed or was cancelled; so have those that waited for what it was to create. */
  fail(number: number): readonly number[] {
    this.#take(number);
    this.#admit();
    const orphans = this.#pending.filter(({ asked }) => 'target' in asked && isOf(asked.target, number));
    return [number, ...orphans.flatMap((orphan) => this.fail(orphan.number))];
  }

  set(target: Target, fields: Fields): void {
    const seq = ++this.#clock;
    const rows = [[this.pkOf(target), fields]] as const;
    this.#landed.push({ kind: 'write', seq, settled: seq, rows, named: Object.keys(fields) });
  }

  reset(): void {
    this.#landed = [];
    this.#pending = [];
    this.#reads.clear();
  }

  /** The pks of what is being deleted. */
  deleting(): readonly string[] {
    return this.#pending.flatMap(({ asked }) => (asked.is === 'delete' ? [this.pkOf(asked.target)] : []));
  }

  /** The rows there are to show when nothing is pending. */
  confirmed(): View['rows'] {
    return Object.fromEntries(this.#rows());
  }

  view(): View {
    const rows = this.#rows();
    const pending = [...this.#pending].sort((one, other) => one.seq - other.seq);
    for (const intent of pending) this.#show(rows, intent);
    return {
      rows: Object.fromEntries(rows),
      lists: folders.map((folder) => this.#list(folder)?.filter((pk) => rows.has(pk))),
    };
  }

  #take(number: number): Pending {
    const found = this.#pending.find((pending) => pending.number === number);
    if (!found) throw new RangeError(`Request ${number} is not pending.`);
    this.#pending = this.#pending.filter((pending) => pending !== found);
    return found;
  }

  /** What is confirmed, row by row. */
  #rows(): Map<string, Fields> {
    const rows = new Map<string, Fields>();
    this.#landed.forEach((one, at) => {
      const before = this.#landed.slice(0, at);
      if (one.gone !== undefined) rows.delete(one.gone);
      for (const [pk, fields] of one.rows) {
        const overlapping = before.filter(({ settled }) => settled >= one.seq);
        if (overlapping.some(({ gone }) => gone === pk)) continue;
        const rivals = overlapping.filter((other) => other.rows.some(([name]) => name === pk));
        const known = rows.get(pk);
        if (one.kind === 'read') {
          const writes = rivals.filter(({ kind }) => kind === 'write');
          if (known && (writes.length > 0 || rivals.some(({ seq }) => seq > one.seq))) continue;
          const told = writes.flatMap((write) => write.rows.filter(([name]) => name === pk));
          rows.set(pk, Object.assign({}, known, fields, ...told.map(([, patch]) => patch)) as Fields);
        } else {
          const counts = ([field]: [string, unknown]): boolean =>
            !known || rivals.every((rival) => rival.kind === 'read' || decides(one, rival, field));
          rows.set(pk, { ...known, ...Object.fromEntries(Object.entries(fields).filter(counts)) });
        }
      }
    });
    return rows;
  }

  /** Shows one request that is pending. */
  #show(rows: Map<string, Fields>, { number, seq, asked }: Pending): void {
    if (isCreate(asked)) {
      const { folder, body } = asked;
      rows.set(this.pkOf({ created: number }), { ...(folder !== undefined && { folder }), ...body });
    } else if (asked.is === 'delete') rows.delete(this.pkOf(asked.target));
    else if (asked.is === 'patch' || asked.is === 'replace') {
      const pk = this.pkOf(asked.target);
      const known = rows.get(pk);
      if (this.#isDeleted(pk, seq) || (!known && asked.is === 'patch')) return;
      const over = this.#landed.filter(
        (write) => write.kind === 'write' && write.seq > seq && write.rows.some(([name]) => name === pk),
      );
      const fields = Object.entries(asked.body).filter(([field]) => !over.some((write) => names(write, field)));
      rows.set(pk, { ...known, ...Object.fromEntries(fields) });
    }
  }

  /** Whether something that started then comes too late for a row, or for its place in a list. */
  #isDeleted(pk: string, seq: number): boolean {
    return this.#landed.some(({ gone, settled }) => gone === pk && settled >= seq);
  }

  /** Lets those reads into their lists that wait for nothing, in the order of their answers. */
  #admit(): void {
    for (const folder of folders) {
      const reads = this.#reads.get(folder) ?? [];
      this.#reads.set(folder, reads);
      for (const read of this.#landed) {
        if (read.kind !== 'read' || !read.list?.isOf(folder) || reads.includes(read)) continue;
        const since = baseOf(reads)?.seq ?? (reads.length > 0 ? 0 : Infinity);
        // What it brings may be what is being created and shown already.
        if (!this.#creates(folder).some(({ seq }) => seq > since && seq < read.seq)) reads.push(read);
      }
    }
  }

  #creates(folder: string | undefined): readonly ListStep[] {
    return this.#pending.flatMap(({ number, seq, asked }): readonly ListStep[] => {
      if (!isCreate(asked) || !belongs(asked, folder)) return [];
      return [{ seq, operation: asked.is, pks: [this.pkOf({ created: number })] }];
    });
  }

  /** A list as it is to be shown, rows that are unknown included. */
  #list(folder: string | undefined): readonly string[] | undefined {
    const stepOf = ({ seq, list, rows }: Landed): ListStep => ({
      seq,
      operation: list?.operation ?? 'set',
      pks: rows.map(([pk]) => pk).filter((pk) => !this.#isDeleted(pk, seq)),
    });
    const reads = this.#reads.get(folder) ?? [];
    const base = baseOf(reads);
    const since = base?.seq ?? 0;
    // A page is never too old, but the whole list was asked for anew after it had come.
    const pages = reads.filter((read, at) => isPage(read) && (read.seq > since || !base || at > reads.indexOf(base)));
    const additions = this.#landed.filter(
      ({ kind, list, settled }) => kind === 'write' && list?.isOf(folder) && settled >= since,
    );
    // Whether it is in there already, nobody knows.
    const creates = this.#creates(folder).filter(({ seq }) => seq > since);
    const after = [...pages.map(stepOf), ...additions.map(stepOf), ...creates].sort(
      (one, other) => one.seq - other.seq,
    );
    return after.reduce(apply, base && apply(undefined, stepOf(base)));
  }
}

function isPage({ list }: Landed): boolean {
  return list?.operation === 'append';
}

/** Of the answers that brought the whole list, the one that was asked for last. */
function baseOf(reads: readonly Landed[]): Landed | undefined {
  return reads
    .filter((read) => !isPage(read))
    .sort((one, other) => one.seq - other.seq)
    .at(-1);
}

function apply(list: readonly string[] | undefined, { operation, pks }: ListStep): readonly string[] | undefined {
  if (operation === 'set') return pks;
  const fresh = pks.filter((pk) => !list?.includes(pk));
  if (operation === 'append') return [...(list ?? []), ...fresh];
  if (!list) return undefined;
  return operation === 'push' ? [...list, ...fresh] : [...fresh, ...list];
}

/** Whether a write decides a field, rather than another that overlapped it. */
function decides(one: Landed, rival: Landed, field: string): boolean {
  const isLater = one.seq > rival.seq;
  const mine = one.named?.includes(field) ?? false;
  const theirs = rival.named?.includes(field) ?? false;
  if (mine !== theirs) return mine;
  return isLater;
}

function names({ named }: Landed, field: string): boolean {
  return named?.includes(field) ?? true;
}

export function isCreate(asked: Asked): asked is Create {
  return asked.is === 'push' || asked.is === 'unshift';
}

function belongs({ folder, body }: Create, to: string | undefined): boolean {
  return to === undefined || to === folder || to === body.folder;
}

function isOf(target: Target, created: number): boolean {
  return 'created' in target && target.created === created;
}
