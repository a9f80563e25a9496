import type { Kind } from './findings.js';
import { worlds, type World } from './worlds.js';
import type { Beside, Client, Fetch, OpenClient, Shown, ShownRow } from './Client.js';

/** A deliberate fault around a client, and what the referee is to call it. */
interface Wrapper {
  readonly name: string;
  readonly wrap: (open: OpenClient) => OpenClient;
  /** Where it shows, if not in the plain world, and what it is called there. */
  readonly world?: World;
  readonly kind?: Kind;
}

/** Shows something else than the client does. */
function showing(change: (shown: Shown, client: Client) => Shown): Wrapper['wrap'] {
  return (open) => (fetch, world) => {
    const client = open(fetch, world);
    return with_(client, { show: (ids) => change(client.show(ids), client) });
  };
}

/** Talks to the server in another way. */
function fetching(change: (fetch: Fetch) => Fetch): Wrapper['wrap'] {
  return (open) => (fetch, world) => open(change(fetch), world);
}

function with_(client: Client, other: Partial<Client>): Client {
  return {
    takesTemporaryIds: client.takesTemporaryIds,
    ask: (asked, number) => client.ask(asked, number),
    show: (ids) => client.show(ids),
    marks: (ids) => client.marks(ids),
    thrown: () => client.thrown(),
    subscribe: (look) => {
      client.subscribe(look);
    },
    close: () => {
      client.close();
    },
    ...other,
  };
}

function inLists(change: (rows: readonly ShownRow[], list: string) => readonly ShownRow[]): Wrapper['wrap'] {
  return showing((shown) => {
    const lists = Object.entries(shown.lists).map(([list, rows]) => [list, rows && change(rows, list)]);
    return { ...shown, lists: Object.fromEntries(lists) as Shown['lists'] };
  });
}

/** Each client keeps in its lists what was ever in them. */
const keepingGone: Wrapper['wrap'] = (open) => (fetch, world) => {
  const kept = new Map<string, Map<string, ShownRow>>();
  return inLists((rows, list) => {
    const known = kept.get(list) ?? new Map<string, ShownRow>();
    kept.set(list, known);
    for (const row of rows) known.set(row.origin, row);
    return [...known.values()];
  })(open)(fetch, world);
};

function inRows(change: (row: ShownRow) => ShownRow): Wrapper['wrap'] {
  return showing(({ lists, rows }) => ({
    lists: Object.fromEntries(Object.entries(lists).map(([list, all]) => [list, all?.map(change)])),
    rows: Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, row && change(row)])),
  }));
}

function inPages(...all: readonly Wrapper[]): readonly Wrapper[] {
  const world = worlds.find(({ name }) => name === 'pages');
  return all.map((wrapper) => ({ ...wrapper, ...(world && { world }) }));
}

/** Another word about the pages beside each list. */
function turned({ beside = {} }: Shown, said: Partial<Beside>): NonNullable<Shown['beside']> {
  return Object.fromEntries(Object.entries(beside).map(([list, one]) => [list, one && { ...one, ...said }]));
}

const isRead = (init?: RequestInit): boolean => (init?.method ?? 'GET') === 'GET';

/** Deliberate faults in a wrapper around a client: a referee that notices one of them less is none. */
export const wrappers: readonly Wrapper[] = [
  {
    name: 'what is shown lags one look behind',
    wrap: (open) => (fetch, world) => {
      const client = open(fetch, world);
      let last: Shown | undefined;
      return with_(client, {
        show: (ids) => {
          const now = client.show(ids);
          const shown = last ?? now;
          last = now;
          return shown;
        },
      });
    },
  },
  {
    name: 'every seventh look shows what was there six looks before',
    wrap: (open) => (fetch, world) => {
      const client = open(fetch, world);
      const past: Shown[] = [];
      return with_(client, {
        show: (ids) => {
          past.push(client.show(ids));
          const shown = past.length % 7 === 0 ? past.at(-6) : past.at(-1);
          return shown ?? client.show(ids);
        },
      });
    },
  },
  {
    name: 'reads are answered from an HTTP cache that nobody empties',
    wrap: fetching((fetch) => {
      const kept = new Map<string, Promise<Response>>();
      return async (url, init) => {
        if (!isRead(init)) return fetch(url, init);
        const found = kept.get(url) ?? fetch(url, init);
        kept.set(url, found);
        return (await found).clone();
      };
    }),
  },
  {
    name: 'a read gets the answer that the read before it got',
    wrap: fetching((fetch) => {
      const last = new Map<string, Response>();
      return async (url, init) => {
        const response = await fetch(url, init);
        if (!isRead(init) || !response.ok) return response;
        const earlier = last.get(url) ?? response;
        last.set(url, response);
        return earlier.clone();
      };
    }),
  },
  {
    name: 'a write that got lost is sent again',
    wrap: fetching((fetch) => (url, init) => {
      const sent = fetch(url, init);
      return isRead(init) ? sent : sent.catch(() => fetch(url, init));
    }),
  },
  {
    name: 'a refused write counts as done',
    wrap: fetching((fetch) => async (url, init) => {
      const response = await fetch(url, init);
      return init?.method === 'PATCH' && response.status === 422 ? new Response(null, { status: 204 }) : response;
    }),
  },
  {
    name: 'nothing is optimistic',
    wrap: (open) => (fetch, world) => {
      const client = open(fetch, world);
      return with_(client, {
        ask: (asked, number) => client.ask('isQuiet' in asked ? { ...asked, isQuiet: true } : asked, number),
      });
    },
  },
  {
    name: 'everything is optimistic',
    wrap: (open) => (fetch, world) => {
      const client = open(fetch, world);
      return with_(client, {
        ask: (asked, number) => client.ask('isQuiet' in asked ? { ...asked, isQuiet: false } : asked, number),
      });
    },
  },
  { name: 'the last row of a list stands there twice', wrap: inLists((rows) => [...rows, ...rows.slice(-1)]) },
  { name: 'the last row of a list is left out', wrap: inLists((rows) => rows.slice(0, -1)) },
  { name: 'lists are turned round', wrap: inLists((rows) => [...rows].reverse()) },
  {
    name: 'rows that have gone stay in their lists',
    wrap: keepingGone,
  },
  {
    name: 'the lists of folders show all rows',
    wrap: showing((shown) => {
      const { all, a, b } = shown.lists;
      return { ...shown, lists: { all, a: a && all ? all : a, b: b && all ? all : b } };
    }),
  },
  {
    name: 'colors never change',
    wrap: (open) => (fetch, world) => {
      const colors = new Map<string, string>();
      return inRows((row) => {
        const color = colors.get(row.origin) ?? row.color;
        if (color !== '') colors.set(row.origin, color);
        return { ...row, color };
      })(open)(fetch, world);
    },
  },
  { name: 'votes are counted twice', wrap: inRows((row) => ({ ...row, votes: row.votes + row.votes })) },
  {
    name: 'the last vote is not counted',
    wrap: inRows((row) => ({ ...row, votes: row.votes.replace(/\+[^+]*$/, '') })),
  },
  { name: 'texts are shown in capitals', wrap: inRows((row) => ({ ...row, text: row.text.toUpperCase() })) },
  {
    name: 'a row by itself shows the color that it had at first',
    wrap: (open) => (fetch, world) => {
      const first = new Map<string, ShownRow>();
      return showing((shown) => {
        for (const [id, row] of Object.entries(shown.rows)) if (row && !first.has(id)) first.set(id, row);
        const rows = Object.entries(shown.rows).map(([id, row]) => [
          id,
          row && { ...row, color: first.get(id)?.color ?? '' },
        ]);
        return { ...shown, rows: Object.fromEntries(rows) as Shown['rows'] };
      })(open)(fetch, world);
    },
  },
  {
    name: 'what has been made keeps its temporary id',
    wrap: inRows((row) => (row.origin.startsWith('c') ? { ...row, id: `new ${row.id}` } : row)),
  },
  {
    name: 'what was pending once counts as pending for ever',
    wrap: (open) => (fetch, world) => {
      const client = open(fetch, world);
      const marks = new Set<string>();
      return with_(client, {
        marks: (ids) => {
          for (const mark of client.marks(ids)) marks.add(mark);
          return [...marks];
        },
        show: (ids) => {
          for (const mark of client.marks(ids)) marks.add(mark);
          return client.show(ids);
        },
      });
    },
  },
  ...inPages(
    {
      name: 'of a list with pages the rows of the last page are shown first',
      kind: 'order',
      wrap: inLists((rows) => [...rows.slice(-1), ...rows.slice(0, -1)]),
    },
    {
      name: 'of a list with pages the first row goes when there are three',
      kind: 'row vanishes',
      wrap: inLists((rows) => (rows.length > 2 ? rows.slice(1) : rows)),
    },
    {
      name: 'there is always a page before',
      kind: 'next page',
      wrap: showing((shown) => ({ ...shown, beside: turned(shown, { hasPreviousPage: true }) })),
    },
    {
      name: 'there is never a page behind',
      kind: 'next page',
      wrap: showing((shown) => ({ ...shown, beside: turned(shown, { hasNextPage: false }) })),
    },
    {
      name: 'no page is ever dropped',
      kind: 'too many pages',
      wrap: (open) => (fetch, world) =>
        open(fetch, { ...world, lists: world.lists.map(({ maxPages: _maxPages, ...list }) => list) }),
    },
    {
      name: 'rows that have gone stay in lists with pages',
      kind: 'not as answered',
      wrap: keepingGone,
    },
  ),
];
