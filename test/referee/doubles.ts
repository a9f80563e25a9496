import { isCreate, isShowing, type Ledger } from './Ledger.js';
import type { Op } from './Match.js';
import type { Server } from './Server.js';
import type { Field, List } from './worlds.js';

/** Whether a row may be missing in a list while something is being made: nobody knew of it before, and it may be what is being made. */
export function mayHide(ledger: Ledger, list: List, origin: string): boolean {
  if (ledger.opsOn(origin).some((op) => isCreate(op) && op.state === 'done')) return false;
  return ledger.ops.some(
    (op) => isCreate(op) && isShowing(op) && !op.known.has(origin) && mayBe(ledger.server, op, list, origin),
  );
}

/** Whether a row has at some time agreed with more than it differed in of what was sent, beside what the list asks for. */
function mayBe(server: Server, op: Op, list: List, origin: string): boolean {
  const sent = sentBeside(op, list);
  const agreeing = sent.filter(([field, value]) => valuesOf(server, origin, field).includes(value));
  return agreeing.length > sent.length - agreeing.length;
}

/** Whether what has become of a row, before its create is answered, may differ in half of what was sent or more. */
export function mayDiffer(server: Server, op: Op, list: List, origin: string): boolean {
  const sent = sentBeside(op, list);
  const differing = sent.filter(([field, value]) => valuesOf(server, origin, field).some((one) => one !== value));
  return differing.length * 2 >= sent.length;
}

function sentBeside({ asked }: Op, { filter }: List): readonly (readonly [string, string])[] {
  const body = 'body' in asked ? asked.body : {};
  return Object.entries(body).filter(([field]) => filter[field as Field] === undefined);
}

/** All that a field of a row ever was. */
function valuesOf(server: Server, origin: string, field: string): readonly unknown[] {
  return field === 'origin' ? [origin] : server.log(origin, field).map(({ value }) => value);
}
