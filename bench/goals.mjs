// What is to be reached, each by itself. A goal is never lowered; one that is not met stays here, and is shown as missed.

/** @import { OtherId, WorkloadId } from './Peer.js' */
/** @import { PeerName } from './peers.mjs' */

/**
 * @typedef {object} Goal
 * @property {WorkloadId | OtherId} id
 * @property {readonly number[]} [sizes] At which it is to be reached; at 1 000 and 10 000 rows, unless given.
 * @property {PeerName | 'normalizr'} [than] How many times as fast as this one it has to be,
 * @property {number} [faster] that is, so many times.
 * @property {PeerName | 'copy'} [of] How many times the time of this one it may take,
 * @property {number} [within] that is, so many times,
 * @property {number} [plus] and so many ms more.
 * @property {number} [below] How many ms or bytes it may take.
 * @property {string} [right] What has to be true of its outcome.
 */

/** A row of the page: how many times as fast as data-client at 1 000 and 10 000 rows. */
const timesDataClient = (/** @type {WorkloadId} */ id, /** @type {number} */ few, /** @type {number} */ many) => [
  { id, than: /** @type {const} */ ('data-client'), faster: few, sizes: [1_000] },
  { id, than: /** @type {const} */ ('data-client'), faster: many, sizes: [10_000] },
];

/** @type {readonly Goal[]} */
export const goals = [
  ...timesDataClient('W1', 2, 3),
  { id: 'W1', than: 'rtk-query', faster: 1.5 },
  { id: 'W1', of: 'floor', within: 2.5 },
  ...timesDataClient('W2', 3.5, 5),
  { id: 'W2', than: 'rtk-query', faster: 3 },
  { id: 'W2', of: 'floor', within: 4 },
  { id: 'W2', right: 'tables and list are the same objects' },
  ...timesDataClient('W3', 3.5, 5),
  { id: 'W3', than: 'rtk-query', faster: 3 },
  { id: 'W3', right: 'exactly the changed rows are new objects' },
  // For plain rows these are 6 and 12, 1.5 and 4; class instances, which ours are, may take twice the time.
  ...timesDataClient('W4', 6 / 2, 12 / 2),
  { id: 'W4', than: 'adapter', faster: 1.5 / 2 },
  { id: 'W4', of: 'floor', within: 4 * 2 },
  ...timesDataClient('W5', 1_000, 40_000),
  { id: 'W5', below: 50e-6 },
  ...timesDataClient('W5b', 300, 10_000),
  { id: 'W5b', below: 2e-3 },
  ...timesDataClient('W6', 200, 1_500),
  { id: 'W6', of: 'copy', within: 3, plus: 2e-3 },
  ...timesDataClient('W6u', 100, 800),
  { id: 'W6u', of: 'copy', within: 4, plus: 2e-3 },
  ...timesDataClient('W9', 200, 800),
  { id: 'W9', than: 'data-client', faster: 10_000, sizes: [100_000] },
  { id: 'W9', below: 10e-3, sizes: [1_000, 10_000, 100_000] },
  { id: 'W9', below: 50e-3, sizes: [1_000_000] },
  ...timesDataClient('W69', 200, 1_200),
  { id: 'W69', than: 'rtk-query', faster: 30, sizes: [1_000] },
  { id: 'W69', than: 'rtk-query', faster: 100, sizes: [10_000] },
  ...timesDataClient('W7', 50, 120),
  { id: 'W7', than: 'rtk-query', faster: 8 },
  ...timesDataClient('W8a', 30, 80),
  { id: 'W8a', than: 'rtk-query', faster: 5, sizes: [1_000] },
  { id: 'W8a', than: 'rtk-query', faster: 8, sizes: [10_000] },
  ...timesDataClient('W8b', 400, 2_000),
  { id: 'W8b', than: 'rtk-query', faster: 6, sizes: [1_000] },
  { id: 'W8b', than: 'rtk-query', faster: 25, sizes: [10_000] },
  { id: 'W8b', right: 'of the updates that succeeded, the last one started shows' },
  { id: 'S1', than: 'data-client', faster: 3, sizes: [709] },
  { id: 'S1', than: 'normalizr', faster: 1, sizes: [709] },
  { id: 'S2', than: 'data-client', faster: 4, sizes: [709] },
  { id: 'S3', than: 'data-client', faster: 6, sizes: [709] },
  { id: 'S3', than: 'normalizr', faster: 1, sizes: [709] },
  { id: 'S4', than: 'data-client', faster: 1_000, sizes: [709] },
  { id: 'S4', than: 'normalizr', faster: 1, sizes: [709] },
  { id: 'M1', of: 'data-client', within: 1.1, sizes: [10_000] },
  { id: 'M2', of: 'data-client', within: 0.25, sizes: [10_000] },
  { id: 'D1', below: 1e-3, sizes: [10_000] },
  { id: 'D2', below: 10e-3, sizes: [10_000] },
  { id: 'D3', below: 10e-3, sizes: [10_000] },
  { id: 'D4', below: 50e-3, sizes: [10_000] },
  { id: 'Z0', below: 8_000, sizes: [0] },
  { id: 'Z1', below: 12_000, sizes: [0] },
  { id: 'Z2', below: 15_000, sizes: [0] },
];
