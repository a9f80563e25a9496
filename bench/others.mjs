/** @import { OtherId } from './Peer.js' */

/**
 * What is measured beside the workloads.
 * @typedef {object} Other
 * @property {OtherId} id
 * @property {string} title
 * @property {'bytes'} [unit] Milliseconds, unless given.
 */

/** @type {readonly Other[]} */
export const others = [
  { id: 'S1', title: '709 projects with 2 117 build types arrive in an empty store' },
  { id: 'S2', title: 'they arrive again' },
  { id: 'S3', title: 'they are read for the first time' },
  { id: 'S4', title: 'they are read again' },
  { id: 'M1', title: 'what the store keeps of each row', unit: 'bytes' },
  { id: 'M2', title: 'what reading the list adds for each row', unit: 'bytes' },
  { id: 'D1', title: 'an action of somebody else passes reducer and middleware' },
  { id: 'D2', title: 'a subscriber joins up to 4 000 others of the same data' },
  { id: 'D3', title: 'one of them leaves' },
  { id: 'D4', title: 'an unrelated action, with the checks of development' },
  { id: 'Z0', title: 'tables, schemas, reducer, intents and selectors, minified and gzipped', unit: 'bytes' },
  { id: 'Z1', title: 'the core, minified and gzipped', unit: 'bytes' },
  { id: 'Z2', title: 'the core and the React entry', unit: 'bytes' },
];
