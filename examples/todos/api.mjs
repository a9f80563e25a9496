// The example's REST server, in memory and made of the app's own resources: it can be slow and fail, as it is told at run time.
import { mockServer } from 'rtk-resource/mock';
import { Settings, SettingsResource, TodoResource, UserResource } from './src/resources';

const todos = [
  `Translate the memoir, Add notes to the translation, Number the notes A to G, Compute the Bernoulli numbers, Write down every operation,
   Find the error in operation four, Answer Mr Babbage, Practise the piano, Order punched cards, Visit the silk mill, Send the proofs back, Pay the printer`,
  'Tape the moth into the log book, Cut a nanosecond of wire, Explain what a compiler is',
  `Check the landing coordinates, Check them again by hand, Go to the briefing, Plot the trajectory backwards, Read about Euler, Sign the report, Teach on Sunday`,
].flatMap((text, i) => text.split(/,\s+/).map((title) => ({ userId: i + 1, title })));
const refused = (/** @type {string} */ title, status = 422) => Response.json({ status, title }, { status });

/** @type {import('rtk-resource/mock').MockServer} */
const server = mockServer([UserResource, TodoResource, SettingsResource], {
  seed: {
    User: ['Ada', 'Grace', 'Katherine'].map((name, i) => ({ id: i + 1, name })),
    Todo: todos.map((todo, i) => ({ id: i + 1, ...todo, completed: i % 4 === 3 })),
    Settings: [{ latency: 600, failWrites: false }],
  },
  write: {
    Todo: (todo) => {
      const { length } = String(todo['title']).trim();
      if (length > 0 && length <= 60) return todo;
      return refused(length === 0 ? 'A todo needs a title' : 'A title has 60 characters at most');
    },
  },
  delay: ({ url }) => (url.includes('/settings') ? 0 : (server.rows(Settings)[0]?.latency ?? 0)),
  pageSize: 5,
});
const isWrite = (/** @type {Request} */ { url, method }) => method !== 'GET' && !url.includes('/settings');
const fails = () => server.rows(Settings)[0]?.failWrites === true;
server.fail((request) => isWrite(request) && fails(), refused('The server was told to fail', 503));
const beginning = server.snapshot();

/** Answers a request; the newest todos come first. @param {Request} request */
export async function handle(request) {
  if (request.url.endsWith('/reset')) server.restore(beginning);
  const url = request.url.replace(/\/todos(\?|$)/, '/todos?sort=-id&');
  return (await server.handle(new Request(url, request))) ?? new Response(null, { status: 204 });
}
