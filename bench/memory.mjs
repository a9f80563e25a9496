// One process: the bytes that one library keeps of each row, and those that reading the list adds.
import { setTimeout as wait } from 'node:timers/promises';
import { Responses } from './data.mjs';
import { loadPeer } from './peers.mjs';

const [name = '', size = ''] = process.argv.slice(2);
const peer = await loadPeer(name);
const responses = new Responses(Number(size));

// Code and what it keeps for itself is there before it counts.
await keptOf(new Responses(10));
const { kept, read } = await keptOf(responses);
console.log(JSON.stringify({ M1: { value: kept }, M2: { value: read } }));
process.exit();

/** @param {Responses} responses */
async function keptOf(responses) {
  const before = await used();
  const session = peer.open();
  const rows = () => {
    const rows = responses.next();
    peer.prepare?.(rows);
    return rows;
  };
  await (session.put ?? session.receive)(rows());
  const kept = await used();
  // What was read is held until it is counted, as a component holds it.
  const list = session.read();
  const read = await used();
  const count = list.length;
  return { kept: (kept - before) / count, read: Math.max(0, read - kept) / count };
}

async function used() {
  for (let i = 0; i < 3; i++) {
    await wait(1);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
