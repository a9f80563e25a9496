import { createResource, Entity } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { five, Issue, Issues, vote, type Fault } from './app.js';

const status = { entity: 'Issue', pk: '5', field: 'status' } as const;
const title = { entity: 'Issue', pk: '5', field: 'title' } as const;

/** Its key was copied from another class. */
class User extends Entity {
  id = 0;
  name = '';
  status = '';
  static override key = 'Issue';
}
const Users = createResource({ path: '/users/:id', schema: User });
const Tagged = Issues.partialUpdate.extend({ name: 'Issue/edit', etag: true });
const TaggedGet = Issues.get.extend({ name: 'Issue/detail', etag: true });

/** Faults that show in a field, or in a row. */
export const ofRows: readonly Fault[] = [
  {
    name: 'two classes have one key',
    app: 'Issue 5 says that its status is "away". No issue can be "away".',
    asked: 'Why has issue 5 the status "away"?',
    cause: 'The class User has `static key = "Issue"`, copied from Issue: users are written into the table of issues.',
    kinds: ['answer'],
    words: [/`away`, from GET \/users\/5/],
    async play({ send, server }) {
      const users = mockServer([Users], { seed: { Issue: [{ id: 5, name: 'Ada', status: 'away' }] } });
      await send(Issues.getList());
      server.use(Issues.get, () => null);
      await send(Users.get.extend({ fetchResponse: (input) => users.fetch(input) })(five));
      return status;
    },
  },
  {
    name: 'a 412 that the app swallows',
    app: 'You have renamed issue 5 to "Crash at start". It said so for a moment, then it was "Crash" again. No error was shown.',
    asked: 'Why is the title of issue 5 "Crash"?',
    cause: 'Somebody else had changed the issue: the server refused the edit with 412, and the app ignores errors.',
    kinds: ['answer', 'answer'],
    words: [/PATCH \/issues\/5 .* wanted `Crash at start`.*412/],
    async play({ send, server }) {
      await send(TaggedGet(five));
      server.fail('PATCH', 412);
      await send(Tagged(five, { title: 'Crash at start' }));
      return title;
    },
  },
  {
    name: 'a write whose answer is lost',
    app: 'You have closed issue 5 on the train. It says "open" again, and a colleague says that it is closed.',
    asked: 'Why has issue 5 the status "open"?',
    cause: 'The answer to the write was lost on the network: the server had done it, and the app cannot know.',
    kinds: ['answer', 'answer'],
    words: [/PATCH \/issues\/5 .* wanted `closed`, and was not answered/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.lose('PATCH');
      await send(Issues.partialUpdate(five, { status: 'closed' }));
      return status;
    },
  },
  {
    name: 'an answer that is slower than a later write',
    app: 'The network tab has an answer to GET /issues/5 that says "open", the last of all. The app shows "closed".',
    asked: 'Why has issue 5 the status "closed"?',
    cause: 'The GET was sent before the edit was made, and came after its answer: what it says is older.',
    kinds: ['answer', 'older'],
    words: [/`closed`, from PATCH/, /GET \/issues\/5 .* said `open`; passed over: it was sent before PATCH/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.hold(Issues.get);
      await send(Issues.get(five));
      await send(Issues.partialUpdate(five, { status: 'closed' }));
      server.release();
      await send(Issues.getList.ifStale());
      return status;
    },
  },
  {
    name: 'a guess that is covered',
    app: 'You have saved the form of issue 5 with the title "From the form"; the spinner turns. The app shows "Renamed".',
    asked: 'Why is the title of issue 5 "Renamed"?',
    cause: 'The form (PUT) is under way still; a rename (PATCH) that was made after it is answered already.',
    kinds: ['answer', 'covered'],
    words: [/`Renamed`, from PATCH/, /PUT \/issues\/5 .* has guessed `From the form`, which is hidden: PATCH/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.hold('PUT');
      await send(Issues.update(five, { id: 5, title: 'From the form', status: 'open' }));
      await send(Issues.partialUpdate(five, { title: 'Renamed' }));
      return title;
    },
  },
  {
    name: 'a server that ignores a field',
    app: 'You have closed issue 5. For a moment it said "closed", then "open" again. There was no error.',
    asked: 'Why has issue 5 the status "open"?',
    cause: 'The server took the write, answered 200, and left the status as it was.',
    kinds: ['answer', 'answer'],
    words: [/PATCH \/issues\/5 .* wanted `closed`, and was answered without an error; the answer does not say so/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.use(Issues.partialUpdate, () => ({ id: 5, title: 'Crash', status: 'open' }));
      await send(Issues.partialUpdate(five, { status: 'closed' }));
      return status;
    },
  },
  {
    name: 'a field that the server calls otherwise',
    app: 'Every issue says that it was created on "1 Jan 1970".',
    asked: 'Why is `createdAt` of issue 5 empty?',
    cause: 'The server sends `created_at`, and the class has `createdAt`: no row has that field.',
    kinds: ['default'],
    words: [/no such field.*default of its class/, /created_at/],
    async play({ send }) {
      await send(Issues.getList());
      return { entity: 'Issue', pk: '5', field: 'createdAt' };
    },
  },
  {
    name: 'a row that somebody has deleted',
    app: 'The page of issue 5 was there, and says "Not found" now.',
    asked: 'Why is there no issue 5?',
    cause: 'Another tab of the app has deleted it: DELETE /issues/5.',
    kinds: ['deleted'],
    words: [/DELETE \/issues\/5 .* has deleted it/],
    async play({ send }) {
      await send(Issues.getList());
      await send(Issues.delete(five));
      return { entity: 'Issue', pk: '5' };
    },
  },
  {
    name: 'a socket that writes what is wrong',
    app: 'Issue 5 says "opn". The server answers "open" to every request.',
    asked: 'Why has issue 5 the status "opn"?',
    cause: 'The handler of the socket writes rows with `resources.set`, and has a misspelt status.',
    kinds: ['set'],
    words: [/`opn`: resources\/set .* wrote it/],
    async play({ send, store, resources, pass }) {
      await send(Issues.getList());
      store.dispatch(resources.set(Issue, { id: 5, status: 'opn' }));
      await pass(1_000);
      return status;
    },
  },
  {
    name: 'a vote that waits',
    app: 'The server says that issue 5 has 8 votes. The app shows 2 since you have voted.',
    asked: 'Why has issue 5 two votes?',
    cause:
      'The vote is not answered. A GET that came meanwhile said 8, and waits, because the vote may be counted in it.',
    kinds: ['guess', 'answer', 'waits'],
    words: [/POST \/issues\/5\/votes .* is not answered/],
    async play({ send, server }) {
      await send(Issues.getList());
      server.hold(vote);
      await send(vote(five));
      server.set(Issue, { id: 5, votes: 8 });
      await send(Issues.get(five));
      return { entity: 'Issue', pk: '5', field: 'votes' };
    },
  },
  {
    name: 'data of a server render',
    app: 'Issue 5 says "open". It was closed an hour ago, and this page was loaded just now.',
    asked: 'Why has issue 5 the status "open"?',
    cause: 'The state in the page came from a cached server render (`hydrate`), and nothing has been fetched since.',
    kinds: ['hydrated'],
    words: [/`open`: resources\/hydrate .* brought it/],
    async play({ send, server, store, resources, slice }) {
      await send(Issues.getList());
      const past = slice();
      server.set(Issue, { id: 5, status: 'closed' });
      store.dispatch(resources.reset());
      await send(resources.hydrate(past));
      return status;
    },
  },
];
