/** There are notes, and the people they are by. */
export type Table = 'notes' | 'people';
export const tables: readonly Table[] = ['notes', 'people'];

/** The lists there are: all notes, those of each folder, and all people. */
export type ListName = 'all' | 'a' | 'b' | 'people';
export const lists: readonly ListName[] = ['all', 'a', 'b', 'people'];

/** What a request is about: something that the server had from the start, or what the nth request creates. */
export type Target = { readonly table: Table; readonly id: number } | { readonly created: number };

type TextField = 'text' | 'color' | 'folder';

/** What a note or a person is told by, without the people in it. */
type Own = Readonly<Partial<Record<TextField, string>>> & { readonly votes?: number };

/** What is sent of a note or a person; a note is by one of the people, and can be voted for. */
export type Body<T = Target> = Own & { readonly by?: T };

/** The fields of a row; `by` is the pk of a person. */
export type Fields = Own & { readonly by?: string | null | undefined };

/** What is asked of the server; what is quiet shows nothing before it is answered. */
export type Asked<T = Target> =
  | { readonly is: 'list'; readonly list: ListName }
  | { readonly is: 'page'; readonly list: ListName; readonly page: number }
  | { readonly is: 'get'; readonly target: T }
  | { readonly is: 'patch'; readonly target: T; readonly body: Body<T>; readonly quiet?: true }
  | { readonly is: 'replace' | 'move'; readonly target: T; readonly body: Body<T> }
  | { readonly is: 'vote'; readonly target: T }
  | { readonly is: 'remove'; readonly list: ListName; readonly target: T }
  | { readonly is: 'delete'; readonly target: T }
  | { readonly is: 'push' | 'unshift'; readonly list: ListName; readonly body: Body<T>; readonly quiet?: true };

/** What the server sends: a note has its author inside. */
export interface Sent extends Own {
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
type Edit = Extract<Asked, { is: 'patch' | 'replace' | 'move' | 'remove' | 'vote' }>;
type Operation = 'set' | 'append' | 'push' | 'unshift' | 'remove';
type Rows = ReadonlyMap<Key, Fields>;

/** What has settled, and what it says. */
interface Answer {
  readonly kind: 'read' | 'write';
  /** When it was asked for, when it was sent, which is later where it has waited, and when it settled. */
  readonly seq: number;
  readonly sent: number;
  readonly settled: number;
  readonly rows: Rows;
  /** The fields that it names, and what it sent for them. */
  readonly names: Rows;
  /** What was confirmed when it was sent. */
  readonly before: Rows;
  /** What it does to lists, and with what. */
  readonly effect?: ((list: ListName) => Operation | undefined) | undefined;
  readonly pks: readonly string[];
  /** Of a create: when its item was first told of, by its own answer or by another. */
  readonly told?: number;
}

/** The part of an answer that waits for the guesses of others, or may have to. */
interface Waiting {
  readonly answer: Answer;
  readonly rows: Rows;
  readonly lists: readonly ListName[];
  /** The request that it answers; a `set` has none. */
  readonly request?: Pending | undefined;
  /** It is an empty answer to an edit of this row, which nobody has brought yet. */
  readonly awaits?: Key;
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
  /** What was confirmed when it started, and when it was sent. */
  readonly known: Rows;
  readonly knownLists: ReadonlySet<ListName>;
  readonly before: Rows;
  /** What the guess of a write without a body changed when it started. */
  readonly guessed: Fields;
  /** The fields of rows that its guess shows no more; shared by all versions of the request. */
  readonly covered: Set<string>;
  /** What it brings is in doubt since before it came. */
  readonly isStale?: boolean;
}

/** What a request that is pending shows of a row; without fields the row is gone. */
interface Guess {
  readonly request: Pending;
  readonly key: Key;
  readonly beneath: Fields | undefined;
  readonly fields: Fields | undefined;
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

/** An item of the history of one list. */
interface ListStep {
  readonly seq: number;
  readonly operation: Operation;
  readonly pks: readonly string[];
}

/** What a request that is pending does to a list. */
interface ListGuess extends ListStep {
  readonly asked: Write;
  /** The request that creates the item, where that is pending. */
  readonly creator: Pending | undefined;
}

/**
 * What a store is to show, without a thought of cost: all that ever settled is remembered, and at every look it is
 * put together anew, by the rules of order alone. Quotations are from those rules.
 */
export class Naive {
  #clock = 0;
  #pending: Pending[] = [];
  #waiting: readonly Waiting[] = [];
  /** What is confirmed, row by row. */
  readonly #rows = new Map<Key, Fields>();
  /** For each field of each row "which answer HOLDS it (the last that was taken for that field)". */
  readonly #holders = new Map<string, Answer>();
  /** "The greatest `sent` of any settled write that named this field of this row." */
  readonly #lastNamed = new Map<string, number>();
  /** When a field of a row last became another. */
  readonly #changed = new Map<string, number>();
  /** When a row was first told of. */
  readonly #told = new Map<Key, number>();
  #deletions: { readonly key: Key; readonly settled: number }[] = [];
  /** The writes that have settled. */
  #writes: Answer[] = [];
  /** The whole lists and pages that have landed. */
  readonly #lists = new Map<ListName, readonly Answer[]>();
  readonly #answered = new Map<string, Answered>();
  /** The rows of which a read and a write, overlapping, said different things just now. */
  readonly #doubted = new Set<Key>();
  /** What requests create; until the server has told, under a temporary pk. */
  readonly #created = new Map<number, { readonly table: Table; readonly pk: string }>();

  start(number: number, asked: Asked, requestId: string): void {
    const name = asked.is === 'get' ? this.keyOf(asked.target) : 'list' in asked ? asked.list : '';
    const seq = ++this.#clock;
    const sent = this.#isUnsent(asked) ? undefined : seq;
    const known = new Map(this.#rows);
    const guessed = asked.is === 'vote' ? (voted(this.#shown().rows.get(this.keyOf(asked.target))) ?? {}) : {};
    this.#pending.push({
      ...{ number, seq, sent, asked, requestId, name },
      ...{ known, knownLists: new Set(this.#lists.keys()), before: known, guessed, covered: new Set() },
    });
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

  /** Whether a request that is under way has reached the server, and waits for no id. */
  isSent(number: number): boolean {
    return this.#pending.some((one) => one.number === number && one.sent !== undefined);
  }

  /** The server has answered; undefined for no content. Gives the numbers of the requests that fail with it. */
  answer(number: number, response: unknown): readonly number[] {
    const request = this.#find(number);
    const { seq, asked, name, isStale = false } = request;
    if (isCreate(asked) && response === undefined) {
      this.#leave(request);
      this.#doubtAll(number, asked);
      return this.#failed(number);
    }
    const at = { seq, sent: request.sent ?? seq, settled: this.#clock, before: request.before };
    switch (asked.is) {
      case 'list':
      case 'page':
      case 'get': {
        const items = asked.is === 'get' ? [response as Sent] : (response as readonly Sent[]);
        const table = asked.is === 'get' ? this.tableOf(asked.target) : tableOf(asked.list);
        const known = this.#answered.get(name);
        // A page is part of an answer, and makes none newer.
        const isNews = !known || (asked.is !== 'page' && known.seq <= seq);
        const of = asked.is === 'get' ? this.keyOf(asked.target) : asked.list;
        if (isNews) this.#answered.set(name, { seq, of, isPartial: asked.is === 'page', isStale });
        const rows = rowsOf(table, items);
        this.#settle({ ...at, kind: 'read', rows, names: new Map(), ...effectOf(table, asked, items) }, request);
        return [];
      }
      case 'push':
      case 'unshift': {
        const item = response as Sent;
        const table = tableOf(asked.list);
        const names = new Map([[`${table} ${item.id}` as const, this.#fieldsOf(asked.body)]]);
        const rows = rowsOf(table, [item]);
        this.#settle({ ...at, kind: 'write', rows, names, ...effectOf(table, asked, [item]) }, request);
        // Who was waiting for it touches lists until it has an answer itself.
        this.#created.set(number, { table, pk: String(item.id) });
        this.#send();
        return [];
      }
      case 'delete': {
        const key = this.keyOf(asked.target);
        this.#deletions.push({ key, settled: this.#clock });
        this.#rows.delete(key);
        this.#told.delete(key);
        this.#settle({ ...at, kind: 'write', rows: new Map(), names: new Map(), pks: [] }, request);
        return [];
      }
      default: {
        const table = this.tableOf(asked.target);
        const item = response as Sent | undefined;
        const sent = this.#sentBy(request);
        const rows = item ? rowsOf(table, [item]) : this.#confirmed(asked, sent);
        // "A write NAMES the fields of its body, for the outermost rows of its answer", or of what it confirms.
        const key = this.keyOf(asked.target);
        const names = new Map(rows.has(key) ? [[key, this.#namedBy(request, key)]] : []);
        const items = [item ?? { ...bodyOf(asked), id: this.pkOf(asked.target) }];
        const answer = { ...at, kind: 'write' as const, rows, names, ...effectOf(table, asked, items) };
        // "An empty answer confirms what was sent": of a row that only an older answer can bring, when it is there.
        if (!item && !rows.has(key)) {
          // Two of them keep the order in which they were sent.
          const later = this.#waiting.filter(({ answer, awaits }) => awaits === key && answer.sent > at.sent);
          const told = new Map([
            [key, pick(sent, (field) => !later.some(({ rows: others }) => field in (others.get(key) ?? {})))],
          ]);
          this.#waiting = [
            ...this.#waiting,
            { answer: { ...answer, rows: told, names: told }, rows: told, lists: [], awaits: key },
          ];
        }
        this.#settle(answer, request);
        return [];
      }
    }
  }

  /**
   * A request has failed or was cancelled; so have those that waited for what it was to create. Whether the server has
   * done it nobody knows, where it was sent and never answered.
   */
  fail(number: number, isUnknown = false): readonly number[] {
    const request = this.#find(number);
    this.#leave(request);
    if (isUnknown && isWrite(request.asked)) this.#doubtAll(number, request.asked);
    return [number, ...this.#failed(number)];
  }

  set(target: Target, body: Body): void {
    const seq = ++this.#clock;
    const rows = new Map([[this.keyOf(target), this.#fieldsOf(body)]]);
    const at = { seq, sent: seq, settled: seq, before: new Map(this.#rows) };
    this.#settle({ ...at, kind: 'write', rows, names: rows, pks: [] });
  }

  /** "Nothing waits longer than holdTimeout: then it lands as if nothing were pending." */
  expire(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const part of waiting) {
      if (part.awaits && !this.#rows.has(part.awaits)) continue;
      this.#name(part.answer, (key, field) => field in (part.rows.get(key) ?? {}));
      this.#land(part, () => true);
    }
    this.#doubt();
  }

  reset(): void {
    this.#pending = [];
    this.#waiting = [];
    this.#deletions = [];
    this.#writes = [];
    for (const all of [
      this.#rows,
      this.#told,
      this.#holders,
      this.#lastNamed,
      this.#changed,
      this.#lists,
      this.#answered,
    ])
      all.clear();
  }

  /** Whether the answer to a read is in doubt: of a list, or of one row by its key; undefined where only pages have come. */
  isStale(name: string): boolean | undefined {
    const answered = this.#answered.get(name);
    return answered?.isPartial ? undefined : (answered?.isStale ?? false);
  }

  view(): View {
    const { rows } = this.#shown();
    const known = (table: Table, pk: string): boolean => rows.has(`${table} ${pk}`);
    return {
      rows: Object.fromEntries(rows),
      lists: Object.fromEntries(
        lists.flatMap((list) => {
          const pks = this.#list(list, this.#stepsOf(list));
          return pks ? [[list, pks.filter((pk) => known(tableOf(list), pk))]] : [];
        }),
      ),
    };
  }

  /** The rows there are to show when nothing is pending. */
  confirmed(): View['rows'] {
    return Object.fromEntries(this.#rows);
  }

  /** The requests that change a row, or make it, and are not confirmed: under way, or answered with what waits. */
  pendingOf(key: Key): readonly string[] {
    const { guesses } = this.#shown();
    const shows = ({ fields }: Guess): boolean => Object.keys(fields ?? {}).length > 0;
    const waiting = guesses.filter(
      (guess) => guess.key === key && shows(guess) && !this.#pending.includes(guess.request),
    );
    const pending = this.#guessing().filter((one) => {
      const { number, asked } = one;
      // Who expects nothing changes nothing.
      if (asked.is === 'vote' && !guesses.some(({ request }) => request === one)) return false;
      const target = isCreate(asked) ? { created: number } : isWrite(asked) ? asked.target : undefined;
      // Of what is deleted no edit is pending any more.
      const isOver = asked.is !== 'delete' && this.#isDeleted(key, one.seq);
      return target && this.keyOf(target) === key && !isOver;
    });
    return [...waiting.map(({ request }) => request), ...pending]
      .sort((one, other) => one.seq - other.seq)
      .map(({ requestId }) => requestId);
  }

  #find(number: number): Pending {
    const found = this.#pending.find((pending) => pending.number === number);
    if (!found) throw new RangeError(`Request ${number} is not pending.`);
    return found;
  }

  #leave(request: Pending): void {
    this.#pending = this.#pending.filter((one) => one !== request);
  }

  #isUnsent(asked: Asked): boolean {
    return this.#pending.some(({ number }) => names(asked, number));
  }

  /** What need not wait for an id any more is sent. */
  #send(): void {
    this.#pending = this.#pending.map((one) =>
      one.sent === undefined && !this.#isUnsent(one.asked)
        ? { ...one, sent: ++this.#clock, before: new Map(this.#rows) }
        : one,
    );
  }

  #failed(number: number): readonly number[] {
    const orphans = this.#pending.filter(({ asked }) => names(asked, number));
    this.#release();
    return orphans.flatMap((orphan) =>
      this.#pending.some((one) => one.number === orphan.number) ? this.fail(orphan.number) : [],
    );
  }

  /**
   * "When anything settles, in the same action: first the settling request's own answer lands (what of it need not
   * wait), its intent leaves; then all that waits is looked at again."
   */
  #settle(answer: Answer, request?: Pending): void {
    const own = this.#shown().guesses.find((guess) => guess.request === request);
    if (request) this.#leave(request);
    if (answer.kind === 'write') this.#writes.push({ ...answer, told: this.#toldAt(answer, request) });
    const whole = lists.filter((list) => answer.kind === 'read' && answer.effect?.(list) !== undefined);
    const part = { answer, rows: answer.rows, lists: whole, request };
    const waiting = this.#landed(part, (key, field) => own?.key === key && field in (own.fields ?? {}));
    if (waiting) this.#waiting = [...this.#waiting, waiting];
    this.#release();
  }

  /** When an answer that was asked for after the write was has told of what the write creates. */
  #toldAt({ seq, settled, pks }: Answer, request?: Pending): number {
    if (!request || !isCreate(request.asked)) return settled;
    const table = tableOf(request.asked.list);
    const told = pks.map((pk) => this.#told.get(`${table} ${pk}`) ?? settled);
    return Math.max(...told.map((at) => (at > seq ? at : settled)));
  }

  /** What a write has named, no later one of an earlier start decides or guesses; what waits is named when it lands. */
  #name({ seq, sent, names: named }: Answer, counts: (key: Key, field: string) => boolean): void {
    const guessing = [...this.#pending, ...this.#waiting.flatMap(({ request }) => request ?? [])];
    for (const [key, fields] of named) {
      if (this.#isDeleted(key, sent)) continue;
      for (const field of Object.keys(fields).filter((one) => counts(key, one))) {
        const name = `${key} ${field}`;
        this.#lastNamed.set(name, Math.max(sent, this.#lastNamed.get(name) ?? 0));
        // "Covered; stays covered."
        for (const { covered } of guessing.filter((one) => one.seq < seq)) covered.add(name);
      }
    }
  }

  /** "All that waits is looked at again, in the order in which it came. This repeats until nothing more lands." */
  #release(): void {
    let hasLanded: boolean;
    do {
      hasLanded = false;
      for (const part of this.#waiting) {
        // What waited was not shown, and what its guess covered was not either.
        const rest = this.#landed(part, () => true);
        if (rest === part) continue;
        hasLanded = true;
        this.#waiting = this.#waiting.flatMap((one) => (one === part ? (rest ?? []) : one));
      }
    } while (hasLanded);
    this.#doubt();
  }

  /** Lands what need not wait, and gives what is left: the very same if all of it waits. */
  #landed(part: Waiting, covers: (key: Key, field: string) => boolean): Waiting | undefined {
    const { answer, rows, lists: whole, awaits } = part;
    if (awaits && !this.#rows.has(awaits))
      return this.#pending.some(({ seq }) => seq <= answer.settled) ? part : undefined;
    const waitsWith = this.#waitsWith(answer);
    const held = new Map([...rows].map(([key, told]) => [key, pick(told, (field) => waitsWith(key, field))]));
    const free = new Map([...rows].map(([key, told]) => [key, pick(told, (field) => !waitsWith(key, field))]));
    // "A page waits with what it is to stand behind": with any answer of the list that came before it, and waits.
    const at = this.#waiting.indexOf(part);
    const before = at < 0 ? this.#waiting : this.#waiting.slice(0, at);
    const isBehind = (list: ListName): boolean =>
      answer.effect?.(list) === 'append' && before.some((one) => one.lists.includes(list));
    const isHeld = whole.map((list) => isBehind(list) || this.#isListHeld(answer, list));
    const rest = [...held].filter(([, told]) => Object.keys(told).length > 0);
    const [waiting, landing] = [true, false].map((one) => whole.filter((_, at) => isHeld[at] === one));
    const isOwn = !this.#waiting.includes(part);
    const hasFree = landing?.length || [...free.values()].some((told) => Object.keys(told).length > 0);
    if (!isOwn && !hasFree && (rest.length > 0 || waiting?.length)) return part;
    this.#name(answer, (key, field) => (isOwn ? !waitsWith(key, field) : field in (free.get(key) ?? {})));
    this.#land({ ...part, rows: free, lists: landing ?? [] }, covers);
    return rest.length > 0 || waiting?.length ? { ...part, rows: new Map(rest), lists: waiting ?? [] } : undefined;
  }

  /**
   * "With field f of row r, if a still pending request I with a user-written getOptimisticResponse, I.seq < X.sent, has
   * a guess that changes f of r (differs from what is beneath it)."
   */
  #waitsWith({ sent }: Answer): (key: Key, field: string) => boolean {
    const guesses = this.#shown().guesses.filter(
      ({ request }) => request.asked.is === 'vote' && this.#pending.includes(request) && request.seq < sent,
    );
    return (key, field) =>
      guesses.some(({ key: one, fields, beneath }) => {
        const guessed = fields && (fields as Values)[field];
        return one === key && guessed !== undefined && guessed !== (beneath as Values | undefined)?.[field];
      });
  }

  /**
   * "With its whole-list answer or page, if L is known, and a still pending optimistic request I would change L as it
   * is confirmed (I's operation on L is no move), and either I.seq < X.sent, or I is a create and X's list brings a row
   * that was not confirmed in the store when I started."
   */
  #isListHeld({ sent, pks }: Answer, list: ListName): boolean {
    const confirmed = this.#list(list, []);
    if (!confirmed) return false;
    const keys = pks.map((pk): Key => `${tableOf(list)} ${pk}`).filter((key) => !this.#isDeleted(key, sent));
    return this.#stepsOf(list).some(
      (step) =>
        step.asked.is !== 'move' &&
        String(apply(confirmed, step)) !== String(confirmed) &&
        (step.seq < sent || keys.some((key) => step.creator && !step.creator.known.has(key))),
    );
  }

  /** Lets part of an answer take effect; what its own guess covers it is told. */
  #land({ answer, rows, lists: whole }: Waiting, covers: (key: Key, field: string) => boolean): void {
    for (const [key, told] of rows) {
      // "An answer that started before a confirmed deletion of row r brings nothing of r."
      if (this.#isDeleted(key, answer.sent)) continue;
      const known = this.#rows.get(key);
      const taken = pick(told, (field, value) => this.#takes(answer, key, field, value, covers(key, field)));
      for (const [field, value] of Object.entries(taken)) {
        const before = (known as Values | undefined)?.[field];
        if (before !== undefined && before !== value) this.#changed.set(`${key} ${field}`, answer.settled);
        this.#holders.set(`${key} ${field}`, answer);
      }
      if (!this.#rows.has(key)) this.#told.set(key, answer.settled);
      this.#rows.set(key, { ...known, ...taken });
    }
    for (const list of whole) this.#lists.set(list, [...(this.#lists.get(list) ?? []), answer]);
  }

  /** Whether an answer takes a field of a row; puts the row in doubt where a read and a write differ. */
  #takes(x: Answer, key: Key, field: string, value: unknown, covers: boolean): boolean {
    const name = `${key} ${field}`;
    const confirmed = (this.#rows.get(key) as Values | undefined)?.[field];
    const h = this.#holders.get(name);
    // "If the row does not have f, or the row is not there: X takes f."
    if (!h || confirmed === undefined) return true;
    // 1. "Not overlapped: X takes f."
    if (x.sent > h.settled) return true;
    // What has waited loses to what was sent after it had come.
    if (h.sent > x.settled) return false;
    if (h.kind !== x.kind && confirmed !== value) this.#doubted.add(key);
    const isNamedBy = ({ names: named }: Answer): boolean => field in (named.get(key) ?? {});
    // 3. "X does not name f": "H names f: X loses", "otherwise the greater `sent` wins".
    if (!isNamedBy(x)) return !isNamedBy(h) && x.sent > h.sent;
    // 2a. "A later write named it: lost for good."
    if ((this.#lastNamed.get(name) ?? 0) > x.sent) return false;
    // 2b and 2c.
    if (isNamedBy(h) || h.sent < x.sent) return true;
    // 2d. "X takes, UNLESS H has shown news: X's own guess does not cover f of r now, H's value is not what X says, nor what X
    // sent for f, and not what was confirmed for f when X was sent, unless f has been another since."
    const isSent = (x.names.get(key) as Values)[field] === confirmed;
    const isBefore = (x.before.get(key) as Values | undefined)?.[field] === confirmed;
    const isNews = confirmed !== value && !isSent && (!isBefore || (this.#changed.get(name) ?? 0) > x.sent);
    return covers || !isNews;
  }

  /** "Every answer that shows row r becomes stale, whoever won." */
  #doubt(): void {
    for (const [name, answered] of this.#answered) {
      const isTouched = [...this.#doubted].some((key) => this.#isShownBy(answered.of, key));
      if (isTouched) this.#answered.set(name, { ...answered, isStale: true });
    }
    this.#doubted.clear();
  }

  /** Whatever shows what a write was about is in doubt, and what is under way for it. */
  #doubtAll(number: number, asked: Write): void {
    const target = isCreate(asked) ? { created: number } : asked.target;
    const key = this.keyOf(target);
    for (const [name, { of, ...answered }] of this.#answered) {
      const isChanged = isList(of) && operationOn(of, this.tableOf(target), asked, bodyOf(asked)) !== undefined;
      if (!isChanged && !this.#isShownBy(of, key)) continue;
      this.#answered.set(name, { of, ...answered, isStale: true });
      this.#pending = this.#pending.map((one) => (one.name === name ? { ...one, isStale: true } : one));
    }
  }

  /** Whether an answer shows a row, or a row that it is in. */
  #isShownBy(of: ListName | Key, key: Key): boolean {
    const isShown = (one: Key): boolean =>
      this.#rows.has(key) && (one === key || `people ${this.#rows.get(one)?.by}` === key);
    return isList(of) ? (this.#list(of, []) ?? []).some((pk) => isShown(`${tableOf(of)} ${pk}`)) : isShown(of);
  }

  /** What an edit has changed that is answered with nothing: what was sent, if there is something to change. */
  #confirmed(asked: Edit, sent: Fields): Rows {
    const key = this.keyOf(asked.target);
    return asked.is !== 'replace' && !this.#rows.has(key) ? new Map() : new Map([[key, sent]]);
  }

  /** "What a write without a body sent is its guess at its start." */
  #sentBy({ asked, guessed }: Pending): Fields {
    return asked.is === 'vote' ? guessed : this.#fieldsOf(bodyOf(asked));
  }

  /** "What a guess of the user's own would have been without the deletion that hides its row" is named, too. */
  #namedBy(request: Pending, key: Key): Fields {
    const sent = this.#sentBy(request);
    const isUnseen = request.asked.is === 'vote' && Object.keys(sent).length === 0;
    return isUnseen ? (voted(request.known.get(key)) ?? {}) : sent;
  }

  #fieldsOf({ by, ...fields }: Body): Fields {
    return by ? { ...fields, by: this.pkOf(by) } : fields;
  }

  /** The requests that are pending and show something before they are answered, in order. */
  #guessing(): readonly Pending[] {
    return this.#pending
      .filter(({ asked }) => isWrite(asked) && !('quiet' in asked))
      .sort((one, other) => one.seq - other.seq);
  }

  /** What is shown of rows, and the guesses in it. */
  #shown(): { readonly rows: Rows; readonly guesses: readonly Guess[] } {
    const rows = new Map(this.#rows);
    const guesses: Guess[] = [];
    /** Rows that are being deleted, as they are beneath. */
    const deleting = new Map<Key, Fields | undefined>();
    // "A write whose answer waits goes on showing its guess, for just the fields that wait."
    const waiting = this.#waiting.flatMap(({ request, rows: only }) =>
      request && isWrite(request.asked) && !isCreate(request.asked) && !('quiet' in request.asked)
        ? [{ request, only }]
        : [],
    );
    const all = [...this.#guessing().map((request) => ({ request, only: undefined })), ...waiting];
    for (const { request, only } of all.sort((one, other) => one.request.seq - other.request.seq)) {
      const guess = this.#guessOf(request, rows, deleting);
      if (!guess) continue;
      const fields = guess.fields && pick(guess.fields, (field) => !only || field in (only.get(guess.key) ?? {}));
      const beneath = rows.get(guess.key);
      // "What is being deleted is not shown, whatever is asked of it later."
      const isHidden = deleting.has(guess.key);
      guesses.push({ request, key: guess.key, beneath, fields });
      if (isHidden) continue;
      if (!fields) deleting.set(guess.key, beneath);
      if (fields) rows.set(guess.key, { ...beneath, ...fields });
      else rows.delete(guess.key);
    }
    return { rows, guesses };
  }

  /** What a pending request shows over what is beneath it. */
  #guessOf(
    { number, seq, asked, guessed, covered }: Pending,
    rows: Rows,
    deleting: ReadonlyMap<Key, Fields | undefined>,
  ): Pick<Guess, 'key' | 'fields'> | undefined {
    if (isCreate(asked)) {
      const folder = folderOf(asked.list);
      const fields = { ...(folder && { folder }), ...this.#fieldsOf(asked.body) };
      return { key: this.keyOf({ created: number }), fields };
    }
    if (!isWrite(asked)) return undefined;
    const key = this.keyOf(asked.target);
    if (asked.is === 'delete') return { key, fields: undefined };
    // An edit of a row that is being deleted is a guess, which that hides.
    const beneath = rows.get(key) ?? (asked.is === 'vote' ? undefined : deleting.get(key));
    // "Nothing of a row whose deletion was confirmed at or after P.seq."
    if (this.#isDeleted(key, seq) || (!beneath && asked.is !== 'replace')) return undefined;
    // Who expected nothing at the start expects nothing later.
    if (asked.is === 'vote' && guessed.votes === undefined) return undefined;
    const fields = asked.is === 'vote' ? voted(beneath) : this.#fieldsOf(bodyOf(asked));
    return { key, fields: pick(fields ?? {}, (field) => !covered.has(`${key} ${field}`)) };
  }

  /** Whether something that started then comes too late for a row, or for its place in a list. */
  #isDeleted(key: Key, at: number): boolean {
    return this.#deletions.some((one) => one.key === key && one.settled >= at);
  }

  /** Whether something of an answer that has come waits. */
  get isHolding(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether an item was taken out of a list and put into it, in whatever order. */
  hasReturned(list: ListName): boolean {
    const steps = [
      ...this.#writes.map(({ effect, pks }) => ({ operation: effect?.(list), pks })),
      ...this.#stepsOf(list),
    ];
    const gone = new Set(steps.flatMap(({ operation, pks }) => (operation === 'remove' ? pks : [])));
    return steps.some(({ operation, pks }) => operation && operation !== 'remove' && pks.some((pk) => gone.has(pk)));
  }

  /** What is pending for a list. */
  #stepsOf(list: ListName): readonly ListGuess[] {
    return this.#guessing().flatMap(({ number, seq, asked }): readonly ListGuess[] => {
      if (!isWrite(asked) || asked.is === 'delete') return [];
      const target = isCreate(asked) ? { created: number } : asked.target;
      // Whoever brings an item that is still being created: it counts since when that is.
      const creator = this.#pending.find((one) => 'created' in target && one.number === target.created);
      // "An operation on an item that was deleted at or after I.seq changes nothing."
      if (this.#isDeleted(this.keyOf(target), seq)) return [];
      const operation = operationOn(list, this.tableOf(target), asked, bodyOf(asked));
      return operation ? [{ seq, operation, pks: [this.pkOf(target)], asked, creator }] : [];
    });
  }

  /** "A list is what its newest base says, with steps applied in the order of `seq`"; rows that are unknown included. */
  #list(list: ListName, guesses: readonly ListGuess[]): readonly string[] | undefined {
    const answers = this.#lists.get(list) ?? [];
    const bases = answers.filter(({ effect }) => effect?.(list) === 'set');
    const base = [...bases].sort((one, other) => one.sent - other.sent).at(-1);
    const since = (base ?? answers[0])?.sent;
    // "A list that is not known shows nothing, whatever is pending."
    if (since === undefined) return undefined;

    const stepOf = ({ seq, sent, settled, effect, pks }: Answer): ListStep => ({
      seq,
      operation: effect?.(list) ?? 'set',
      // "A step never brings back an item whose deletion was confirmed at or after the step's `sent`." What was there
      // before that keeps its place until all steps are applied, so that the others keep theirs.
      pks: pks.flatMap((pk) => {
        const key: Key = `${tableOf(list)} ${pk}`;
        const goneAt = this.#deletions.find((one) => one.key === key && one.settled >= sent)?.settled;
        if (goneAt === undefined) return pk;
        return this.#isDeleted(key, settled + 1) ? `${GONE}${goneAt} ${pk}` : [];
      }),
    });
    // DECISIONS, Order 4: a page is "never dropped for age"; a later answer with the whole list has replaced those before it.
    const isAfter = (page: Answer): boolean =>
      !base || page.seq > base.sent || answers.indexOf(page) > answers.indexOf(base);
    const pages = answers.filter((answer) => answer.effect?.(list) === 'append' && isAfter(answer));
    // "Operations of writes that settled at or after base.sent": an answer that was asked for after another had told of what
    // is created has counted it in, or it has left.
    const writes = this.#writes.filter(({ effect, settled, told = settled }) => effect?.(list) && told >= since);
    // "A pending create is not shown in a list whose base has a greater `sent` than the create's seq."
    // DECISIONS, Order 2: "A list whose first answer comes while creates are pending shows without them until they settle."
    const pending = guesses.filter(({ creator }) => !creator || (creator.seq > since && creator.knownLists.has(list)));
    const steps = [...pages.map(stepOf), ...writes.map(stepOf), ...pending];
    const created = new Set<string>();
    return steps
      .sort((one, other) => one.seq - other.seq)
      .reduce((now, step) => apply(now, step, created), base ? stepOf(base).pks : [])
      .filter((pk) => !pk.startsWith(GONE));
  }
}

/** Marks what was in a list and is deleted since, with when. */
const GONE = '†';

/** Whether an item was deleted before a page was asked for: that is not put behind what is there no more. */
function isGoneBefore(pk: string, seq: number): boolean {
  return pk.startsWith(GONE) && Number(pk.slice(1).split(' ')[0]) <= seq;
}

type Values = Readonly<Record<string, unknown>>;

/** Some of the fields of a row. */
function pick(fields: Fields, isWanted: (field: string, value: unknown) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field, value]) => isWanted(field, value)));
}

/** What a vote is expected to make of a note. */
function voted(beneath: Fields | undefined): Fields | undefined {
  return beneath && { votes: (beneath.votes ?? 0) + 1 };
}

/** `created`: what a write has added and no page has brought. "It stays behind all pages that come, and takes the server's place when a page brings it." */
function apply(
  list: readonly string[],
  { operation, pks, seq }: ListStep,
  created = new Set<string>(),
): readonly string[] {
  if (operation === 'set') return pks;
  if (operation === 'remove') return list.filter((pk) => !pks.includes(pk));
  if (operation === 'append') {
    const kept = list.filter((pk) => !(created.has(pk) && pks.includes(pk)));
    for (const pk of pks) created.delete(pk);
    const end = kept.findLastIndex((pk) => !created.has(pk) && !isGoneBefore(pk, seq)) + 1;
    return [...kept.slice(0, end), ...pks.filter((pk) => !kept.includes(pk)), ...kept.slice(end)];
  }
  const fresh = pks.filter((pk) => !list.includes(pk));
  for (const pk of fresh) created.add(pk);
  return operation === 'unshift' ? [...fresh, ...list] : [...list, ...fresh];
}

/** The rows in an answer, and those inside them. */
function rowsOf(table: Table, items: readonly Sent[]): ReadonlyMap<Key, Fields> {
  const rows = new Map<Key, Fields>();
  for (const { id, by, ...fields } of items) {
    if (by) for (const [key, told] of rowsOf('people', [by])) rows.set(key, told);
    const row = by === undefined ? fields : { ...fields, by: by && String(by.id) };
    rows.set(`${table} ${id}`, row);
  }
  return rows;
}

/** What an answer does to lists. */
function effectOf(
  table: Table,
  asked: Asked,
  items: readonly { readonly id: number | string; readonly folder?: string }[],
): Pick<Answer, 'effect' | 'pks'> {
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
function names(asked: Asked, created: number): boolean {
  const { by } = bodyOf(asked);
  const all = [...('target' in asked ? [asked.target] : []), ...(by ? [by] : [])];
  return all.some((target) => 'created' in target && target.created === created);
}
