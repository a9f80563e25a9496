import { isRecord } from '../schema/Schema.js';
import { isTemporary, originOf } from '../schema/temporary.js';
import { isUnionRef } from '../schema/Union.js';

/** The temporary ids in arguments: among the parameters, and the top-level fields of a body. */
export function temporariesIn(args: readonly unknown[]): readonly string[] {
  return args.flatMap((part) => (isRecord(part) ? Object.values(part).filter(isTemporaryId) : []));
}

function isTemporaryId(value: unknown): value is string {
  return typeof value === 'string' && isTemporary(value);
}

/** Arguments with real ids in place of those that one create had given out. */
export function withReal(args: readonly unknown[], requestId: string, ids: readonly unknown[]): readonly unknown[] {
  const real = (value: unknown): unknown => {
    if (!isTemporaryId(value)) return value;
    const origin = originOf(value);
    return origin.requestId === requestId ? (ids[origin.index] ?? value) : value;
  };
  return args.map((part) =>
    isRecord(part) && Object.values(part).some(isTemporaryId)
      ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, real(value)]))
      : part,
  );
}

/** The ids that a create was answered with, as the answer writes them; a pk where that is no field. */
export function createdIds(result: unknown, response: unknown): readonly unknown[] {
  const refs: readonly unknown[] = Array.isArray(result) ? result : [result];
  const items: readonly unknown[] = Array.isArray(response) ? response : [response];
  return refs.map((ref, i) => {
    const pk = isUnionRef(ref) ? ref.pk : ref;
    const item = items[i];
    return isRecord(item) && String(item['id']) === pk ? item['id'] : pk;
  });
}
