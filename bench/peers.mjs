/** @import { Peer } from './Peer.js' */

/** Each in a file of its own, loaded in a process of its own. @satisfies {Record<string, () => Promise<{ default: Peer }>>} */
const files = {
  ours: () => import('./peers/ours.mjs'),
  floor: () => import('./peers/floor.mjs'),
  'data-client': () => import('./peers/data-client.mjs'),
  'rtk-query': () => import('./peers/rtk-query.mjs'),
  adapter: () => import('./peers/adapter.mjs'),
  normy: () => import('./peers/normy.mjs'),
  apollo: () => import('./peers/apollo.mjs'),
  'tanstack-db': () => import('./peers/tanstack-db.mjs'),
};

/** @typedef {keyof typeof files} PeerName */

export const peerNames = /** @type {readonly PeerName[]} */ (Object.keys(files));

/** @param {string} name */
export async function loadPeer(name) {
  const file = files[/** @type {PeerName} */ (name)];
  if (!(name in files)) throw new Error(`There is no ${name}; there are ${peerNames.join(', ')}.`);
  return (await file()).default;
}
