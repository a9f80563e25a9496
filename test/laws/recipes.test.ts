import { configureStore, createNextState } from '@reduxjs/toolkit';
import fc from 'fast-check';
import { configureResources, createResource, Entity, type Patch } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { assertPlain } from '../support/plain.js';
import { search } from '../support/search.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 36_000_000 });

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Issue extends Entity {
  id = 0;
  title = '';
  votes = 0;
  author: User | null = null;
  static override key = 'Issue';
  static override schema = { author: User };
}

/** An issue as recipes see it. */
interface Draft {
  title: string;
  votes: number;
  author: { name: string } | null;
}

/** What the drafts of a recipe are made of: two issues of one author. */
interface World {
  readonly issues: Record<number, { title: string; votes: number }>;
  readonly author: { name: string };
}

const verbs = ['vote', 'rename', 'praise', 'copy'] as const;
type Verb = (typeof verbs)[number];

/** The recipes. `copy` looks at what others change. */
const recipes: Readonly<Record<Verb, (draft: Draft, text: string) => void>> = {
  vote: (draft) => {
    draft.votes += 1;
  },
  rename: (draft, text) => {
    draft.title = text;
  },
  praise: (draft) => {
    if (draft.author) draft.author.name += '!';
  },
  copy: (draft) => {
    draft.title = draft.author?.name ?? '';
  },
};
/** Recipes that change what they find each time that they run. */
const counting: readonly Verb[] = ['vote', 'praise'];

type Step =
  | { readonly does: 'request' | 'patch'; readonly verb: Verb; readonly id: number; readonly text: string }
  | { readonly does: 'settle' | 'fail' | 'undo' | 'commit'; readonly which: number }
  | { readonly does: 'set'; readonly id: number; readonly field: 'title' | 'votes'; readonly value: number };

const steps = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constantFrom('request' as const, 'patch' as const),
      verb: fc.constantFrom(...verbs),
      id: fc.constantFrom(1, 2),
      text: fc.constantFrom('a', 'b', 'c'),
    }),
    fc.record({
      does: fc.constantFrom('settle' as const, 'fail' as const, 'undo' as const, 'commit' as const),
      which: fc.nat(9),
    }),
    fc.record({
      does: fc.constant('set' as const),
      id: fc.constantFrom(1, 2),
      field: fc.constantFrom('title' as const, 'votes' as const),
      value: fc.nat(50),
    }),
  ),
  { maxLength: 25 },
);

/** A write or a patch that is pending. */
interface Pending {
  readonly place: number;
  readonly kind: 'request' | 'patch';
  readonly verb: Verb;
  readonly id: number;
  readonly text: string;
  /** The fields over which it shows nothing any more. */
  readonly covered: Set<string>;
  /** What was confirmed when it was made. */
  readonly before: Fields;
}

type Fields = Record<string, unknown>;

/** What the rules say, with immer's own `produce` for the drafts. */
class Naive {
  confirmed: World = {
    issues: { 1: { title: 't1', votes: 0 }, 2: { title: 't2', votes: 0 } },
    author: { name: 'Ada' },
  };
  pending: readonly Pending[] = [];
  #place = 0;
  /** Where the last write stands that has named a field, and the last that has written it. */
  readonly #named = new Map<string, number>();
  readonly #written = new Map<string, number>();

  begin(op: Omit<Pending, 'place' | 'covered' | 'before'>): Pending {
    const pending = { ...op, place: ++this.#place, covered: new Set<string>(), before: flat(this.confirmed) };
    this.pending = [...this.pending, pending];

    return pending;
  }

  /** What is shown: what is pending over what is confirmed, in order. */
  shown(until: readonly Pending[] = this.pending): World {
    return until.reduce((world, op) => {
      const { issues, author } = run(world, op);
      const changed = changes(world, { issues, author });
      const open = Object.keys(changed).filter((field) => !op.covered.has(field));

      return write(world, Object.fromEntries(open.map((field) => [field, changed[field]])));
    }, this.confirmed);
  }

  end(op: Pending): void {
    this.pending = this.pending.filter((other) => other !== op);
  }

  /** A request was answered with nothing, or a patch is confirmed: what its recipe makes of what lies beneath. */
  confirm(op: Pending): void {
    const before = this.pending.slice(0, this.pending.indexOf(op));
    const beneath = before.filter(
      ({ kind, verb }) => op.kind === 'patch' || (kind === 'request' && counting.includes(verb)),
    );
    const base = this.shown(beneath);
    const changed = changes(base, run(base, op));
    const shown = this.#shownBy(op);
    this.end(op);
    this.#name({ ...op, isNews: (field, now) => !Object.hasOwn(shown, field) && now !== op.before[field] }, changed);
  }

  set(field: string, value: unknown): void {
    const place = ++this.#place;
    const isCounted = this.pending.some((op) => op.kind === 'request' && Object.hasOwn(this.#shownBy(op), field));
    this.#written.set(field, place);
    if (isCounted) this.confirmed = write(this.confirmed, { [field]: value });
    else this.#name({ place, kind: 'patch', isNews: () => true }, { [field]: value });
  }

  #shownBy(op: Pending): Fields {
    const world = this.shown(this.pending.slice(0, this.pending.indexOf(op)));
    const changed = changes(world, run(world, op));

    return Object.fromEntries(Object.entries(changed).filter(([field]) => !op.covered.has(field)));
  }

  /** A write names fields: those that a later one has named it has lost. What is committed was computed of what is there, and takes that over. */
  #name(
    { place, kind, isNews }: Pick<Pending, 'place' | 'kind'> & { isNews: (field: string, now: unknown) => boolean },
    values: Fields,
  ): void {
    for (const field of Object.keys(values)) {
      const named = this.#named.get(field) ?? 0;
      if (named > place && kind === 'request') continue;
      this.#named.set(field, Math.max(place, named));
      for (const op of this.pending) if (op.kind === 'request' && op.place < place) op.covered.add(field);
      const written = this.#written.get(field) ?? 0;
      if (written > place && kind === 'request' && isNews(field, flat(this.confirmed)[field])) continue;
      // What is computed of what a later write has told is as late as that.
      this.#written.set(field, Math.max(place, written));
      this.confirmed = write(this.confirmed, { [field]: values[field] });
    }
  }
}

function run(world: World, { verb, id, text }: Pick<Pending, 'verb' | 'id' | 'text'>): World {
  return createNextState(world, (draft) => {
    const issue = draft.issues[id];
    if (!issue) return;
    const subject: Draft = { ...issue, author: { ...draft.author } };
    recipes[verb](subject, text);
    issue.title = subject.title;
    issue.votes = subject.votes;
    draft.author.name = subject.author?.name ?? '';
  });
}

function flat({ issues, author }: World): Fields {
  const fields: Fields = { author: author.name };
  for (const [id, { title, votes }] of Object.entries(issues))
    Object.assign(fields, { [`${id} title`]: title, [`${id} votes`]: votes });

  return fields;
}

function changes(before: World, after: World): Fields {
  const was = flat(before);

  return Object.fromEntries(Object.entries(flat(after)).filter(([field, value]) => was[field] !== value));
}

function write(world: World, fields: Fields): World {
  return createNextState(world, (draft) => {
    for (const [name, value] of Object.entries(fields)) {
      const [id, field] = name.split(' ');
      if (field === undefined) draft.author.name = String(value);
      else Object.assign(draft.issues[Number(id)] ?? {}, { [field]: value });
    }
  });
}

/** The package, played by the same steps. */
class Play {
  readonly naive = new Naive();
  readonly #answers = new Map<Pending, (status: number) => Promise<void>>();
  readonly #patches = new Map<Pending, Patch>();
  readonly #resources;
  readonly #store;
  #next: ((response: Response) => void) | undefined;

  constructor() {
    const resources = (this.#resources = configureResources({
      fetchFn: () => new Promise((resolve) => (this.#next = resolve)),
      holdTimeout: Infinity,
    }));
    this.#store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
    });
    const author = { id: 7, name: 'Ada' };
    this.#store.dispatch(
      resources.set(Issue, [
        { id: 1, title: 't1', votes: 0, author },
        { id: 2, title: 't2', votes: 0, author },
      ]),
    );
  }

  async step(step: Step): Promise<void> {
    const { naive } = this;
    if (step.does === 'set') {
      const { id, field, value } = step;
      this.#store.dispatch(this.#resources.set(Issue, { id, [field]: field === 'title' ? String(value) : value }));
      naive.set(`${String(id)} ${field}`, field === 'title' ? String(value) : value);
    } else if (step.does === 'request') await this.#request(step);
    else if (step.does === 'patch') this.#patch(step);
    else await this.#end(step as Extract<Step, { which: number }>);
  }

  async #request({ verb, id, text }: Extract<Step, { does: 'request' | 'patch' }>): Promise<void> {
    const write = IssueResource[verb]({ id }, { text });
    const promise = this.#store.dispatch(write);
    while (!this.#next) await Promise.resolve();
    const answer = this.#next;
    this.#next = undefined;
    this.#answers.set(this.naive.begin({ kind: 'request', verb, id, text }), async (status) => {
      answer(new Response(status === 204 ? null : '{}', { status }));
      await promise;
    });
  }

  #patch({ verb, id, text }: Extract<Step, { does: 'request' | 'patch' }>): void {
    const recipe = (draft: Draft): undefined => {
      recipes[verb](draft, text);
    };
    const patch = this.#store.dispatch(this.#resources.patch(Issue, id, recipe));
    this.#patches.set(this.naive.begin({ kind: 'patch', verb, id, text }), patch);
  }

  async #end({ does, which }: Extract<Step, { which: number }>): Promise<void> {
    const { naive } = this;
    const isOfRequests = does === 'settle' || does === 'fail';
    const all = naive.pending.filter(({ kind }) => (kind === 'request') === isOfRequests);
    // What counts is answered in the order of sending: what waits otherwise is a matter of other laws.
    const isNext = (op: Pending): boolean =>
      !isOfRequests || all.every((other) => other.place >= op.place || !counting.includes(other.verb));
    const candidates = all.filter(isNext);
    const op = candidates[which % Math.max(1, candidates.length)];
    if (!op) return;
    if (does === 'settle') {
      naive.confirm(op);
      await this.#answers.get(op)?.(204);
    } else if (does === 'fail') {
      naive.end(op);
      await this.#answers.get(op)?.(422);
    } else if (does === 'undo') {
      naive.end(op);
      this.#patches.get(op)?.undo();
    } else {
      naive.confirm(op);
      this.#patches.get(op)?.commit();
    }
  }

  shown(): Fields {
    return this.#fieldsIn((id) => this.#resources.selectEntity(Issue, id)(this.#store.getState()));
  }

  /** The slice is plain, and at rest nothing is remembered. */
  look(): void {
    const { resources } = this.#store.getState();
    assertPlain(resources);
    if (this.naive.pending.length > 0) return;
    expect(resources.intents).toEqual([]);
    expect(resources.journal.rows).toEqual({});
  }

  #fieldsIn(read: (id: number) => Issue | undefined): Fields {
    const [one, two] = [read(1), read(2)];

    return {
      author: one?.author?.name,
      '1 title': one?.title,
      '1 votes': one?.votes,
      '2 title': two?.title,
      '2 votes': two?.votes,
    };
  }
}

const member = (verb: Verb) =>
  ({
    path: `/issues/:id/${verb}`,
    method: 'POST',
    body: {} as { text: string },
    schema: Issue,
    optimistic: (draft: Draft, [, { text }]: [unknown, { text: string }]): undefined => {
      recipes[verb](draft, text);
    },
  }) as const;
const IssueResource = createResource({ path: '/issues/:id', schema: Issue })
  .extend('vote', member('vote'))
  .extend('rename', member('rename'))
  .extend('praise', member('praise'))
  .extend('copy', member('copy'));

describe('recipes and patches', () => {
  it('show what they make of what lies beneath, whatever else begins, fails, is undone or confirmed', async () => {
    const holds = fc.asyncProperty(steps, async (history) => {
      const play = new Play();
      for (const step of history) {
        await play.step(step);
        expect(play.shown()).toEqual(flat(play.naive.shown()));
        play.look();
      }
    });

    await fc.assert(holds, search);
  });

  it('leave the rest as if they had never been, when one is undone', async () => {
    const holds = fc.asyncProperty(steps, fc.nat(24), async (history, at) => {
      const lasting = history.filter(({ does }) => does === 'request' || does === 'patch' || does === 'set');
      const [other, play] = [new Play(), new Play()];
      const extra = { does: 'patch', verb: 'vote', id: 1, text: 'x' } as const;
      for (const step of lasting) await other.step(step);

      const where = at % (lasting.length + 1);
      for (const step of lasting.slice(0, where)) await play.step(step);
      await play.step(extra);
      const added = play.naive.pending.filter(({ kind }) => kind === 'patch').length - 1;
      for (const step of lasting.slice(where)) await play.step(step);
      await play.step({ does: 'undo', which: added });

      expect(play.shown()).toEqual(other.shown());
    });

    await fc.assert(holds, search);
  });
});
