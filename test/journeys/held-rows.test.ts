import { createResource, Entity, RestEndpoint, type Row } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { expectIdle, setup, type RootState } from '../support/store.js';

class Note extends Entity {
  id: number | string = 0;
  votes = 0;
  color = '';
  folder = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const searchParams: { folder?: string } = {};
const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, searchParams });

/** Counts one up: what is expected depends on what is there. */
const vote = new RestEndpoint({
  urlPrefix: server.url,
  path: '/notes/:id/vote',
  method: 'POST',
  name: 'Note/vote',
  schema: Note,
  body: undefined,
  getOptimisticResponse(snapshot, params) {
    const note = snapshot.get(Note, params);
    if (!note) throw snapshot.abort;
    return { id: note.id, votes: note.votes + 1 };
  },
});

const note = (id: number, fields: object = {}): object => ({ id, votes: 0, color: 'red', folder: 'a', ...fields });
const says = (json: unknown): Reply => ({ json });
const refusal: Reply = { status: 422, json: { message: 'No' } };

const selectVotes = (id: number) => (state: RootState) => Notes.get.select({ id })(state)?.votes;

/** A store that has fetched notes 1, 2 and 3. */
async function setupNotes() {
  const tools = setup();
  const loading = tools.store.dispatch(Notes.getList());
  await server.release('GET /notes', says([note(1), note(2), note(3)]));
  await loading.unwrap();

  return {
    ...tools,
    votes: tools.watch(selectVotes(1)),
    one: (id: number): Note | undefined => tools.read(Notes.get.select({ id })),
    vote: (id = 1) => tools.store.dispatch(vote({ id })),
    poll: () => tools.store.dispatch(Notes.getList()),
  };
}

describe('a counter', () => {
  it('is counted once, though a poll has counted it too before its own answer comes', async () => {
    const { votes, vote, poll, one, slice } = await setupNotes();
    const voting = vote();
    const polling = poll();

    await server.release('GET /notes', says([note(1, { votes: 1, color: 'green' }), note(2, { votes: 7 })]));
    await polling;
    const during = [one(1), one(2)];
    await server.release('POST /notes/1/vote', says({ id: 1, votes: 1 }));
    await voting.unwrap();

    expect(votes).toEqual([0, 1]);
    expect(during).toMatchObject([
      { votes: 1, color: 'green' },
      { votes: 7, color: 'red' },
    ]);
    expect(one(1)).toMatchObject({ votes: 1, color: 'green' });
    expectIdle(slice());
  });

  it('does not go back when a poll has not counted it yet', async () => {
    const { votes, vote, poll, one } = await setupNotes();
    const voting = vote();
    const polling = poll();

    await server.release('GET /notes', says([note(1, { color: 'green' }), note(2)]));
    await polling;
    await server.release('POST /notes/1/vote', says(note(1, { votes: 1, color: 'green' })));
    await voting;

    expect(votes).toEqual([0, 1]);
    expect(one(1)).toMatchObject({ votes: 1, color: 'green' });
  });

  it('goes on from what a poll has brought that started before it', async () => {
    const { votes, vote, poll } = await setupNotes();
    const polling = poll();
    const voting = vote();

    await server.release('GET /notes', says([note(1, { votes: 5 })]));
    await polling;
    await server.release('POST /notes/1/vote', says(note(1, { votes: 6 })));
    await voting;

    expect(votes).toEqual([0, 1, 6]);
  });

  it('takes what the poll has brought when the server refuses it', async () => {
    const { votes, vote, poll, one, slice } = await setupNotes();
    const voting = vote();
    const polling = poll();

    await server.release('GET /notes', says([note(1, { votes: 4, color: 'green' })]));
    await polling;
    await server.release('POST /notes/1/vote', refusal);
    await voting;

    expect(votes).toEqual([0, 1, 4]);
    expect(one(1)).toMatchObject({ votes: 4, color: 'green' });
    expectIdle(slice());
  });

  it('takes what the poll has brought when it is cancelled, and nobody knows what was done', async () => {
    const { votes, vote, poll, read, slice } = await setupNotes();
    const voting = vote();
    const polling = poll();
    await server.release('GET /notes', says([note(1, { votes: 1 })]));
    await polling;

    voting.abort();
    await voting;

    expect(votes).toEqual([0, 1]);
    expect(read(Notes.getList.selectRequest()).isStale).toBe(true);
    expectIdle(slice());
  });

  it('lands in one step with the poll that waited, when its answer tells nothing of it', async () => {
    const { store, votes, poll } = await setupNotes();
    const silent = vote.extend({ name: 'Note/silent', process: () => null });
    const voting = store.dispatch(silent({ id: 1 }));
    const polling = poll();

    await server.release('GET /notes', says([note(1, { votes: 1 })]));
    await polling;
    await server.release('POST /notes/1/vote', says({ ok: true }));
    await voting;

    expect(votes).toEqual([0, 1]);
  });

  it('stays as it was shown when the answer is empty', async () => {
    const { votes, vote, slice } = await setupNotes();
    const voting = vote();

    await server.release('POST /notes/1/vote', { status: 204 });
    await voting;

    expect(votes).toEqual([0, 1]);
    expect(slice().intents).toEqual([]);
  });

  it('is not counted into a row that a poll of the row alone has brought', async () => {
    const { store, votes, vote } = await setupNotes();
    const voting = vote();
    const reading = store.dispatch(Notes.get({ id: 1 }));

    await server.release('GET /notes/1', says(note(1, { votes: 1 })));
    const value = await reading.unwrap();
    await server.release('POST /notes/1/vote', says(note(1, { votes: 1 })));
    await voting;

    expect(value.votes).toBe(1);
    expect(votes).toEqual([0, 1]);
  });

  it('does not bring back what was deleted while a poll waited for it', async () => {
    const { store, vote, poll, one, read } = await setupNotes();
    const voting = vote();
    const polling = poll();
    await server.release('GET /notes', says([note(1, { votes: 1 }), note(2), note(3)]));
    await polling;
    const removal = store.dispatch(Notes.delete({ id: 1 }));
    await server.release('DELETE /notes/1', { status: 204 });
    await removal;
    const between = one(1);

    await server.release('POST /notes/1/vote', refusal);
    await voting;

    expect([between, one(1)]).toEqual([undefined, undefined]);
    expect(read(Notes.getList.select())?.map(({ id }) => id)).toEqual([2, 3]);
  });

  it('gives way to a message that came while a poll waited for it', async () => {
    const { store, resources, vote, poll, one } = await setupNotes();
    const voting = vote();
    const polling = poll();
    await server.release('GET /notes', says([note(1, { votes: 1, color: 'green' })]));
    await polling;
    store.dispatch(resources.set(Note, { id: 1, color: 'blue' }));

    await server.release('POST /notes/1/vote', refusal);
    await voting;

    expect(one(1)?.color).toBe('blue');
  });

  it('waits with both of two polls, and the later one holds', async () => {
    const { store, votes, vote, poll, one } = await setupNotes();
    const voting = vote();
    const early = poll();
    const late = store.dispatch(Notes.get({ id: 1 }));

    await server.release('GET /notes/1', says(note(1, { votes: 1, color: 'late' })));
    await late;
    await server.release('GET /notes', says([note(1, { votes: 1, color: 'early' }), note(2)]));
    await early;
    const during = one(1)?.color;
    await server.release('POST /notes/1/vote', says({ id: 1, votes: 1 }));
    await voting;

    expect([during, one(1)?.color]).toEqual(['late', 'late']);
    expect(votes).toEqual([0, 1]);
  });

  it('holds back no other note, and no list', async () => {
    const { vote, poll, read } = await setupNotes();
    const voting = vote();
    const polling = poll();

    await server.release('GET /notes', says([note(4), note(3, { votes: 3 }), note(1, { votes: 1 })]));
    const value = await polling.unwrap();
    const during = read(Notes.getList.select());
    await server.release('POST /notes/1/vote', says(note(1, { votes: 1 })));
    await voting;

    expect(during).toBe(value);
    expect(during?.map(({ id, votes }) => [id, votes])).toEqual([
      [4, 0],
      [3, 3],
      [1, 1],
    ]);
  });
});

describe('two counts of one counter', () => {
  const orders = ['1 2 R', '1 R 2', '2 1 R', '2 R 1', 'R 1 2', 'R 2 1'];
  /** When the poll starts, and how many votes it may have counted then. */
  const polls = [
    ['before both', 0, 0],
    ['between them', 1, 0],
    ['between them', 1, 1],
    ['after both', 2, 0],
    ['after both', 2, 1],
    ['after both', 2, 2],
  ] as const;
  const cases = polls.flatMap(([when, at, counted]) => orders.map((order) => [when, at, counted, order] as const));

  it.each(cases)(
    'with a poll that starts %s (%i) and has counted %i, answered as %s',
    async (_, at, counted, order) => {
      const { store, votes, poll, slice } = await setupNotes();
      const started: Record<string, PromiseLike<unknown>> = {};
      for (let i = 0; i <= 2; i++) {
        if (i === at) started['R'] = poll();
        // Each has an address of its own, to be told from the other.
        if (i < 2)
          started[String(i + 1)] = store.dispatch(
            vote.extend({ name: `vote${String(i + 1)}`, path: `/notes/:id/vote${String(i + 1)}` })({ id: 1 }),
          );
      }

      for (const one of order.split(' ')) {
        const name = one === 'R' ? 'GET /notes' : `POST /notes/1/vote${one}`;
        await server.release(
          name,
          one === 'R' ? says([note(1, { votes: counted })]) : says({ id: 1, votes: Number(one) }),
        );
        await started[one];
      }

      expect(votes).toEqual([0, 1, 2]);
      expectIdle(slice());
    },
  );

  it.each([
    ['the first', 'vote1', 'vote2'],
    ['the second', 'vote2', 'vote1'],
  ])('go back by one when %s is refused', async (_, refused, accepted) => {
    const { store, votes, poll } = await setupNotes();
    const writes = ['vote1', 'vote2'].map((path) =>
      store.dispatch(vote.extend({ name: path, path: `/notes/:id/${path}` })({ id: 1 })),
    );
    const polling = poll();

    await server.release('GET /notes', says([note(1, { votes: 1 })]));
    await polling;
    await server.release(`POST /notes/1/${refused}`, refusal);
    await server.release(`POST /notes/1/${accepted}`, says({ id: 1, votes: 1 }));
    await Promise.all(writes);

    expect(votes).toEqual([0, 1, 2, 1]);
  });
});

describe('counts in line', () => {
  const inLine = vote.extend({ name: 'Note/voteInLine', serialize: true });

  it.each([0, 1, 2, 3])('go up one by one, with a poll that starts when %i have been answered', async (at) => {
    const { store, votes, poll, slice } = await setupNotes();
    const voting = [1, 2, 3].map(() => store.dispatch(inLine({ id: 1 })));

    let polling: PromiseLike<unknown> | undefined;
    for (let answered = 0; answered <= 3; answered++) {
      if (answered === at) polling = poll();
      if (answered === 3) break;
      await server.release('POST /notes/1/vote', says({ id: 1, votes: answered + 1 }));
      await voting[answered];
      // What the poll has seen when it started comes in the middle of the next.
      if (answered === at) await server.release('GET /notes', says([note(1, { votes: at })]));
    }
    if (at === 3) await server.release('GET /notes', says([note(1, { votes: 3 })]));
    await polling;

    expect(votes).toEqual([0, 1, 2, 3]);
    expectIdle(slice());
  });

  it('of an item that is being created wait for it, and are counted once', async () => {
    const { store, resources, slice, watch } = await setupNotes();
    const Listed = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });
    const creating = store.dispatch(Listed.getList.push({ color: 'new' }));
    const last = (state: RootState): Note | undefined => Listed.getList.select()(state)?.at(-1);
    const seen = watch((state) => last(state)?.votes);
    const id = last(store.getState())?.id ?? '';
    const voting = [1, 2].map(() => store.dispatch(inLine({ id })));
    const polling = store.dispatch(Listed.getList());

    await server.release('POST /notes', says(note(4, { color: 'new' })));
    await creating;
    await server.release('POST /notes/4/vote', says(note(4, { color: 'new', votes: 1 })));
    await voting[0];
    await server.release('GET /notes', says([note(1), note(2), note(3), note(4, { color: 'new', votes: 1 })]));
    await polling;
    await server.release('POST /notes/4/vote', says(note(4, { color: 'new', votes: 2 })));
    await voting[1];

    expect(seen).toEqual([0, 1, 2]);
    expect(resources.selectAll(Note)(store.getState())).toHaveLength(4);
    expectIdle(slice());
  });
});

describe('a reorder', () => {
  const reorder = new RestEndpoint({
    urlPrefix: server.url,
    path: '/notes/order',
    method: 'PUT',
    name: 'Note/reorder',
    schema: Notes.getList.schema,
    searchParams: undefined,
    body: [] as number[],
    getOptimisticResponse(snapshot, _params, ids: number[]) {
      const notes = snapshot.get(Notes.getList.schema, {});
      if (!notes) throw snapshot.abort;
      return ids.flatMap((id) => notes.find((one) => one.id === id) ?? []);
    },
  });
  const ids = (state: RootState): string | undefined =>
    Notes.getList
      .select()(state)
      ?.map(({ id }) => id)
      .join();

  const late = reorder.extend({ name: 'Note/lateReorder', getOptimisticResponse: () => undefined });

  /** A reorder with a poll in between that says this. */
  async function reorderWhilePolled(polled: readonly object[], first: 'poll' | 'reorder', endpoint = reorder) {
    const { store, watch, poll, slice } = await setupNotes();
    const seen = watch(ids);
    const moving = store.dispatch(endpoint([3, 1, 2]));
    const polling = poll();

    const answers = [
      ['GET /notes', polled, polling],
      ['PUT /notes/order', [note(3), note(1), note(2)], moving],
    ] as const;
    for (const [name, json, promise] of first === 'poll' ? answers : answers.toReversed()) {
      await server.release(name, says(json));
      await promise.unwrap();
    }

    return { seen, slice: slice() };
  }

  it.each(['poll', 'reorder'] as const)(
    'never springs back with a poll in between that has been told of it (the %s is answered first)',
    async (first) => {
      const { seen, slice } = await reorderWhilePolled([note(3), note(1), note(2)], first);

      expect(seen).toEqual(['1,2,3', '3,1,2']);
      expectIdle(slice);
    },
  );

  it('never springs back with a poll in between that has not been told of it', async () => {
    const { seen, slice } = await reorderWhilePolled([note(1), note(2), note(3)], 'poll');

    expect(seen).toEqual(['1,2,3', '3,1,2']);
    expectIdle(slice);
  });

  it('never springs back with a poll that was under way, and has not been told of it', async () => {
    const { seen, slice } = await reorderWhilePolled([note(1), note(2), note(3)], 'reorder');

    expect(seen).toEqual(['1,2,3', '3,1,2']);
    expectIdle(slice);
  });

  it('that does not show before its answer is not undone by a poll in between', async () => {
    const { seen } = await reorderWhilePolled([note(1), note(2), note(3)], 'poll', late);

    expect(seen).toEqual(['1,2,3', '3,1,2']);
  });

  it('that does not show before its answer is not undone by a poll that was under way', async () => {
    const { seen } = await reorderWhilePolled([note(1), note(2), note(3)], 'reorder', late);

    expect(seen).toEqual(['1,2,3', '3,1,2']);
  });

  it('that is refused gives the order that a poll has brought', async () => {
    const { store, watch, poll } = await setupNotes();
    const seen = watch(ids);
    const moving = store.dispatch(reorder([3, 1, 2]));
    const polling = poll();

    await server.release('GET /notes', says([note(2), note(3), note(1)]));
    await polling;
    await server.release('PUT /notes/order', refusal);
    await moving;

    expect(seen).toEqual(['1,2,3', '3,1,2', '2,3,1']);
  });

  it('keeps an edit that is made while it is pending, and is refused', async () => {
    const { store, watch, one } = await setupNotes();
    const seen = watch(ids);
    const edit = Notes.partialUpdate.extend({ optimistic: true });
    const moving = store.dispatch(reorder([3, 1, 2]));
    const editing = store.dispatch(edit({ id: 1 }, { color: 'blue' }));
    const during = one(1)?.color;

    await server.release('PUT /notes/order', refusal);
    await moving;
    const between = one(1)?.color;
    await server.release('PATCH /notes/1', says(note(1, { color: 'blue' })));
    await editing;

    expect(seen).toEqual(['1,2,3', '3,1,2', '1,2,3']);
    expect([during, between, one(1)?.color]).toEqual(['blue', 'blue', 'blue']);
  });
});

describe('a move between lists', () => {
  const guessed = Notes.getList.move.extend({
    name: 'Note/moveTo',
    getOptimisticResponse: (snapshot, params) => ({ id: snapshot.get(Note, params)?.id, folder: 'b' }),
  });
  const plain = Notes.getList.move.extend({ optimistic: true });
  const moves = { guessed, plain } as const;

  /** A store that has fetched two folders, with note 1 in the first. */
  async function setupFolders() {
    const tools = setup();
    for (const [folder, list] of [
      ['a', [note(1), note(2)]],
      ['b', [note(3, { folder: 'b' })]],
    ] as const) {
      const loading = tools.store.dispatch(Notes.getList({ folder }));
      await server.release(`GET /notes?folder=${folder}`, says(list));
      await loading.unwrap();
    }
    const idsIn = (state: RootState, folder: string): string =>
      Notes.getList
        .select({ folder })(state)
        ?.map(({ id }) => id)
        .join() ?? '';

    return { ...tools, seen: tools.watch((state) => `${idsIn(state, 'a')} | ${idsIn(state, 'b')}`) };
  }

  const orders = [
    ['a', 'b', 'guessed'],
    ['b', 'a', 'guessed'],
    ['a', 'b', 'plain'],
    ['b', 'a', 'plain'],
  ] as const;

  it.each(orders)(
    'shows the item in one of them, while both are polled (%s before %s, %s)',
    async (first, second, how) => {
      const { store, seen, slice } = await setupFolders();
      const moving = store.dispatch(moves[how]({ id: 1 }, { folder: 'b' }));
      const polls = [first, second].map((folder) => store.dispatch(Notes.getList({ folder })));

      // The first is answered before the server has moved it, and the second after.
      const before = { a: [note(1), note(2)], b: [note(3, { folder: 'b' })] };
      const after = { a: [note(2)], b: [note(3, { folder: 'b' }), note(1, { folder: 'b' })] };
      await server.release(`GET /notes?folder=${first}`, says(before[first]));
      await server.release(`GET /notes?folder=${second}`, says(after[second]));
      await Promise.all(polls);
      await server.release('PATCH /notes/1', says(note(1, { folder: 'b' })));
      await moving.unwrap();

      expect(seen).toEqual(['1,2 | 3', '2 | 3,1']);
      expectIdle(slice());
    },
  );

  it.each(['guessed', 'plain'] as const)('that is refused puts the item back in its place (%s)', async (how) => {
    const { store, seen } = await setupFolders();
    const moving = store.dispatch(moves[how]({ id: 1 }, { folder: 'b' }));
    const polling = store.dispatch(Notes.getList({ folder: 'a' }));

    await server.release('GET /notes?folder=a', says([note(1), note(2), note(4)]));
    await polling;
    await server.release('PATCH /notes/1', refusal);
    await moving;

    expect(seen).toEqual(['1,2 | 3', '2 | 3,1', '2,4 | 3,1', '1,2,4 | 3']);
  });
});

describe('a plain edit', () => {
  it('holds nothing back: a poll lands under it at once', async () => {
    const { store, poll, one } = await setupNotes();
    const edit = Notes.partialUpdate.extend({ optimistic: true });
    const editing = store.dispatch(edit({ id: 1 }, { color: 'blue' }));
    const polling = poll();

    await server.release('GET /notes', says([note(1, { votes: 9, color: 'green' })]));
    await polling;
    const during = one(1);
    await server.release('PATCH /notes/1', says(note(1, { votes: 9, color: 'blue' })));
    await editing;

    expect(during).toMatchObject({ votes: 9, color: 'blue' });
  });
});

describe('a class that merges by itself', () => {
  class Tally extends Entity {
    id = 0;
    votes = 0;
    log = '';
    static override key = 'Tally';
    static override merge(existing: Row, incoming: Row): Row {
      const logs = [existing, incoming].flatMap(({ log }) => (typeof log === 'string' ? log : []));
      return { ...existing, ...incoming, log: logs.join(' ') };
    }
  }
  const Tallies = createResource({ urlPrefix: server.url, path: '/tallies/:id', schema: Tally });
  const count = new RestEndpoint({
    urlPrefix: server.url,
    path: '/tallies/:id/count',
    method: 'POST',
    name: 'Tally/count',
    schema: Tally,
    body: undefined,
    getOptimisticResponse(snapshot, params) {
      const tally = snapshot.get(Tally, params);
      return tally && { id: tally.id, votes: tally.votes + 1 };
    },
  });

  it('merges what lands, and what a later poll has brought stays', async () => {
    const { store, watch, read } = setup();
    const loading = store.dispatch(Tallies.get({ id: 1 }));
    await server.release('GET /tallies/1', says({ id: 1, votes: 0, log: 'made' }));
    await loading;
    const votes = watch((state) => Tallies.get.select({ id: 1 })(state)?.votes);
    const counting = store.dispatch(count({ id: 1 }));
    const polling = store.dispatch(Tallies.get({ id: 1 }));

    await server.release('GET /tallies/1', says({ id: 1, votes: 1, log: 'polled' }));
    await polling;
    await server.release('POST /tallies/1/count', says({ id: 1, votes: 1, log: 'counted' }));
    await counting;

    expect(votes).toEqual([0, 1]);
    expect(read(Tallies.get.select({ id: 1 }))?.log).toBe('made polled');
  });
});

describe('a read that waits for one create', () => {
  const Listed = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });

  it('lands when that one settles, though a later create is pending', async () => {
    const { store, read, watch } = await setupNotes();
    const colors = watch((state) =>
      Listed.getList
        .select()(state)
        ?.map(({ color }) => color)
        .join(),
    );
    const first = store.dispatch(Listed.getList.push({ color: 'first' }));
    const polling = store.dispatch(Listed.getList());
    const second = store.dispatch(Listed.getList.push({ color: 'second' }));

    await server.release('GET /notes', says([note(2), note(3), note(9), note(4, { color: 'first' })]));
    await polling;
    await server.release(/POST .*first/, says(note(4, { color: 'first' })));
    await first;
    const between = read(Listed.getList.select())?.map(({ color }) => color);
    await server.release(/POST .*second/, says(note(5, { color: 'second' })));
    await second;

    expect(between).toEqual(['red', 'red', 'red', 'first', 'second']);
    expect(read(Listed.getList.select())?.map(({ id }) => id)).toEqual([2, 3, 9, 4, 5]);
    expect(colors).toEqual(['red,red,red', 'red,red,red,first', 'red,red,red,first,second']);
  });
});
