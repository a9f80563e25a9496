/** There are notes, and the people they are by. */
export type Table = 'notes' | 'people';
export const tables: readonly Table[] = ['notes', 'people'];

/** The lists there are: all notes, those of each folder, and all people. */
export type ListName = 'all' | 'a' | 'b' | 'people';
export const lists: readonly ListName[] = ['all', 'a', 'b', 'people'];

/** What a request is about: something that the server had from the start, or what the nth request creates. */
export type Target = { readonly table: Table; readonly id: number } | { readonly created: number };

type TextField = 'text' | 'color' | 'folder';

/** What is sent of a note or a person; a note is by one of the people. */
export type Body<T = Target> = Readonly<Partial<Record<TextField, string>>> & { readonly by?: T };

/** The fields of a row; `by` is the pk of a person. */
export type Fields = Readonly<Partial<Record<TextField, string>>> & { readonly by?: string | null | undefined };

/** What is asked of the server. */
export type Asked<T = Target> =
  | { readonly is: 'list'; readonly list: ListName }
  | { readonly is: 'page'; readonly list: ListName; readonly page: number }
  | { readonly is: 'get'; readonly target: T }
  | { readonly is: 'patch' | 'replace' | 'move'; readonly target: T; readonly body: Body<T> }
  | { readonly is: 'remove'; readonly list: ListName; readonly target: T }
  | { readonly is: 'delete'; readonly target: T }
  | { readonly is: 'push' | 'unshift'; readonly list: ListName; readonly body: Body<T> };

/** What the server sends: a note has its author inside. */
export interface Sent extends Readonly<Partial<Record<TextField, string>>> {
  readonly id: number;
  readonly by?: Sent | null;
}

/** Names a row: its table and its pk. */
export type Key = `${Table} ${string}`;

/** What selectors are to show: rows, and the pks of each list that is there. */
export interface View {
  readonly rows: Readonly<Record<Key, Fields>>;
  readonly lists: Readonly<Partial<Record<ListName, readonly string[]>>>;
}

export type Create = Extract<Asked, { is: 'push' | 'unshift' }>;
type Write = Exclude<Asked, { is: 'list' | 'page' | 'get' }>;
type Edit = Extract<Asked, { is: 'patch' | 'replace' | 'move' | 'remove' }>;
type Operation = 'set' | 'append' | 'push' | 'unshift' | 'remove';

/** What an answer, or the body of a request, says of one row. */
interface Told {
  readonly fields: Fields;
  /** The fields that the body named. */
  readonly named: readonly string[];
}

/** What has settled. */
interface Landed {
  readonly kind: 'read' | 'write' | 'deletion';
  /** When it was asked for, when it was sent, which is later where it has waited, and when it settled. */
  readonly seq: number;
  readonly sent: number;
  readonly settled: number;
  readonly rows: ReadonlyMap<Key, Told>;
  readonly gone?: Key;
  /** What it does to lists, and with what. */
  readonly effect?: ((list: ListName) => Operation | undefined) | undefined;
  readonly pks: readonly string[];
}

/** The newest answer to a read, and whether something has put it in doubt since. */
interface Answered {
  readonly seq: number;
  /** What it shows. */
  readonly of: ListName | Key;
  /** Only pages of it have come. */
  readonly isPartial: boolean;
  readonly isStale: boolean;
}

interface Pending {
  readonly number: number;
  readonly seq: number;
  /** Undefined while it waits for what another is to create. */
  readonly sent: number | undefined;
  readonly asked: Asked;
  readonly requestId: string;
  /** The name of a read. */
  readonly name: string;
  /** What it brings is in doubt since before it came. */
  readonly isStale?: boolean;
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
  readonly #reads = new Map<ListName, Landed[]>();
  readonly #answered = new Map<string, Answered>();
  /** What requests create; until the server has told, under a temporary pk. */
  readonly #created = new Map<number, { readonly table: Table; readonly pk: string }>();

  start(number: number, asked: Asked, requestId: string): void {
    const name = asked.is === 'get' ? this.keyOf(asked.target) : 'list' in asked ? asked.list : '';
    const seq = ++this.#clock;
    this.#pending.push({ number, seq, sent: this.#isWaiting(asked) ? undefined : seq, asked, requestId, name });
    if (isCreate(asked)) this.#created.set(number, { table: tableOf(asked.list), pk: `~${requestId}` });
  }

  pkOf(target: Target): string {
    return 'id' in target ? String(target.id) : (this.#created.get(target.created)?.pk ?? '');
  }

  tableOf(target: Target): Table {
    return 'id' in target ? target.table : (this.#created.get(target.created)?.table ?? 'notes');
  }

  keyOf(target: Target): Key {
    return `${this.tableOf(target)} ${this.pkOf(target)}`;
  }

  /** The server has answered; undefined for no content. Gives the numbers of the requests that fail with it. */
  answer(number: number, response: unknown): readonly number[] {
    const { seq, sent: from, asked, name, isStale = false } = this.#take(number);
    if (isCreate(asked) && response === undefined) {
      this.#doubt(number, asked);
      return this.#failed(number);
    }
    const at = { seq, sent: from ?? seq, settled: this.#clock };
    switch (asked.is) {
      case 'list':
      case 'page':
      case 'get': {
        const items = asked.is === 'get' ? [response as Sent] : (response as readonly Sent[]);
        const table = asked.is === 'get' ? this.tableOf(asked.target) : tableOf(asked.list);
        this.#land({ ...at, kind: 'read', rows: rowsOf(table, items, []), ...effectOf(table, asked, items) });
        const known = this.#answered.get(name);
        // A page is part of an answer, and makes none newer.
        const isNews = !known || (asked.is !== 'page' && known.seq <= seq);
        const of = asked.is === 'get' ? this.keyOf(asked.target) : asked.list;
        if (isNews) this.#answered.set(name, { seq, of, isPartial: asked.is === 'page', isStale });
        break;
      }
      case 'push':
      case 'unshift': {
        const item = response as Sent;
        const table = tableOf(asked.list);
        const rows = rowsOf(table, [item], Object.keys(asked.body));
        this.#land({ ...at, kind: 'write', rows, ...effectOf(table, asked, [item]) });
        this.#admit();
        // Who was waiting for it touches lists until it has an answer itself.
        this.#created.set(number, { table, pk: String(item.id) });
        this.#send();
        return [];
      }
      case 'delete':
        this.#land({ ...at, kind: 'deletion', rows: new Map(), pks: [], gone: this.keyOf(asked.target) });
        break;
      default: {
        const table = this.tableOf(asked.target);
        const item = response as Sent | undefined;
        const sent = { ...bodyOf(asked), id: this.pkOf(asked.target) };
        const named = Object.keys(bodyOf(asked));
        const rows = item ? rowsOf(table, [item], named) : this.#confirmed(asked);
        this.#land({ ...at, kind: 'write', rows, ...effectOf(table, asked, [item ?? sent]) });
      }
    }
    this.#admit();
    return [];
  }

  /**
   * A request has failed or was cancelled; so have those that waited for what it was to create. Whether the server has
   * done it nobody knows, where it was sent and never answered.
   */
  fail(number: number, isUnknown = false): readonly number[] {
    const { asked } = this.#take(number);
    if (isUnknown && isWrite(asked)) this.#doubt(number, asked);
    return [number, ...this.#failed(number)];
  }

  set(target: Target, body: Body): void {
    const seq = ++this.#clock;
    const rows = new Map([[this.keyOf(target), { fields: this.#fieldsOf(body), named: Object.keys(body) }]]);
    this.#land({ kind: 'write', seq, sent: seq, settled: seq, rows, pks: [] });
    this.#admit();
  }

  reset(): void {
    this.#landed = [];
    this.#pending = [];
    this.#reads.clear();
    this.#answered.clear();
  }

  /** Whether the answer to a read is in doubt: of a list, or of one row by its key; undefined where only pages have come. */
  isStale(name: string): boolean | undefined {
    const answered = this.#answered.get(name);
    return answered?.isPartial ? undefined : (answered?.isStale ?? false);
  }

  view(): View {
    const rows = this.#rows();
    for (const intent of this.#inOrder()) this.#show(rows, intent);
    const known = (table: Table, pk: string): boolean => rows.has(`${table} ${pk}`);
    return {
      rows: Object.fromEntries(rows),
      lists: Object.fromEntries(
        lists.flatMap((list) => {
          const pks = this.#list(list);
          return pks ? [[list, pks.filter((pk) => known(tableOf(list), pk))]] : [];
        }),
      ),
    };
  }

  /** The rows there are to show when nothing is pending. */
  confirmed(): View['rows'] {
    return Object.fromEntries(this.#rows());
  }

  /** The requests under way that change a row, or make it. */
  pendingOf(key: Key): readonly string[] {
    return this.#inOrder()
      .filter(({ number, asked }) => {
        const target = isCreate(asked) ? { created: number } : isWrite(asked) ? asked.target : undefined;
        return target && this.keyOf(target) === key;
      })
      .map(({ requestId }) => requestId);
  }

  #take(number: number): Pending {
    const found = this.#pending.find((pending) => pending.number === number);
    if (!found) throw new RangeError(`Request ${number} is not pending.`);
    this.#pending = this.#pending.filter((pending) => pending !== found);
    return found;
  }

  #isWaiting(asked: Asked): boolean {
    return this.#pending.some(({ number }) => waitsFor(asked, number));
  }

  /** What need not wait any more is sent. */
  #send(): void {
    this.#pending = this.#pending.map((pending) =>
      pending.sent === undefined && !this.#isWaiting(pending.asked) ? { ...pending, sent: ++this.#clock } : pending,
    );
  }

  #failed(number: number): readonly number[] {
    const orphans = this.#pending.filter(({ asked }) => waitsFor(asked, number));
    this.#admit();
    return orphans.flatMap((orphan) => (this.#pending.includes(orphan) ? this.fail(orphan.number) : []));
  }

  /** Whatever shows what a write was about is in doubt. */
  #doubt(number: number, asked: Write): void {
    const target = isCreate(asked) ? { created: number } : asked.target;
    const key = this.keyOf(target);
    const rows = this.#rows();
    const isShown = (one: Key): boolean =>
      rows.has(key) && (one === key || (rows.has(one) && `people ${rows.get(one)?.by}` === key));
    const isIn = (list: ListName): boolean =>
      operationOn(list, this.tableOf(target), asked, bodyOf(asked)) !== undefined ||
      (this.#list(list, []) ?? []).some((pk) => isShown(`${tableOf(list)} ${pk}`));
    for (const [name, answered] of this.#answered) {
      const isTouched = isList(answered.of) ? isIn(answered.of) : isShown(answered.of);
      if (!isTouched) continue;
      this.#answered.set(name, { ...answered, isStale: true });
      this.#pending = this.#pending.map((one) => (one.name === name ? { ...one, isStale: true } : one));
    }
  }

  /** What was deleted while a request was under way, it says nothing of. */
  #land(landed: Landed): void {
    const rows = new Map([...landed.rows].filter(([key]) => !this.#isDeleted(key, landed.sent)));
    this.#landed.push({ ...landed, rows });
  }

  #inOrder(): readonly Pending[] {
    return [...this.#pending].sort((one, other) => one.seq - other.seq);
  }

  /** What an edit has changed that is answered with nothing: what was sent, if there is something to change. */
  #confirmed(asked: Edit): ReadonlyMap<Key, Told> {
    const key = this.keyOf(asked.target);
    if (asked.is !== 'replace' && !this.#rows().has(key)) return new Map();
    const body = bodyOf(asked);
    return new Map([[key, { fields: this.#fieldsOf(body), named: Object.keys(body) }]]);
  }

  #fieldsOf({ by, ...fields }: Body): Fields {
    return by ? { ...fields, by: this.pkOf(by) } : fields;
  }

  /** What is confirmed, row by row. */
  #rows(): Map<Key, Fields> {
    const rows = new Map<Key, Fields>();
    this.#landed.forEach((one, at) => {
      const overlapping = this.#landed.slice(0, at).filter(({ settled }) => settled >= one.sent);
      if (one.gone !== undefined) rows.delete(one.gone);
      for (const [key, told] of one.rows) {
        const known = rows.get(key);
        const rivals = known ? overlapping.filter((other) => other.rows.has(key)) : [];
        const isLate = rivals.some(({ kind, sent }) => kind === 'write' || sent > one.sent);
        if (one.kind === 'read' && isLate) continue;
        const writes = one.kind === 'read' ? [] : rivals.filter(({ kind }) => kind === 'write');
        const counts = ([field]: [string, unknown]): boolean =>
          writes.every((rival) => decides(field, [one.sent, told], [rival.sent, rival.rows.get(key)]));
        rows.set(key, { ...known, ...Object.fromEntries(Object.entries(told.fields).filter(counts)) });
      }
    });
    return rows;
  }

  /** Shows one request that is pending. */
  #show(rows: Map<Key, Fields>, { number, seq, asked }: Pending): void {
    if (isCreate(asked)) {
      const folder = folderOf(asked.list);
      rows.set(this.keyOf({ created: number }), { ...(folder && { folder }), ...this.#fieldsOf(asked.body) });
    } else if (asked.is === 'delete') rows.delete(this.keyOf(asked.target));
    else if (isWrite(asked)) {
      const key = this.keyOf(asked.target);
      const known = rows.get(key);
      if (this.#isDeleted(key, seq) || (!known && asked.is !== 'replace')) return;
      const later = this.#landed.filter((one) => one.kind === 'write' && one.seq > seq);
      const isOpen = ([field]: [string, unknown]): boolean =>
        !later.some(({ rows: told }) => told.get(key)?.named.includes(field));
      const fields = Object.entries(this.#fieldsOf(bodyOf(asked))).filter(isOpen);
      rows.set(key, { ...known, ...Object.fromEntries(fields) });
    }
  }

  /** Whether something that started then comes too late for a row, or for its place in a list. */
  #isDeleted(key: Key, seq: number): boolean {
    return this.#landed.some(({ gone, settled }) => gone === key && settled >= seq);
  }

  /** Lets those reads into their lists that wait for nothing, in the order of their answers. */
  #admit(): void {
    for (const list of lists) {
      const reads = this.#reads.get(list) ?? [];
      this.#reads.set(list, reads);
      const isNext = (read: Landed): boolean => !reads.includes(read) && !this.#isWaitedWith(read, list, reads);
      const all = this.#landed.filter(({ kind, effect }) => kind === 'read' && effect?.(list));
      // One that is let in may change what others wait for.
      for (let read = all.find(isNext); read; read = all.find(isNext)) reads.push(read);
    }
  }

  /** What a read brings may have been done already by what is pending, and shown since the list is known. */
  #isWaitedWith(read: Landed, list: ListName, reads: readonly Landed[]): boolean {
    const since = baseOf(list, reads)?.seq ?? (reads.length > 0 ? 0 : Infinity);
    return this.#touching(list).some(({ seq }) => seq > since && seq < read.seq);
  }

  /** What is pending and would change a list as it is confirmed. */
  #touching(list: ListName): readonly ListStep[] {
    const confirmed = this.#list(list, []);
    return this.#steps(list).filter((step) => String(apply(confirmed, step)) !== String(confirmed));
  }

  /** What is pending for a list. */
  #steps(list: ListName): readonly ListStep[] {
    return this.#inOrder().flatMap(({ number, seq, asked }): readonly ListStep[] => {
      if (!isWrite(asked) || asked.is === 'delete') return [];
      const target = isCreate(asked) ? { created: number } : asked.target;
      if (this.#isDeleted(this.keyOf(target), seq)) return [];
      const operation = operationOn(list, this.tableOf(target), asked, bodyOf(asked));
      return operation ? [{ seq, operation, pks: [this.pkOf(target)] }] : [];
    });
  }

  /** A list as it is to be shown, rows that are unknown included. */
  #list(list: ListName, intents = this.#steps(list)): readonly string[] | undefined {
    const stepOf = (landed: Landed): ListStep => ({
      seq: landed.seq,
      operation: landed.effect?.(list) ?? 'set',
      pks: landed.pks.filter((pk) => !this.#isDeleted(`${tableOf(list)} ${pk}`, landed.sent)),
    });
    const reads = this.#reads.get(list) ?? [];
    const base = baseOf(list, reads);
    const since = base?.seq ?? 0;
    // A page is never too old, but the whole list was asked for anew after it had come.
    const pages = reads.filter(
      (read, at) => read.effect?.(list) === 'append' && (read.seq > since || !base || at > reads.indexOf(base)),
    );
    const writes = this.#landed.filter(
      ({ kind, effect, settled }) => kind === 'write' && effect?.(list) && settled >= since,
    );
    // Whether it is in there already, nobody knows.
    const pending = intents.filter(({ seq }) => seq > since);
    const after = [...pages.map(stepOf), ...writes.map(stepOf), ...pending].sort((one, other) => one.seq - other.seq);
    return after.reduce(apply, base && apply(undefined, stepOf(base)));
  }
}

/** Of the answers that brought the whole list, the one that was asked for last. */
function baseOf(list: ListName, reads: readonly Landed[]): Landed | undefined {
  return reads
    .filter(({ effect }) => effect?.(list) === 'set')
    .sort((one, other) => one.seq - other.seq)
    .at(-1);
}

function apply(list: readonly string[] | undefined, { operation, pks }: ListStep): readonly string[] | undefined {
  if (operation === 'set') return pks;
  if (operation === 'remove') return list?.filter((pk) => !pks.includes(pk));
  const fresh = pks.filter((pk) => !list?.includes(pk));
  if (operation === 'append') return [...(list ?? []), ...fresh];
  if (!list) return undefined;
  return operation === 'push' ? [...list, ...fresh] : [...fresh, ...list];
}

/** Whether a write decides a field, rather than another that overlapped it. */
function decides(field: string, [sent, mine]: [number, Told], [other, theirs]: [number, Told | undefined]): boolean {
  const isMine = mine.named.includes(field);
  const isTheirs = theirs?.named.includes(field) ?? false;
  return isMine === isTheirs ? sent > other : isMine;
}

/** The rows in an answer, and those inside them. */
function rowsOf(table: Table, items: readonly Sent[], named: readonly string[]): ReadonlyMap<Key, Told> {
  const rows = new Map<Key, Told>();
  for (const { id, by, ...fields } of items) {
    if (by) for (const [key, told] of rowsOf('people', [by], [])) rows.set(key, told);
    const row = by === undefined ? fields : { ...fields, by: by && String(by.id) };
    rows.set(`${table} ${id}`, { fields: row, named });
  }
  return rows;
}

/** What an answer does to lists. */
function effectOf(
  table: Table,
  asked: Asked,
  items: readonly { readonly id: number | string; readonly folder?: string }[],
): Pick<Landed, 'effect' | 'pks'> {
  return {
    effect: (list) => operationOn(list, table, asked, items[0]),
    pks: items.map(({ id }) => String(id)),
  };
}

/** What a request about something in a table does to a list. */
function operationOn(
  list: ListName,
  table: Table,
  asked: Asked,
  item: { readonly folder?: string } | undefined,
): Operation | undefined {
  if (table !== tableOf(list)) return undefined;
  const folder = folderOf(list);
  switch (asked.is) {
    case 'list':
      return asked.list === list ? 'set' : undefined;
    case 'page':
      return asked.list === list ? 'append' : undefined;
    case 'push':
    case 'unshift':
      return !folder || folder === folderOf(asked.list) || folder === asked.body.folder ? asked.is : undefined;
    case 'remove':
      return !folder || folder === folderOf(asked.list) ? 'remove' : undefined;
    case 'move': {
      const into = asked.body.folder ?? item?.folder;
      if (!folder || into === folder) return 'push';
      return into === undefined ? undefined : 'remove';
    }
    default:
      return undefined;
  }
}

export function tableOf(list: ListName): Table {
  return list === 'people' ? 'people' : 'notes';
}

export function folderOf(list: ListName): string | undefined {
  return list === 'a' || list === 'b' ? list : undefined;
}

export function isCreate(asked: Asked): asked is Create {
  return asked.is === 'push' || asked.is === 'unshift';
}

function isList(name: ListName | Key): name is ListName {
  return lists.some((list) => list === name);
}

export function isWrite(asked: Asked): asked is Write {
  return asked.is !== 'list' && asked.is !== 'page' && asked.is !== 'get';
}

export function bodyOf(asked: Asked): Body {
  return 'body' in asked ? asked.body : {};
}

/** Whether a request names what another is to create. */
function waitsFor(asked: Asked, created: number): boolean {
  const { by } = bodyOf(asked);
  const named = [...('target' in asked ? [asked.target] : []), ...(by ? [by] : [])];
  return named.some((target) => 'created' in target && target.created === created);
}
