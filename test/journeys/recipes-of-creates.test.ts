import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url } as const;

class Show extends Entity {
  id = 0;
  name = '';
  seatsLeft = 0;
  static override key = 'Show';
}
class Extra extends Entity {
  id = 0;
  sold = 0;
  static override key = 'Extra';
}
class Booking extends Entity {
  id = 0;
  name = '';
  show: Show | undefined = undefined;
  extras: Extra[] = [];
  static override key = 'Booking';
  static override schema = { show: Show, extras: [Extra] };
}

interface Body {
  readonly name: string;
  readonly show?: number;
  readonly extras?: readonly number[];
}
const body = {} as Body;
const ShowResource = createResource({ ...at, path: '/shows/:id', schema: Show });
const ExtraResource = createResource({ ...at, path: '/extras/:id', schema: Extra });
const BookingResource = createResource({ ...at, path: '/bookings/:id', schema: Booking });

function take(booking: { show?: { seatsLeft: number } | undefined; extras: { sold: number }[] }): void {
  if (booking.show) booking.show.seatsLeft -= 1;
  for (const extra of booking.extras) extra.sold += 1;
}

const push = BookingResource.getList.push.extend({ body, optimistic: take });

async function setupBookings() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /shows', { json: [{ id: 1, name: 'one', seatsLeft: 4 }] });
  server.answer('GET /extras', { json: [{ id: 1, sold: 0 }] });
  server.answer('GET /bookings', { json: [] });
  await store.dispatch(ShowResource.getList());
  await store.dispatch(ExtraResource.getList());
  await store.dispatch(BookingResource.getList());

  return {
    ...tools,
    bookings: () => read(BookingResource.getList.select()) ?? [],
    seats: () => read(resources.selectEntity(Show, 1))?.seatsLeft,
    sold: () => read(resources.selectEntity(Extra, 1))?.sold,
    isStale: () => read(ShowResource.getList.selectRequest()).isStale,
  };
}

describe('the recipe of a create', () => {
  it('changes the rows that the new item refers to, and takes that back when the create fails', async () => {
    const { store, bookings, seats, sold } = await setupBookings();

    const creating = store.dispatch(push({}, { name: 'Ada', show: 1, extras: [1, 9] }));
    const shown = [seats(), sold(), bookings().map(({ name, show, extras }) => [name, show?.name, extras.length])];
    await server.release('POST /bookings', { status: 409, json: {} });
    await creating;

    expect(shown).toEqual([3, 1, [['Ada', 'one', 1]]]);
    expect([seats(), sold(), bookings()]).toEqual([4, 0, []]);
  });

  it.each([
    [
      'a list of items',
      [
        { name: 'Ada', show: 1, extras: [] },
        { name: 'Bob', show: 1, extras: [1] },
      ],
      [Booking],
      2,
    ],
    ['an envelope', { name: 'Ada', show: 1, extras: [1] }, { booking: Booking }, 3],
  ])('changes them also where the answer is %s', async (what, sent, schema, seatsLeft) => {
    const { store, seats, sold } = await setupBookings();
    const recipe = (draft: never): void => {
      const [drafts, { booking }] = [draft as Parameters<typeof take>[0][], draft];
      for (const one of what === 'an envelope' ? [booking] : drafts) take(one);
    };
    const book = new RestEndpoint({ ...at, path: '/book', method: 'POST', schema, optimistic: recipe as never });

    void store.dispatch(book(sent as never));

    expect([seats(), sold()]).toEqual([seatsLeft, 1]);
  });

  it('runs again when such a row changes beneath it, and when one comes that was not there', async () => {
    const { store, resources, bookings, seats } = await setupBookings();
    void store.dispatch(push({}, { name: 'Ada', show: 1 }));
    void store.dispatch(push({}, { name: 'Bob', show: 2 }));

    store.dispatch(resources.set(Show, { id: 1, seatsLeft: 10 }));
    store.dispatch(resources.set(Show, { id: 2, name: 'two' }));

    expect(seats()).toBe(9);
    expect(bookings().map(({ show }) => [show?.name, show?.seatsLeft])).toEqual([
      ['one', 9],
      ['two', -1],
    ]);
  });

  it.each([
    ['is lost', 'lost'],
    ['is empty', { status: 204 }],
  ] as const)('makes stale what shows such a row where the answer %s', async (_, reply) => {
    const { store, isStale, seats } = await setupBookings();
    const creating = store.dispatch(push({}, { name: 'Ada', show: 1 }));
    await server.holding('POST /bookings');

    if (reply === 'lost') creating.abort();
    else await server.release('POST /bookings', reply);
    await creating;

    expect([isStale(), seats()]).toEqual([true, 4]);
  });

  it.each([
    ['does not tell what it has changed', { id: 5, name: 'Ada', show: 1 }, true],
    ['tells it', { id: 5, name: 'Ada', show: { id: 1, seatsLeft: 3 } }, false],
  ])('makes stale what shows such a row where the answer %s', async (_, json, isOpen) => {
    const { store, isStale, seats } = await setupBookings();

    const creating = store.dispatch(push({}, { name: 'Ada', show: 1 }));
    await server.release('POST /bookings', { json });
    await creating;
    expect([isStale(), seats()]).toEqual([isOpen, isOpen ? 4 : 3]);
    server.answer('GET /shows', { json: [{ id: 1, seatsLeft: isOpen ? 4 : 3 }] });
    await store.dispatch(ShowResource.getList());
    const editing = store.dispatch(
      BookingResource.partialUpdate.extend({ optimistic: take })({ id: 5 }, { name: 'B' }),
    );
    await server.release('PATCH /bookings/5', { json });
    await editing;

    expect(isStale()).toBe(isOpen);
  });

  it('finds in its draft what the class gives the fields that are not sent', async () => {
    const { store, bookings } = await setupBookings();
    const seen: unknown[] = [];
    const add = BookingResource.getList.push.extend({
      body: {} as { name: string },
      optimistic: (draft) => {
        seen.push(draft.id, draft.show, draft.extras.length);
        draft.extras.push({ id: 1, sold: 5 });
      },
    });

    void store.dispatch(add({}, { name: 'Ada' }));

    // It has no pk yet.
    expect(seen).toEqual([undefined, undefined, 0]);
    expect(bookings().map(({ extras }) => extras.map(({ sold }) => sold))).toEqual([[5]]);
  });

  it('changes a row that it has asked for by ref', async () => {
    const { store, seats } = await setupBookings();
    const pushBelow = BookingResource.getList.push.extend({
      body: {} as { name: string },
      optimistic: (_booking, _args, api) => {
        api.ref(Show, 1).seatsLeft -= 1;
      },
    });

    void store.dispatch(pushBelow({}, { name: 'Ada' }));

    expect(seats()).toBe(3);
  });
});
