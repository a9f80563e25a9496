import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Card extends Entity {
  id = 0;
  title = '';
  status = '';
  done: boolean | undefined = undefined;
  board: number | undefined = undefined;
  static override key = 'Card';
}

const server = await serverOfFile();

interface Search {
  readonly status?: string;
  readonly done?: boolean;
  readonly board?: number;
  readonly q?: string;
  readonly sort?: string;
  readonly limit?: number;
}
const searchParams: Search = {};
const definition = {
  urlPrefix: server.url,
  path: '/cards/:id',
  schema: Card,
  searchParams,
  paginationField: 'page',
} as const;
const Cards = createResource({ ...definition, optimistic: true });
const Quiet = createResource(definition);
class Still extends Collection {
  constructor(...[inner, options]: ConstructorParameters<typeof Collection>) {
    super(inner, { ...options, follows: false });
  }
}

const card = (id: number, status: string, more: object = {}) => ({ id, title: `c${id}`, status, ...more });
const says = (json: unknown): Reply => ({ json });
const refusal: Reply = { status: 422, json: {} };
const addressOf = (search: object): string => {
  const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
  query.sort();
  return query.size > 0 ? `GET /cards?${query.toString()}` : 'GET /cards';
};

/** A store that has fetched some lists. */
async function boards(
  lists: readonly (readonly [Search, readonly object[]])[],
  of: Pick<typeof Quiet, 'getList'> = Quiet,
) {
  const tools = setup();
  const { store, read } = tools;
  const load = async (search: Search, rows: readonly object[]): Promise<void> => {
    const loading = store.dispatch(of.getList(search));
    await server.release(addressOf(search), says(rows));
    await loading.unwrap();
  };
  for (const [search, rows] of lists) await load(search, rows);
  return {
    ...tools,
    load,
    ids: (search?: Search) => read(of.getList.select(search))?.map(({ id }) => id),
  };
}

/** Lists of what is to be done and of what is done. */
const kanban = (of?: Pick<typeof Quiet, 'getList'>) =>
  boards(
    [
      [{ status: 'todo' }, [card(1, 'todo'), card(2, 'todo')]],
      [{ status: 'done' }, [card(3, 'done')]],
    ],
    of,
  );

const todo = { status: 'todo' };
const done = { status: 'done' };

describe('an item whose edit takes it from one filter to another', () => {
  it('leaves the list that it was in, and joins the other at its end, when the answer comes', async () => {
    const { store, ids } = await kanban();

    const edit = store.dispatch(Quiet.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');
    expect([ids(todo), ids(done)]).toEqual([[1, 2], [3]]);
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
  });

  it('does so when it is replaced as a whole', async () => {
    const { store, ids } = await kanban();

    const edit = store.dispatch(Quiet.update({ id: 1 }, card(1, 'done')));
    await server.release('PUT /cards/1', says(card(1, 'done')));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
  });

  it('does so at once where edits are optimistic, and stays', async () => {
    const { store, ids, watch } = await kanban(Cards);
    const seen = watch((state) =>
      [todo, done]
        .map((one) =>
          Cards.getList
            .select(one)(state)
            ?.map(({ id }) => id)
            .join(),
        )
        .join('|'),
    );

    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();

    expect(seen).toEqual(['1,2|3', '2|3,1']);
  });

  it.each([
    ['at once', Cards],
    ['when the answer comes', Quiet],
  ])('does so where the lists do not tell the field that they are filtered by, %s', async (_, { partialUpdate }) => {
    const [bare, other, third] = [1, 2, 3].map((id) => ({ id, title: `c${id}` }));
    const { store, ids } = await boards([
      [todo, [bare ?? {}, other ?? {}]],
      [done, [third ?? {}]],
    ]);

    const edit = store.dispatch(partialUpdate({ id: 1 }, done));
    if (partialUpdate === Cards.partialUpdate) expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
  });

  it('stays where an edit sends the value that the list is filtered by, though its items do not tell it', async () => {
    const { store, ids, read } = await boards([
      [
        todo,
        [
          { id: 1, title: 'c1' },
          { id: 2, title: 'c2' },
        ],
      ],
      [done, []],
    ]);

    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, { title: 'new', ...todo }));
    await server.release('PATCH /cards/1', says({ ...card(1, 'todo'), title: 'new' }));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[1, 2], []]);
    expect(read(Quiet.getList.selectRequest(todo))).toMatchObject({ isStale: false });
  });

  it('goes back to its place when the edit fails', async () => {
    const { store, ids, slice } = await kanban(Cards);

    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
    await server.release('PATCH /cards/1', refusal);
    await expect(edit.unwrap()).rejects.toThrow();

    expect([ids(todo), ids(done)]).toEqual([[1, 2], [3]]);
    expectIdle(slice());
  });

  it('is moved by what a socket tells', async () => {
    const { store, resources, ids } = await kanban();

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
  });

  it('is moved by a poll of another list, and by a detail', async () => {
    const { store, load, ids } = await kanban();

    await load({}, [card(1, 'done'), card(2, 'todo'), card(3, 'done')]);
    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
    const detail = store.dispatch(Quiet.get({ id: 3 }));
    await server.release('GET /cards/3', says(card(3, 'todo')));
    await detail.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2, 3], [1]]);
  });

  it('is moved by an empty answer, which confirms what was sent', async () => {
    const { store, ids } = await kanban();

    const edit = store.dispatch(Quiet.partialUpdate({ id: 1 }, done));
    await server.release('PATCH /cards/1', { status: 204 });
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
  });

  it('is compared as the list is known: numbers and booleans as strings', async () => {
    const { store, resources, ids } = await boards([
      [{ board: 1, done: false }, [card(1, 'todo', { board: 1, done: false })]],
      [{ board: 2, done: false }, []],
      [{ board: 2, done: true }, []],
    ]);

    store.dispatch(resources.set(Card, { id: 1, board: 2 }));
    expect(ids({ board: 1, done: false })).toEqual([]);
    expect(ids({ board: 2, done: false })).toEqual([1]);
    expect(ids({ board: 2, done: true })).toEqual([]);
    store.dispatch(resources.set(Card, { id: 1, done: true }));

    expect(ids({ board: 2, done: false })).toEqual([]);
    expect(ids({ board: 2, done: true })).toEqual([1]);
  });

  it('leaves a field empty, and the list of its value', async () => {
    const { store, resources, ids } = await boards([[{ board: 1 }, [card(1, 'todo', { board: 1 })]]]);

    store.dispatch(resources.set(Card, { id: 1, board: null as never }));

    expect(ids({ board: 1 })).toEqual([]);
  });

  it('stays where only an order, a number of items or a page tell lists apart', async () => {
    const { store, resources, ids } = await boards([
      [{ status: 'todo', sort: 'title', limit: 5 }, [card(1, 'todo', { limit: 5 })]],
      [{ status: 'done', sort: 'title', limit: 5 }, []],
      [{ sort: 'title' }, [card(2, 'todo', { sort: 'title' })]],
    ]);

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));
    store.dispatch(resources.set(Card, { id: 2, sort: 'other' } as object));

    expect(ids({ status: 'todo', sort: 'title', limit: 5 })).toEqual([]);
    expect(ids({ status: 'done', sort: 'title', limit: 5 })).toEqual([1]);
    expect(ids({ sort: 'title' })).toEqual([2]);
  });
});

describe('what is written by hand of an endpoint that the store has not met', () => {
  it('moves its item among lists from elsewhere', async () => {
    const { slice } = await kanban();
    const { store, resources, read } = setup();
    store.dispatch(resources.hydrate(slice()));

    store.dispatch(resources.setResponse(Quiet.get, { id: 1 }, card(1, 'done')));

    const ids = [todo, done].map((search) => read(Quiet.getList.select(search))?.map(({ id }) => id));
    expect(ids).toEqual([[2], [3, 1]]);
  });
});

describe('lists with an argument that is no field of their items', () => {
  it('become stale where an edit may bring an item into them', async () => {
    const { store, resources, read, ids } = await boards([
      [{ q: 'x', status: 'todo' }, [card(1, 'todo'), card(2, 'todo')]],
      [{ q: 'x', status: 'done' }, []],
      [{ q: 'y', status: 'todo' }, []],
    ]);
    const isStale = (search: Search) => read(resources.selectRequest(Quiet.getList, search)).isStale;

    server.answer('PATCH /cards/1', says(card(1, 'done')));
    await store.dispatch(Quiet.partialUpdate({ id: 1 }, { status: 'done' }));
    // The field is named, and as it was.
    server.answer('PUT /cards/2', says(card(2, 'todo', { title: 'edited' })));
    await store.dispatch(Quiet.update({ id: 2 }, card(2, 'todo', { title: 'edited' })));

    expect([ids({ q: 'x', status: 'todo' }), ids({ q: 'x', status: 'done' })]).toEqual([[2], []]);
    expect([isStale({ q: 'x', status: 'done' }), isStale({ q: 'x', status: 'todo' })]).toEqual([true, false]);
    expect(isStale({ q: 'y', status: 'todo' })).toBe(false);
  });

  it('are followed by a move to another path, which the body names', async () => {
    const Moved = createResource({
      urlPrefix: server.url,
      path: '/boards/:board/cards/:id',
      schema: Card,
      name: 'Moved',
    });
    const { store, read } = setup();
    for (const board of [1, 2]) {
      server.answer(`GET /boards/${String(board)}/cards`, says(board === 1 ? [card(1, 'todo', { board })] : []));
      await store.dispatch(Moved.getList({ board }));
    }

    server.answer('PATCH /boards/1/cards/1', says(card(1, 'todo', { board: 2 })));
    await store.dispatch(Moved.getList.move({ board: 1, id: 1 }, { board: 2 }));

    expect([1, 2].map((board) => read(Moved.getList.select({ board }))?.map(({ id }) => id))).toEqual([[], [1]]);
  });

  it.each([true, false])(
    'are left by a move to another path that calls its item otherwise, optimistic: %s',
    async (optimistic) => {
      const Moved = createResource({
        urlPrefix: server.url,
        path: '/boards/:board/cards/:id',
        schema: Card,
        name: 'Named',
        optimistic,
      });
      const { store, read } = setup();
      for (const [i, board] of ['ants', 'bees'].entries()) {
        server.answer(`GET /boards/${board}/cards`, says([card(i + 1, 'todo', { board: i + 4 })]));
        await store.dispatch(Moved.getList({ board }));
      }

      server.answer('PATCH /boards/ants/cards/1', says(card(1, 'todo', { board: 5 })));
      await store.dispatch(Moved.getList.move({ board: 'ants', id: 1 }, { board: 'bees' } as never));

      const ids = (board: string) => read(Moved.getList.select({ board }))?.map(({ id }) => id);
      expect([ids('ants'), ids('bees')]).toEqual([[], [2, 1]]);
    },
  );

  it.each(['fields', 'a rule'])('are followed below their own path, where %s say who is in them', async (by) => {
    const Tasks = createResource({
      urlPrefix: server.url,
      path: '/boards/:key/cards/:id',
      schema: Card,
      searchParams,
      optimistic: true,
      name: 'Tasks',
      belongs: by === 'fields' ? undefined : (one, { status }) => !status || one.status === status,
    });
    const { store, read } = setup();
    for (const key of ['a', 'b'])
      for (const status of ['todo', 'done']) {
        server.answer(`GET /boards/${key}/cards`, says(status === 'todo' ? [card(key === 'a' ? 1 : 2, 'todo')] : []));
        await store.dispatch(Tasks.getList({ key, status }));
      }
    const shown = () =>
      ['a', 'b'].flatMap((key) =>
        ['todo', 'done'].map((status) => {
          const { data = [], isStale } = read(Tasks.getList.selectRequest({ key, status }));

          return `${data.map(({ id }) => id).join()}${isStale ? ' stale' : ''}`;
        }),
      );

    const edit = store.dispatch(Tasks.partialUpdate({ key: 'a', id: 1 }, { status: 'done' }));
    const during = shown();
    await server.release('PATCH /boards/a/cards/1', says(card(1, 'done')));
    await edit;

    expect(during).toEqual(['', '1', '2', '']);
    expect(shown()).toEqual(during);
  });

  it('are stale below every path, where no list tells the path of the item', async () => {
    const Tasks = createResource({
      urlPrefix: server.url,
      path: '/boards/:key/cards/:id',
      schema: Card,
      searchParams,
      name: 'Tasks',
      belongs: (one, { status }) => !status || one.status === status,
    });
    const { store, read } = setup();
    server.answer('GET /boards/a/cards', says([]));
    await store.dispatch(Tasks.getList({ key: 'a', status: 'done' }));
    server.answer('GET /boards/a/cards/1', says(card(1, 'todo')));
    await store.dispatch(Tasks.get({ key: 'a', id: 1 }));

    server.answer('PATCH /boards/a/cards/1', says(card(1, 'done')));
    await store.dispatch(Tasks.partialUpdate({ key: 'a', id: 1 }, { status: 'done' }));

    expect(read(Tasks.getList.selectRequest({ key: 'a', status: 'done' }))).toMatchObject({ data: [], isStale: true });
  });
});

describe('what moves nothing', () => {
  it('is a row that is new to the store, or a field that was not known', async () => {
    const { store, resources, ids } = await boards([
      [{ status: 'todo' }, []],
      [{}, [{ id: 2, title: 'c2' }]],
    ]);

    store.dispatch(resources.set(Card, card(1, 'todo')));
    store.dispatch(resources.set(Card, card(2, 'todo')));

    expect(ids(todo)).toEqual([]);
  });

  it('is an edit of a list without filters: only creates join it', async () => {
    const { store, resources, ids } = await boards([
      [{}, []],
      [todo, [card(1, 'todo')]],
    ]);

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    expect([ids({}), ids(todo)]).toEqual([[], []]);
  });

  it('is a search, or a filter that the rows never matched', async () => {
    const { store, resources, ids } = await boards([
      [{ q: 'c' }, [card(1, 'todo')]],
      [{ status: 'open' }, [card(1, 'todo')]],
      [{ status: 'done', q: 'c' }, []],
    ]);

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    expect([ids({ q: 'c' }), ids({ status: 'open' }), ids({ status: 'done', q: 'c' })]).toEqual([[1], [1], []]);
  });

  it('is an edit of the lists of a Collection that does not follow', async () => {
    const Stay = createResource({ ...definition, Collection: Still, name: 'Stay' });
    const { store, resources, ids } = await boards(
      [
        [todo, [card(1, 'todo')]],
        [done, []],
      ],
      Stay,
    );

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    expect([ids(todo), ids(done)]).toEqual([[1], []]);
  });

  it('is an answer with the whole list: it decides for that list', async () => {
    const { load, ids } = await kanban();

    await load(todo, [card(2, 'todo'), card(1, 'done')]);

    expect([ids(todo), ids(done)]).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });
});

describe('requests that overlap', () => {
  it('leave an item where it was moved away and back while its list was read', async () => {
    const { store, resources, ids, slice } = await kanban();
    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    const poll = store.dispatch(Quiet.getList(todo));
    await server.holding('GET /cards?status=todo');
    const back = store.dispatch(Quiet.partialUpdate({ id: 1 }, todo));
    await server.release('PATCH /cards/1', says(card(1, 'todo')));
    await back.unwrap();
    expect([ids(todo), ids(done)]).toEqual([[2, 1], [3]]);
    await server.release('GET /cards?status=todo', says([card(2, 'todo')]));
    await poll.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2, 1], [3]]);
    expectIdle(slice());
  });

  it('do not bring an item back into a list whose older answer still has it', async () => {
    const { store, ids, slice } = await kanban(Cards);
    const poll = store.dispatch(Cards.getList(todo));
    await server.holding('GET /cards?status=todo');

    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();
    await server.release('GET /cards?status=todo', says([card(1, 'todo'), card(2, 'todo')]));
    await poll.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1]]);
    expectIdle(slice());
  });

  it('show an item in a list whose first answer was on its way when it moved', async () => {
    const { store, ids } = await boards([[todo, [card(1, 'todo')]]]);
    const first = store.dispatch(Quiet.getList(done));
    await server.holding('GET /cards?status=done');

    const edit = store.dispatch(Quiet.partialUpdate({ id: 1 }, done));
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();
    await server.release('GET /cards?status=done', says([card(3, 'done')]));
    await first.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[], [3, 1]]);
  });

  it('show an optimistic move in a list that comes meanwhile', async () => {
    const { store, ids } = await boards([[todo, [card(1, 'todo')]]], Cards);
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');

    const first = store.dispatch(Cards.getList(done));
    await server.release('GET /cards?status=done', says([card(3, 'done')]));
    await first.unwrap();
    expect([ids(todo), ids(done)]).toEqual([[], [3, 1]]);
    await server.release('PATCH /cards/1', refusal);
    await expect(edit.unwrap()).rejects.toThrow();

    expect([ids(todo), ids(done)]).toEqual([[1], [3]]);
  });

  it('show an item where a socket has put it back over a pending edit, in a list whose first answer comes without it', async () => {
    const { store, resources, ids } = await boards([[{}, [card(1, 'todo'), card(2, 'todo')]]], Cards);
    const first = store.dispatch(Cards.getList(todo));
    await server.holding('GET /cards?status=todo');
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');

    store.dispatch(resources.set(Card, { id: 1, status: 'todo' }));
    await server.release('GET /cards?status=todo', says([card(2, 'todo')]));
    await first.unwrap();

    expect(ids(todo)).toEqual([2, 1]);
    await server.release('PATCH /cards/1', says(card(1, 'todo')));
    await edit.unwrap();
    expect(ids(todo)).toEqual([2, 1]);
  });

  it('show an item that another client has moved in a list whose first answer has it, while a move says nothing of where', async () => {
    const { store, ids, load } = await boards([[todo, [card(1, 'todo'), card(2, 'todo')]]], Cards);
    const move = store.dispatch(Cards.getList.move({ id: 1 }, { title: 'new' }));

    await load(done, [card(1, 'done')]);
    const during = [ids(todo), ids(done)];
    await server.release('PATCH /cards/1', says(card(1, 'done', { title: 'new' })));
    await move.unwrap();

    expect([during, [ids(todo), ids(done)]]).toEqual([
      [[2], [1]],
      [[2], [1]],
    ]);
  });

  it('keep an item where a write names it to be, whatever an older answer with the list says', async () => {
    const { store, ids } = await kanban();
    const poll = store.dispatch(Quiet.getList(todo));
    await server.holding('GET /cards?status=todo');
    const edit = store.dispatch(Quiet.partialUpdate({ id: 1 }, todo));
    await server.release('PATCH /cards/1', says(card(1, 'todo')));
    await edit.unwrap();

    await server.release('GET /cards?status=todo', says([card(2, 'todo')]));
    await poll.unwrap();

    expect(ids(todo)).toEqual([2, 1]);
  });

  it('keep an item that an edit shows in a list when the edit is confirmed and an earlier one is not', async () => {
    const { store, ids } = await boards([[{ board: 1 }, [card(1, 'todo', { board: 1 })]]], Cards);
    const away = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');
    const first = store.dispatch(Cards.getList(todo));
    await server.holding('GET /cards?status=todo');
    const back = store.dispatch(Cards.partialUpdate({ id: 1 }, todo));

    await server.release('GET /cards?status=todo', says([]));
    await first.unwrap();
    expect(ids(todo)).toEqual([1]);
    await server.release(/PATCH .*todo/, says(card(1, 'todo', { board: 1 })));
    await back.unwrap();
    await server.release(/PATCH .*done/, says(card(1, 'done', { board: 1 })));
    await away.unwrap();

    expect(ids(todo)).toEqual([1]);
  });

  it('keep it there, too, where the list has it on a page that was not read', async () => {
    const { store, resources, ids } = await kanban(Cards);
    store.dispatch(resources.set(Card, card(9, 'todo')));
    const away = store.dispatch(Cards.partialUpdate({ id: 9 }, done));
    await server.holding('PATCH /cards/9');
    const back = store.dispatch(Cards.partialUpdate({ id: 9 }, todo));
    expect(ids(todo)).toEqual([1, 2, 9]);

    await server.release(/PATCH .*todo/, says(card(9, 'todo')));
    await back.unwrap();
    expect(ids(todo)).toEqual([1, 2, 9]);
    await server.release(/PATCH .*done/, says(card(9, 'done')));
    await away.unwrap();

    expect(ids(todo)).toEqual([1, 2, 9]);
  });

  it('keep an item where an edit shows it, in the place that an answer gives it, while another is being created', async () => {
    const { store, ids } = await kanban(Cards);
    const create = store.dispatch(Cards.getList.push(done, { title: 'new', status: 'done' }));
    await server.holding('POST /cards');
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');

    const poll = store.dispatch(Cards.getList(done));
    await server.release('GET /cards?status=done', says([card(3, 'done'), card(1, 'done')]));
    await poll.unwrap();
    expect(ids(done)).toEqual([3, 1, expect.stringMatching(/^~/)]);
    await server.release('POST /cards', says(card(4, 'done')));
    await create.unwrap();
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3, 1, 4]]);
  });

  it('move an item that is being created into a list that was read after the create was sent', async () => {
    const { store, ids } = await kanban(Cards);
    const create = store.dispatch(Cards.getList.push(todo, { title: 'new', status: 'todo' }));
    await server.holding('POST /cards');
    const poll = store.dispatch(Cards.getList(done));
    await server.release('GET /cards?status=done', says([card(3, 'done')]));
    await poll.unwrap();
    const temporary = ids(todo)?.at(-1) ?? 0;

    const edit = store.dispatch(Cards.partialUpdate({ id: temporary }, done));
    expect([ids(todo), ids(done)]).toEqual([
      [1, 2],
      [3, temporary],
    ]);
    await server.release('POST /cards', says(card(4, 'todo')));
    await create.unwrap();
    await server.release('PATCH /cards/4', says(card(4, 'done')));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('add what is created to a list whose first answer is on its way, though it was asked for twice and once in vain', async () => {
    const { store, resources, ids } = await boards([[todo, []]]);
    const first = store.dispatch(Quiet.getList());
    await server.holding(/GET \/cards $/);
    store.dispatch(resources.expire(Quiet.getList));
    const second = store.dispatch(Quiet.getList());
    expect(second.requestId).not.toBe(first.requestId);
    second.abort();
    await second;
    const create = store.dispatch(Quiet.getList.push(todo, { title: 'new', status: 'todo' }));
    await server.release('POST /cards', says(card(4, 'todo')));
    await create.unwrap();

    await server.release(/GET \/cards $/, says([]));
    await first.unwrap();

    expect(ids()).toEqual([4]);
  });

  it('keep an item where a pending edit says that it is, though a list comes without it', async () => {
    const { store, ids } = await kanban(Cards);
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, { title: 'new', status: 'todo' }));
    await server.holding('PATCH /cards/1');
    const poll = store.dispatch(Cards.getList(todo));
    await server.release('GET /cards?status=todo', says([card(2, 'todo')]));
    await poll.unwrap();

    expect(ids(todo)).toEqual([2, 1]);
    await server.release('PATCH /cards/1', says({ ...card(1, 'todo'), title: 'new' }));
    await edit.unwrap();
    expect(ids(todo)).toEqual([2, 1]);
  });

  it('do not show an item in a list that came without it, where an edit meanwhile has named the value that it had', async () => {
    const { store, ids } = await boards([]);
    const detail = store.dispatch(Quiet.get({ id: 9 }));
    await server.release('GET /cards/9', says(card(9, 'todo')));
    await detail.unwrap();
    const poll = store.dispatch(Quiet.getList(todo));
    await server.holding('GET /cards?status=todo');
    const edit = store.dispatch(Quiet.partialUpdate({ id: 9 }, { title: 'new', status: 'todo' }));
    await server.release('PATCH /cards/9', says({ ...card(9, 'todo'), title: 'new' }));
    await edit.unwrap();

    // It may stand on a page that nobody has read.
    await server.release('GET /cards?status=todo', says([card(1, 'todo')]));
    await poll.unwrap();

    expect(ids(todo)).toEqual([1]);
  });

  it('do not show a row where the value that is held does not fit', async () => {
    const { store, ids } = await boards([[todo, []]]);
    const poll = store.dispatch(Quiet.getList(todo));
    await server.holding('GET /cards?status=todo');
    const detail = store.dispatch(Quiet.get({ id: 1 }));
    await server.release('GET /cards/1', says(card(1, 'done')));
    await detail.unwrap();

    await server.release('GET /cards?status=todo', says([card(1, 'todo'), card(2, 'todo')]));
    await poll.unwrap();

    expect(ids(todo)).toEqual([2]);
  });

  it('do not show a row that is in doubt where the answer says that it does not fit', async () => {
    const both = { status: 'todo', board: 1 };
    const { store, ids, read } = await boards([
      [both, []],
      [{ board: 2 }, [card(1, 'todo', { board: 2 })]],
    ]);
    const edit = store.dispatch(Quiet.partialUpdate({ id: 1 }, todo));
    await server.holding('PATCH /cards/1');
    const poll = store.dispatch(Quiet.getList());
    await server.release('PATCH /cards/1', says(card(1, 'todo', { board: 2 })));
    await edit.unwrap();

    // Somebody else has moved it, and done it, after the edit: of what is held, the edit names one field, the poll has brought the other.
    await server.release('GET /cards', says([card(1, 'done', { board: 1 })]));
    await poll.unwrap();

    expect(ids(both)).toEqual([]);
    expect(read(Quiet.getList.selectRequest(both)).isStale).toBe(true);
  });

  it('show an item again by a field that a later answer tells otherwise than that to an edit of another field', async () => {
    const both = { status: 'todo', board: 1 };
    const { store, ids } = await boards([
      [todo, [card(1, 'todo', { board: 1 })]],
      [both, [card(1, 'todo', { board: 1 })]],
    ]);
    const edit = store.dispatch(Quiet.partialUpdate({ id: 1 }, { board: 1 }));
    await server.holding('PATCH /cards/1');
    const poll = store.dispatch(Quiet.getList(todo));
    await server.release('PATCH /cards/1', says(card(1, 'done', { board: 1 })));
    await edit.unwrap();
    expect([ids(todo), ids(both)]).toEqual([[], []]);

    await server.release('GET /cards?status=todo', says([card(1, 'todo', { board: 1 })]));
    await poll.unwrap();

    expect([ids(todo), ids(both)]).toEqual([[1], [1]]);
  });

  it('take an optimistic move back where the row was edited elsewhere meanwhile', async () => {
    const { store, resources, ids } = await kanban(Cards);
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');

    store.dispatch(resources.set(Card, { id: 1, status: 'later' }));
    expect([ids(todo), ids(done)]).toEqual([[2], [3]]);
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await edit.unwrap();

    expect([ids(todo), ids(done)]).toEqual([[2], [3]]);
  });

  it('show two moves of one item in their order, whichever is answered first', async () => {
    const { store, ids, slice } = await kanban(Cards);
    const away = store.dispatch(Cards.partialUpdate({ id: 1 }, done));
    await server.holding('PATCH /cards/1');
    const back = store.dispatch(Cards.partialUpdate({ id: 1 }, todo));
    expect([ids(todo), ids(done)]).toEqual([[2, 1], [3]]);

    await server.release(/PATCH .*todo/, says(card(1, 'todo')));
    await back.unwrap();
    await server.release(/PATCH .*done/, says(card(1, 'done')));
    await away.unwrap();

    expect([ids(todo)?.toSorted(), ids(done)]).toEqual([[1, 2], [3]]);
    expectIdle(slice());
  });
});

describe('lists of other kinds', () => {
  class Bug extends Card {
    static override key = 'Bug';
  }
  const list = new Collection([new schema.Union({ card: Card, bug: Bug }, 'kind' as never)]);

  it('are followed where they are of a Union', async () => {
    const { store, resources, read } = setup();
    const feed = new RestEndpoint({ urlPrefix: server.url, path: '/feed', searchParams, schema: list });
    for (const [search, rows] of [
      [todo, [{ ...card(1, 'todo'), kind: 'bug' }]],
      [done, [{ ...card(1, 'done'), kind: 'card' }]],
    ] as const) {
      const loading = store.dispatch(feed(search));
      await server.release(`GET /feed?status=${search.status}`, says(rows));
      await loading.unwrap();
    }

    store.dispatch(resources.set(Bug, { id: 1, status: 'done' }));

    expect(read(feed.select(todo))).toEqual([]);
    expect(read(feed.select(done))?.map((one) => one.constructor)).toEqual([Card, Bug]);
  });

  it('are followed where they are of values by name', async () => {
    const { store, resources, read } = setup();
    const sets = new Collection(new schema.Values(Card), { name: 'Sets' });
    const board = new RestEndpoint({ urlPrefix: server.url, path: '/board', searchParams, schema: sets });
    for (const [search, rows] of [
      [todo, { one: card(1, 'todo') }],
      [done, { three: card(3, 'done') }],
    ] as const) {
      const loading = store.dispatch(board(search));
      await server.release(`GET /board?status=${search.status}`, says(rows));
      await loading.unwrap();
    }

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    expect(Object.keys(read(board.select(todo)) ?? {})).toEqual([]);
    expect(Object.keys(read(board.select(done)) ?? {}).sort()).toEqual(['1', 'three']);
  });

  it('are left alone inside an entity', async () => {
    class Owner extends Entity {
      id = 0;
      cards: Card[] = [];
      static override key = 'Owner';
      static override schema = { cards: new Collection([Card]) };
    }
    const { store, resources, read } = setup();
    const owner = new RestEndpoint({ urlPrefix: server.url, path: '/owners/:id', schema: Owner });
    const loading = store.dispatch(owner({ id: 1 }));
    await server.release('GET /owners/1', says({ id: 1, cards: [card(1, 'todo')] }));
    await loading.unwrap();

    store.dispatch(resources.set(Card, { id: 1, status: 'done' }));

    expect(read(owner.select({ id: 1 }))?.cards.map(({ id }) => id)).toEqual([1]);
  });
});

describe('a list that is filtered by several values of a field', () => {
  const byStatus: { readonly status?: readonly string[] } = {};
  const Several = createResource({ ...definition, optimistic: true, name: 'Several', searchParams: byStatus });
  const open = { status: ['todo', 'doing'] };
  const { getList } = Several;

  async function several() {
    const tools = setup();
    const loading = tools.store.dispatch(getList(open));
    await server.release('GET /cards?status=todo&status=doing', says([card(1, 'todo'), card(2, 'doing')]));
    await loading.unwrap();
    return { ...tools, ids: () => tools.read(getList.select(open))?.map(({ id }) => id) };
  }

  it('is left by what has none of them any more, and joined again', async () => {
    const { store, ids } = await several();

    const close = store.dispatch(Several.partialUpdate({ id: 1 }, { status: 'done' }));
    const closing = ids();
    await server.release('PATCH /cards/1', says(card(1, 'done')));
    await close;
    const move = store.dispatch(Several.partialUpdate({ id: 2 }, { status: 'todo' }));
    const moving = ids();
    await server.release('PATCH /cards/2', says(card(2, 'todo')));
    await move;
    const reopen = store.dispatch(Several.partialUpdate({ id: 1 }, { status: 'doing' }));
    await server.release('PATCH /cards/1', says(card(1, 'doing')));
    await reopen;

    expect([closing, moving, ids()]).toEqual([[2], [2], [2, 1]]);
  });

  it('is joined by what is created with one of them, and by nothing else', async () => {
    const { store, ids } = await several();

    for (const [id, status] of [
      [3, 'doing'],
      [4, 'done'],
    ] as const) {
      const promise = store.dispatch(getList.push({}, { status }));
      await server.release('POST /cards', says(card(id, status)));
      await promise;
    }

    expect(ids()).toEqual([1, 2, 3]);
  });

  it('keeps what is moved from one of them to another', async () => {
    const { store, ids } = await several();

    const move = store.dispatch(getList.move({ id: 1 }, { status: 'doing' }));
    const moving = ids();
    await server.release('PATCH /cards/1', says(card(1, 'doing')));
    await move;

    expect([moving, ids()]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});
