import type { Finding } from './findings.js';
import { mayDiffer } from './doubles.js';
import { isCreate, rowBefore, valueIn } from './Ledger.js';
import type { Op } from './Match.js';
import type { Server } from './Server.js';
import { isIn, type Field, type Values } from './worlds.js';

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
      ops.some((op) => op.origin === origin && op.asked.is === 'patch' && filters.some((field) => valueIn(op, field))),
  },
  {
    name: 'a created item that the server or somebody else has changed beyond likeness, before its create is answered, stands beside the pending item',
    isIt: ({ kind, origin, what, isUnnamed = false }, ops, server) => {
      const list = server.world.lists.find(({ name }) => name === what);
      const create = ops.find((op) => op.origin === origin && isCreate(op));
      return (
        kind === 'row twice' && isUnnamed && !!list && !!create && mayDiffer(server, create, list, create.origin ?? '')
      );
    },
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
    name: 'a value that has come back to what it was when an edit was sent, which is not shown before its answer, counts as nothing new, so the edit takes it again',
    isIt: ({ origin, what, floor, value }, ops, server) =>
      floor !== undefined &&
      filters.some((field) => {
        const list = server.world.lists.find(({ name, filter }) => name === what && filter[field] !== undefined);
        if (what !== field && !list) return false;
        const mine = ops.filter((op) => op.origin === origin && valueIn(op, field) !== undefined);
        return mine.some((op) => {
          const sent = valueIn(op, field);
          const before = rowBefore(op)?.[field];
          const isShown = list
            ? value === isIn({ name: '', filter: pick(list.filter, field) }, { [field]: sent })
            : value === sent;
          const log = server.log(op.origin ?? '', field);
          const hasReturned = log.some(({ at, value: was }) => was === before && at > (op.handledAt ?? Infinity));
          // What a later write of one's own has brought back is no news from elsewhere.
          const isLast = !mine.some((other) => other.number > op.number && other.state === 'done');
          return isQuiet(op) && isLast && sent !== before && isShown && hasReturned;
        });
      }),
  },
];

/** What lists are filtered by: of each there are two values, which come back. */
const filters: readonly Field[] = ['folder', 'state'];

function pick(filter: Values, field: Field): Values {
  const value = filter[field];
  return value === undefined ? {} : { [field]: value };
}

function isQuiet({ asked }: Op): boolean {
  return 'isQuiet' in asked && asked.isQuiet;
}
