import type { Finding } from './findings.js';
import { rowBefore, valueIn } from './Ledger.js';
import type { Op } from './Match.js';
import type { Server } from './Server.js';

/** What no client can know, and the referee does: docs/guarantees.md tells of each. */
interface Gap {
  readonly name: string;
  readonly isIt: (finding: Finding, ops: readonly Op[], server: Server) => boolean;
}

export const gaps: readonly Gap[] = [
  {
    name: 'an item whose create has no answer yet stands twice in a list into which it is edited',
    isIt: ({ kind, origin, isUnnamed = false }, ops) =>
      kind === 'row twice' &&
      isUnnamed &&
      ops.some((op) => op.origin === origin && op.asked.is === 'patch' && valueIn(op, 'folder') !== undefined),
  },
  {
    name: 'an item whose create has no answer yet is deleted under one of its two ids, and shown under the other',
    isIt: ({ kind, origin, value, isUnnamed = false }, ops) =>
      kind === 'hidden write' &&
      value === true &&
      isUnnamed &&
      ops.some(({ asked, origin: of }) => of === origin && asked.is === 'delete'),
  },
  {
    name: 'a folder that has come back to what it was when an edit was sent counts as nothing new, so the edit takes it again',
    isIt: ({ origin, what, floor, value }, ops, server) => {
      if (origin === undefined || !(what === 'folder' || what === 'a' || what === 'b')) return false;
      return ops.some((op) => {
        const sent = op.origin === origin ? valueIn(op, 'folder') : undefined;
        const before = rowBefore(op)?.folder;
        const isShown = what === 'folder' ? value === sent : value === (what === sent);
        const log = server.log(origin, 'folder');
        const hasReturned = log.some(({ at, value: was }) => was === before && at > (op.handledAt ?? Infinity));
        return sent !== undefined && sent !== before && isShown && hasReturned && floor !== undefined;
      });
    },
  },
];
