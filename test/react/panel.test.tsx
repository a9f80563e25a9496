import { act } from '@testing-library/react';
import { Collection, RestEndpoint } from 'rtk-resource';
import { recordResources, ResourceDevtools } from 'rtk-resource/devtools/production';
import { outbox } from 'rtk-resource/offline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EnvelopedResource, IssueResource, seed, serve, Todo, TodoResource } from '../support/mocked.js';
import { all, button, choose, click, later, shadows, show, text, type } from '../support/panel.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2025, 0, 1) });
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const issue = { id: 1, title: 'Crash', author: { id: 2, name: 'Grace' }, labels: [] };
const getStats = new RestEndpoint({ path: '/stats', name: 'stats' });

/** A panel of a store that has three todos. */
async function panelOfTodos() {
  const tools = serve([], { seed });
  recordResources(tools.store);
  void tools.store.dispatch(TodoResource.getList());
  await later();
  await show(tools.store, <ResourceDevtools initialIsOpen server={tools.server} />);

  return tools;
}

describe('"Why?"', () => {
  // React prints an error for a list inside of a paragraph, and each that is printed fails a test.
  it('of a row, a request and a list prints no error', async () => {
    await panelOfTodos();

    await click(button('Data'));
    await choose('Todo');
    await click(all('[role=row]')[0]);
    await click(button('Why: Todo 1'));
    expect(text()).toContain('Read');

    await click(button('Requests'));
    await click(all('[role=row]')[0]);
    await click(button('Why: Todo/getList GET /todos'));
    await click(button('Why: the list'));
    expect(text()).toContain('It was answered at');
  });
});

describe('tables', () => {
  it('are those of the rows and lists that there are, also after an answer has given a row another pk', async () => {
    const { store } = await panelOfTodos();
    void store.dispatch(TodoResource.partialUpdate({ id: 3 }, { id: 4 } as object));
    await later();

    await click(button('Data'));

    const tables = all('option').map(({ textContent }) => textContent);
    expect(tables).toEqual(['Todo (3)', '[Todo] (1)']);
  });
});

describe('rows', () => {
  it.each(['ArrowDown', 'ArrowUp', 'Home'])('have none chosen at first, and %s goes to the first', async (key) => {
    await panelOfTodos();
    await click(button('Data'));
    await choose('Todo');

    await type(key, all('[role=grid]')[0]);

    expect(all('[aria-selected=true].row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1']);
  });

  it('are gone through by arrows', async () => {
    await panelOfTodos();
    await click(button('Data'));
    await choose('Todo');

    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
      await type(key, all('[role=grid]')[0]);

    expect(all('[aria-selected=true].row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(['2']);
  });
});

describe('the focus', () => {
  it.each(['is given to', 'chooses'])(
    'stays on a bar of the timeline that it %s, which stops following',
    async (how) => {
      await panelOfTodos();
      for (let i = 0; i < 4; i++) await click(button('Zoom in'));
      await later(200);
      const [bar] = all('[data-bar]');

      if (how === 'chooses') await click(bar);
      act(() => {
        bar?.focus();
      });
      await later(3_000);

      expect(bar?.isConnected).toBe(true);
      expect(button('Follow')?.getAttribute('aria-pressed')).toBe('false');
    },
  );

  it('goes to the next held request when one is answered, and from the last to the list', async () => {
    const { store, server } = await panelOfTodos();
    server.hold('GET');
    for (const id of [1, 2]) void store.dispatch(TodoResource.get({ id }));
    await click(button('Pending'));
    await later(200);
    const focused = () => shadows()[0]?.activeElement?.getAttribute('aria-label');
    button('Answer GET /todos/1')?.focus();

    await click(button('Answer GET /todos/1'));
    await later(200);
    expect(focused()).toBe('Answer GET /todos/2');

    await click(button('Answer GET /todos/2'));
    await later(200);
    expect(focused()).toBe('What is pending');
  });
});

it.each([
  ['parameters and a body', [{}, { text: 'r' }]],
  ['a body', [{ text: 'r' }]],
])('a request shows the list of a search by POST, asked for with %s', async (_, args) => {
  const { search } = TodoResource.extend('search', {
    path: '/todos/search',
    method: 'POST',
    sideEffect: false,
    ...(args.length === 2 && { searchParams: {} }),
    body: {} as { text: string },
    schema: new Collection([Todo], { name: 'search' }),
  });
  const { store, server } = serve([search], { seed });
  server.use(search, ({ rows }) => rows(Todo).slice(0, 2));
  recordResources(store);
  void store.dispatch(search(...(args as [never])) as never);
  await later();
  await show(store, <ResourceDevtools initialIsOpen />);

  await click(button('Requests'));
  await click(all('[role=row]')[0]);

  expect(all('.details h3 + p').map((list) => list.textContent)).toEqual(['`["1","2"]`']);
});

describe('a burst on the timeline', () => {
  async function burst() {
    const { store, resources } = await panelOfTodos();
    for (let i = 0; i < 300; i++) store.dispatch(resources.set(Todo, { id: 1, title: `Title ${i}` }));
    await later(200);
  }

  it('is rendered as far as it is seen', async () => {
    await burst();
    expect(all('[data-bar]').length).toBeLessThan(50);

    const [box] = all('.lanes');
    if (box) box.scrollTop = 200 * 24;
    const before = all('[data-bar]').map(({ dataset }) => dataset['bar']);
    act(() => {
      box?.dispatchEvent(new Event('scroll'));
    });

    const others = all('[data-bar]').filter(({ dataset }) => !before.includes(dataset['bar']));
    expect(others.length).toBeGreaterThan(20);
    expect(all('[data-bar]').length).toBeLessThan(50);
  });

  it('is gone through by keys', async () => {
    await burst();
    const focused = () => shadows()[0]?.activeElement?.getAttribute('data-bar');
    act(() => all('[data-bar]').at(-1)?.focus());

    await type('Home');
    const first = focused();
    for (let i = 0; i < 100; i++) await type('ArrowRight');

    expect(first).toBeDefined();
    expect(focused()).toBe('event-102');
    expect(all('.details h2').length).toBe(1);
  });
});

it.each([undefined, (value: unknown) => value])(
  'what is refused before it is sent is no bar that was under way before the recording',
  async (redact) => {
    const { store } = serve([], { seed });
    recordResources(store, { ...(redact && { redact }) });
    void store.dispatch(TodoResource.get({} as never));
    await show(store, <ResourceDevtools initialIsOpen />);

    const [bar] = all('[data-bar]');

    expect(bar?.getAttribute('aria-label')).toBe('Todo/get, 00:00:00.000, 0 ms, failed');
    expect(bar?.hasAttribute('data-before')).toBe(false);
  },
);

describe('a number of items whose list has an argument that is redacted', () => {
  it('is told nowhere with that argument', async () => {
    const { store, server } = serve([EnvelopedResource], { seed });
    const redact = (value: unknown, path: string): unknown => (path.endsWith('/title') ? '***' : value);
    recordResources(store, { redact });
    const secret = { title: 'Write' };
    void store.dispatch(EnvelopedResource.getList(secret));
    await later();
    server.hold('POST');
    void store.dispatch(EnvelopedResource.getList.push.extend({ optimistic: true })(secret, secret));
    await later();
    await show(store, <ResourceDevtools initialIsOpen redact={redact} />);

    await click(button('Pending'));
    const pending = shadows()[0]?.innerHTML;
    await click(button('Data'));
    await choose('[Todo] total');
    await click(all('[role=row]')[0]);

    expect(pending).toContain('[Todo] total');
    expect([pending, shadows()[0]?.innerHTML].join()).not.toContain('Write');
  });
});

it('an outbox that has nothing to send says nothing of other tabs', async () => {
  // There is no database here.
  expectWarning(/cannot store its writes/);
  const queue = outbox({ name: 'panel', resources: [TodoResource] });
  const { store } = setup({ outbox: queue });
  await act(() => queue.ready);
  await show(store, <ResourceDevtools initialIsOpen />);

  await click(button('Pending'));

  expect(all('[aria-label=Outbox] h2').map(({ textContent }) => textContent)).toEqual([
    'The outbox keeps 0: idle, storage: memory',
  ]);
  await queue.close();
});

describe('"Copy JSON" of a request', () => {
  /** What is copied of a request. */
  async function copied(make: () => unknown, redact?: (value: unknown, path: string) => unknown): Promise<unknown> {
    const texts: string[] = [];
    vi.stubGlobal('navigator', { clipboard: { writeText: (one: string) => Promise.resolve(texts.push(one)) } });
    const { store, server } = serve([EnvelopedResource, getStats], { seed: { ...seed, Issue: [issue] } });
    server.use(getStats, () => ({ users: [{ email: 'ada@example.com' }] }));
    if (redact) recordResources(store, { redact });
    void store.dispatch(make() as never);
    await later();
    await show(store, <ResourceDevtools initialIsOpen />);
    await click(button('Requests'));
    await click(all('[role=row]')[0]);
    await click(button('Copy JSON'));
    vi.unstubAllGlobals();

    return JSON.parse(texts.join());
  }

  it('has the rows with their relations, as a server gives them', async () => {
    const issues = await copied(() => IssueResource.getList());
    expect(issues).toMatchObject([issue]);
  });

  it('has what is around the rows', async () => {
    const page = await copied(() => EnvelopedResource.getList());
    expect(page).toMatchObject({ results: seed.Todo, total: 3 });
  });

  it('has what came without a schema', async () => {
    expect(await copied(() => getStats())).toEqual({ users: [{ email: 'ada@example.com' }] });
  });

  it.each([
    ['of rows', IssueResource.getList, ['Issue/1/title', 'User/2/name']],
    ['around rows', EnvelopedResource.getList, ['Todo/getList/answer/total']],
    ['without a schema', getStats, ['stats/answer/users/0/email']],
  ] as const)('has what is told %s as `redact` gives it', async (_, request, secrets) => {
    const redact = (value: unknown, path: string): unknown =>
      (secrets as readonly string[]).includes(path) ? '***' : value;

    const text = JSON.stringify(await copied(() => request(), redact));

    expect(text.match(/\*{3}/g)).toHaveLength(secrets.length);
    expect(text).not.toMatch(/Crash|Grace|"total":3|ada@/);
  });
});
