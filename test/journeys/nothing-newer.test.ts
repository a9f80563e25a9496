import { Collection, createResource, Entity } from 'rtk-resource';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile, type Received } from '../support/server.js';
import { setup } from '../support/store.js';

class Entry extends Entity {
  id = 0;
  static override key = 'Entry';
}

const server = await serverOfFile();
const searchParams: { after?: string; before?: string } | undefined = {};
const LogResource = createResource({
  urlPrefix: server.url,
  path: '/log/:id',
  schema: Entry,
  searchParams,
}).extend({ getList: { schema: { entries: new Collection([Entry]), older: '', newer: '' } } });
/** A log, the newest first: more than two pages of it are never shown. */
const getLog = LogResource.getList.paginated({
  next: ({ older }, { before: _, ...rest }) => (older ? { ...rest, after: older } : undefined),
  previous: ({ newer }, { after: _, ...rest }) => (newer ? { ...rest, before: newer } : undefined),
  maxPages: 2,
});

/** The ids of all entries, the newest first. */
let all: readonly number[] = [];
/** What follows the id in a cursor for newer entries. */
let time = '';
/** Whether the entry that such a cursor names is among the newer ones. */
let isInclusive = false;
beforeEach(() => {
  [all, time, isInclusive] = [[16, 15, 14, 13, 12, 11], '', false];
});

/** Two entries of the log. There is always a cursor for newer ones. */
function twoOf({ query }: Pick<Received, 'query'>) {
  const params = new URLSearchParams(query);
  const [after, before] = [params.get('after'), parseInt(params.get('before') ?? '')];
  const isNewer = (id: number) => id > before || (isInclusive && id === before);
  const ids = before ? all.filter(isNewer).slice(-2) : all.filter((id) => !after || id < Number(after)).slice(0, 2);
  const entries = ids.map((id) => ({ id }));
  return { json: { entries, older: String(ids.at(-1) ?? ''), newer: `${String(ids[0] ?? before)}${time}` } };
}

/** The two newest pages are shown. */
async function openLog() {
  const { store, resources, read } = setup();
  server.answer(/GET \/log/, twoOf);
  await store.dispatch(getLog());
  await store.dispatch(getLog.getNextPage());
  return {
    shown: () => ({
      ids: read(getLog.select())?.entries.map(({ id }) => id),
      isStale: read(getLog.selectRequest()).isStale,
    }),
    loadNewer: () => store.dispatch(getLog.getPreviousPage()),
    refetch: () => {
      store.dispatch(resources.expire(getLog));
      return store.dispatch(getLog.ifStale());
    },
  };
}

describe('a list of which there is nothing newer, though its server always has a cursor for that', () => {
  it.each([
    ['the same', () => ''],
    ['another each time', (i: number) => `@${String(i)}`],
  ])('keeps its pages, and stays fresh, however often that is asked for: the cursor is %s', async (_, timeOf) => {
    const { shown, loadNewer } = await openLog();
    const before = server.received.length;
    for (let i = 0; i < 4; i++) {
      time = timeOf(i);
      await loadNewer();
    }

    expect(shown()).toEqual({ ids: [16, 15, 14, 13], isStale: false });
    expect(server.received).toHaveLength(before + 4);

    all = [18, 17, ...all];
    await loadNewer();

    expect(shown()).toEqual({ ids: [18, 17, 16, 15], isStale: false });
  });

  it('stays fresh after all its pages were read again', async () => {
    const { shown, loadNewer, refetch } = await openLog();
    all = [17, ...all];
    await loadNewer();
    await refetch();
    await loadNewer();
    await loadNewer();

    expect(shown()).toEqual({ ids: [17, 16], isStale: false });
  });

  it('stays fresh where the cursor stands for the newest entry, which comes once more', async () => {
    const { shown, loadNewer } = await openLog();
    isInclusive = true;
    await loadNewer();
    await loadNewer();

    expect(shown().isStale).toBe(false);
  });
});
