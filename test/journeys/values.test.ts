import { Collection, createResource, Entity, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Score extends Entity {
  name = '';
  game = '';
  points = 0;
  static override key = 'Score';
  override pk() {
    return this.name;
  }
}

const server = await serverOfFile();

const search: { game?: string } = {};
const options = { urlPrefix: server.url, path: '/scores/:name', schema: Score, searchParams: search } as const;
const scores = new Collection(new schema.Values(Score));
const Scores = createResource(options).extend({ getList: { schema: scores } });
const EagerScores = createResource({ ...options, name: 'EagerScore', optimistic: true }).extend({
  getList: { schema: scores },
});
const ada = { name: 'ada', game: 'go', points: 5 };
const bob = { name: 'bob', game: 'go', points: 3 };
const cyd = { name: 'cyd', game: 'chess', points: 7 };

/** A store that has read the scores of all games, and of each; those of all are under names of the server's own. */
async function setupScores(Resource: typeof Scores = Scores) {
  const tools = setup();
  server.answer('GET /scores', { json: { first: cyd, second: ada, third: bob } });
  server.answer('GET /scores?game=go', { json: { ada, bob } });
  server.answer('GET /scores?game=chess', { json: { cyd } });
  const { store, read } = tools;
  const { getList } = Resource;
  for (const params of [{}, { game: 'go' }, { game: 'chess' }]) await store.dispatch(getList(params)).unwrap();
  const names = (game?: string) => Object.keys(read(getList.select({ ...(game && { game }) })) ?? {});

  return { ...tools, sets: () => [names(), names('go'), names('chess')] };
}

describe('a value that is moved', () => {
  it('leaves the sets it no longer belongs to, and joins those it now does, under its pk', async () => {
    const { store, sets, read } = await setupScores();
    server.answer('PATCH /scores/ada', { json: { ...ada, game: 'chess' } });

    const value = await store.dispatch(Scores.getList.move({ name: 'ada' }, { game: 'chess' })).unwrap();

    expect(sets()).toEqual([['first', 'second', 'third'], ['bob'], ['cyd', 'ada']]);
    expect(value).toBe(read(Scores.getList.select({ game: 'chess' }))?.['ada']);
    expect(value).toEqual(Score.fromJS({ ...ada, game: 'chess' }));
  });

  it('moves at once where that is hoped for, and back where it fails', async () => {
    const { store, sets } = await setupScores(EagerScores);
    const before = sets();

    const promise = store.dispatch(EagerScores.getList.move({ name: 'ada' }, { game: 'chess' }));
    const pending = sets();
    await server.release(/^PATCH/, { status: 500 });
    await promise;

    expect(pending).toEqual([['first', 'second', 'third'], ['bob'], ['cyd', 'ada']]);
    expect(sets()).toEqual(before);
  });

  it('stays under its name where it still belongs', async () => {
    const { store, sets } = await setupScores();
    const before = sets();
    server.answer('PATCH /scores/ada', { json: { ...ada, points: 9 } });

    await store.dispatch(Scores.getList.move({ name: 'ada' }, { points: 9 })).unwrap();

    expect(sets()).toEqual(before);
  });

  it('joins as a merge of its own says, which has the references by name', async () => {
    const { store, sets } = await setupScores();
    const move = Scores.getList.move.extend({
      schema: scores.moveWith((existing, incoming) => ({ ...incoming, ...existing })),
      name: 'moveFirst',
    });
    server.answer('PATCH /scores/ada', { json: { ...ada, game: 'chess' } });

    await store.dispatch(move({ name: 'ada' }, { game: 'chess' })).unwrap();

    expect(sets()).toEqual([['first', 'second', 'third'], ['bob'], ['ada', 'cyd']]);
  });

  it('of a Union goes under its pk as well', async () => {
    class Draw extends Score {
      static override key = 'Draw';
    }
    const results = new Collection(new schema.Values({ score: Score, draw: Draw }, 'type'));
    const Results = createResource({ ...options, name: 'Result', path: '/results/:name' }).extend({
      getList: { schema: results },
    });
    const { store, resources, read } = setup();
    const draw = { type: 'draw', name: 'x', game: 'go' };
    store.dispatch(resources.setResponse(Results.getList, { game: 'go' }, { one: draw }));
    store.dispatch(resources.setResponse(Results.getList, { game: 'chess' }, {}));
    server.answer('PATCH /results/x', { json: { ...draw, game: 'chess' } });

    const value: unknown = await store.dispatch(Results.getList.move({ name: 'x' }, { game: 'chess' })).unwrap();

    expect(value).toBeInstanceOf(Draw);
    expect(read(Results.getList.select({ game: 'go' }))).toEqual({});
    expect(read(Results.getList.select({ game: 'chess' }))?.['x']).toBe(value);
  });
});

describe('an item that is pushed', () => {
  const dan = { name: 'dan', game: 'go', points: 1 };

  it.each(['push', 'unshift'] as const)('joins the sets it belongs to, under its pk: %s', async (verb) => {
    const { store, sets } = await setupScores();
    server.answer('POST /scores', { json: dan });

    const value = await store.dispatch(Scores.getList[verb](dan)).unwrap();

    expect(value).toEqual(Score.fromJS(dan));
    expect(sets()).toEqual([['first', 'second', 'third', 'dan'], ['ada', 'bob', 'dan'], ['cyd']]);
  });

  it('stays under the name that another answer has given it before its own', async () => {
    const { store, sets } = await setupScores();
    const creating = store.dispatch(Scores.getList.push(dan));
    await server.holding('POST /scores');
    server.answer('GET /scores', { json: { first: cyd, second: ada, third: bob, fourth: dan } });
    await store.dispatch(Scores.getList());

    await server.release('POST /scores', { json: dan });
    await creating;

    expect(sets()).toEqual([['first', 'second', 'third', 'fourth'], ['ada', 'bob', 'dan'], ['cyd']]);
  });

  it('joins them at once where that is hoped for, and leaves them where it fails', async () => {
    const { store, sets } = await setupScores(EagerScores);
    const before = sets();

    const promise = store.dispatch(EagerScores.getList.push(dan));
    const pending = sets();
    await server.release('POST /scores', { status: 500 });
    await promise;

    expect(pending[1]).toEqual(['ada', 'bob', 'dan']);
    expect(sets()).toEqual(before);
  });
});

describe('an assign that is hoped for', () => {
  it('leaves the value that it replaces until the answer, where it does not say which row it is', async () => {
    const { store, read, sets } = await setupScores(EagerScores);
    const before = sets();

    const promise = store.dispatch(EagerScores.getList.assign({ second: { game: 'go', points: 9 } } as never));
    expect(sets()).toEqual(before);
    await server.release('POST /scores', { json: { second: { ...ada, points: 9 } } });
    await promise;

    expect(read(EagerScores.getList.select())?.['second']).toMatchObject({ name: 'ada', points: 9 });
  });
});
