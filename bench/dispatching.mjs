// One process: what one dispatch costs with much in the store, or with many subscribers, as JSON.
//   NODE_ENV=development node bench/dispatching.mjs written ours 10000
import { Responses } from './data.mjs';
import ours, { Issue, IssueResource, openStore } from './peers/ours.mjs';
import rtkQuery from './peers/rtk-query.mjs';
import { median } from './time.mjs';
import { watchStore } from './watch.mjs';

/** In µs of CPU time. @typedef {{ mean: number, median: number }} Cost */

const times = 60;
/** What is left out: the first ones compile. */
const warming = 20;
const subscribers = 1_000;

/** @type {Record<string, (...args: string[]) => Record<string, Cost> | Promise<Record<string, Cost>>>} */
const measures = { written, watched };
const [id = '', ...args] = process.argv.slice(2);
const { [id]: measured } = measures;
if (!measured) throw new Error(`there is no ${id}`);
console.log(JSON.stringify(await measured(...args)));
process.exit();

/** One row of a list of this size is written, and the list is read. @param {string} who `ours` or `rtk-query` @param {string} size */
async function written(who = '', size = '') {
  const session = (who === 'ours' ? ours : rtkQuery).open();
  const responses = new Responses(Number(size));
  await session.receive(responses.next());
  session.read();
  let turn = 0;
  const write = () => {
    session.write(responses.at(turn).id, { title: `Turn ${++turn}` });
    session.read();
  };
  return { write: costOf(write) };
}

/** One row of 1 000 is written, and then something else happens, while each row has a subscriber. @param {string} by What subscribers read with. */
function watched(by = '') {
  const { resources, store } = openStore();
  const responses = new Responses(subscribers);
  store.dispatch(resources.setResponse(IssueResource.getList, {}, responses.next()));
  const selectorOf = {
    'get.select': (/** @type {string} */ id) => IssueResource.get.select({ id }),
    'get.selectRequest': (/** @type {string} */ id) => IssueResource.get.selectRequest({ id }),
    selectEntity: (/** @type {string} */ id) => resources.selectEntity(Issue, id),
  }[/** @type {'get.select' | 'get.selectRequest' | 'selectEntity'} */ (by)];
  const seen = watchStore(
    store,
    responses.issues.map(({ id }) => selectorOf(id)),
  );
  let turn = 0;
  const write = costOf(() => {
    store.dispatch(resources.set(Issue, { id: responses.at(turn).id, title: `Turn ${++turn}` }));
  });
  if (seen() !== turn) throw new Error(`${turn} writes, and ${seen()} were seen`);
  const other = costOf(() => store.dispatch({ type: 'something else' }));
  return { write, other };
}

/** @param {() => unknown} run @returns {Cost} */
function costOf(run) {
  const taken = Array.from({ length: times }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }).slice(warming);
  return { mean: taken.reduce((sum, one) => sum + one, 0) / taken.length, median: median(taken) };
}
