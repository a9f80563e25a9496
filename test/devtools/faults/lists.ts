import { expectWarning } from '../../support/strict.js';
import { all, five, Issues, type Fault } from './app.js';

const EVERY = { subscribed: 5_000 } as const;

/** Faults that show in a list, or in a request. */
export const ofLists: readonly Fault[] = [
  {
    name: 'a filter that only the server knows',
    app: 'You search for "crash", create the issue "Crash again", and do not find it among the results.',
    asked: 'Why is issue 7 not in the list of { q: "crash" }?',
    cause:
      'What `q` means only the server knows: rows have no such field, so nothing puts the new row into the list before it is fetched again.',
    kinds: ['answer', 'belongs'],
    words: [/brought the list without it/, /no field `q`, so only the server knows/],
    async play({ send }) {
      expectWarning(/nothing tells its "q"/);
      await send(Issues.getList({ q: 'crash' }));
      await send(Issues.getList.push({ title: 'Crash again', status: 'open' }));
      return { list: 'Issue/getList', args: [{ q: 'crash' }], pk: '7' };
    },
  },
  {
    name: 'a create that joins no list',
    app: 'You create an issue. It is in the list of all, and not in the list of open ones.',
    asked: 'Why is issue 7 not in the list of { status: "open" }?',
    cause: 'The app creates issues with the status "new".',
    kinds: ['answer', 'belongs'],
    words: [/brought the list without it/, /list is of `status` `open`, and the row has `new`/],
    async play({ send }) {
      await send(Issues.getList());
      await send(Issues.getList({ status: 'open' }));
      await send(Issues.getList.push({ title: 'New', status: 'new' }));
      return { list: 'Issue/getList', args: [{ status: 'open' }], pk: '7' };
    },
  },
  {
    name: 'a row that leaves its list',
    app: 'You give issue 5 to Grace in the dialog of "my issues" (Ada’s). The list is empty, and you had only wanted to look.',
    asked: 'Why is issue 5 not in the list of { assignee: "ada" }?',
    cause: 'The edit has changed the field that the list is filtered by.',
    kinds: ['belongs'],
    words: [/since PATCH \/issues\/5 .* it does not belong there any more by its fields/, /`assignee` `ada`.*`grace`/],
    async play({ send }) {
      await send(Issues.getList({ assignee: 'ada' }));
      await send(Issues.partialUpdate(five, { assignee: 'grace' }));
      return { list: 'Issue/getList', args: [{ assignee: 'ada' }], pk: '5' };
    },
  },
  {
    name: 'a stale list',
    app: 'A colleague has added an issue ten minutes ago. The list that you look at does not have it.',
    asked: 'Why is the list of all issues as it is?',
    cause:
      'The list is stale, and nobody has asked for it: the page reads it with `select`, without a hook or a subscription.',
    kinds: ['answer', 'expired'],
    words: [/GET \/issues/, /stale since .* a hook or a subscription asks for it again when it begins/],
    options: { dataExpiryLength: 60_000 },
    async play({ send, pass, server }) {
      await send(Issues.getList());
      await server.fetch('/issues', { method: 'POST', body: '{"title":"Theirs"}' });
      await pass(600_000);
      return all;
    },
  },
  {
    name: 'a list that the server fails to answer',
    app: 'The list of open issues is empty. No error is shown.',
    asked: 'Why is the list of { status: "open" } empty?',
    cause: 'The server answers 500, and the component shows `data ?? []`.',
    kinds: ['answer'],
    words: [/GET \/issues\?status=open .* was answered with 500/],
    async play({ send, server }) {
      server.fail('GET /issues', 500);
      await send(Issues.getList({ status: 'open' }));
      return { list: 'Issue/getList', args: [{ status: 'open' }] };
    },
  },
  {
    name: 'a double that is hidden',
    app: 'The network tab has an answer to GET /issues with the issue 7. The list does not show it: it shows "New" with a spinner.',
    asked: 'Why is issue 7 not in the list of all issues?',
    cause: 'Your own create is under way still: issue 7 may be what it has made, so only one of both is shown.',
    kinds: ['hidden-double'],
    words: [/may be what POST \/issues .* is creating, which stands there already/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.hold('POST', { at: 'answer' });
      await send(Issues.getList.push({ title: 'New', status: 'open', votes: 0, assignee: 'ada' }));
      await send(Issues.getList());
      return { ...all, pk: '7' };
    },
  },
  {
    name: 'a create that is refused',
    app: 'You have created "New". It stood in the list for a moment, and is gone.',
    asked: 'Why is the list of all issues as it is?',
    cause: 'The server refused the create with 422, and the app ignores errors.',
    kinds: ['answer', 'answer'],
    words: [/POST \/issues .* was answered with 422.*taken back/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.fail('POST', 422, { body: { title: 'Taken' } });
      await send(Issues.getList.push({ title: 'New', status: 'open' }));
      return all;
    },
  },
  {
    name: 'an edit that waits for a real id',
    app: 'You have created an issue and edited it at once. Both spin; the network tab has a POST, and no PATCH.',
    asked: 'Why is the edit pending?',
    cause: 'The new issue has a temporary id. The edit is sent as soon as the create is answered.',
    kinds: ['waits'],
    words: [/is not sent: it waits for the real id that POST \/issues .* will bring/],
    async play({ send, server, recorder }) {
      await send(Issues.getList());
      server.hold('POST');
      await send(Issues.getList.push({ title: 'New' }));
      const id = (recorder.explain(all).value as readonly string[]).at(-1) as never;
      await send(Issues.partialUpdate({ id }, { title: 'Newer' }));
      return { request: `Issue/partialUpdate ${Issues.partialUpdate.key({ id }, { title: 'Newer' })}` };
    },
  },
  {
    name: 'a list that is invalidated by somebody',
    app: 'The list of issues flickers: it is "Loading…" for a moment after every save of a comment.',
    asked: 'Why is the list of all issues as it is?',
    cause: 'The save of a comment dispatches `resources.invalidate(IssueResource.getList)`, where `expire` was meant.',
    kinds: ['invalid'],
    words: [/not shown any more: resources\/invalidate .* has made it invalid/],
    async play({ send, store, resources }) {
      await send(Issues.getList());
      store.dispatch(resources.invalidate(Issues.getList));
      await send(Issues.get(five));
      return all;
    },
  },
  {
    name: 'a list that is asked for all the time',
    app: 'The network tab fills up with GET /issues, one every five seconds.',
    asked: 'Why is GET /issues pending?',
    cause: 'The endpoint of the list has `pollFrequency: 5000`.',
    kinds: ['waits'],
    words: [/because it was time to poll/],
    async play({ store, pass, server }) {
      const polled = Issues.getList.extend({ pollFrequency: EVERY.subscribed });
      store.dispatch(polled.subscribe());
      await pass(1_000);
      server.hold('GET');
      await pass(EVERY.subscribed);
      return { request: 'Issue/getList GET /issues' };
    },
  },
];
