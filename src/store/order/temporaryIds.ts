import { isUnionRef, isRecord } from '../../schema/Schema.js';
import { isTemporary, originOf } from '../../schema/temporary.js';
import type { Changes } from '../../tables/changes.js';
import type { Named } from '../../tables/Memory.js';
import type { Intent } from './intent.js';

/** The temporary ids in arguments: among the parameters, and the top-level fields of a body. */
export function temporariesIn(args: readonly unknown[]): readonly string[] {
  return args.flatMap((part) => (isRecord(part) ? Object.values(part).filter(isTemporaryId) : []));
}

function isTemporaryId(value: unknown): value is string {
  return typeof value === 'string' && isTemporary(value);
}

/** Arguments with real ids in place of those that one create had given out. */
export function withReal(args: readonly unknown[], requestId: string, ids: readonly unknown[]): readonly unknown[] {
  const real = realIds(requestId, ids);
  return args.map((part) =>
    isRecord(part) && Object.values(part).some(isTemporary)
      ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, real(value)]))
      : part,
  );
}

/** Changes with the rows that one create made under their real pks. */
export function withRealPks({ rows, lists }: Changes, requestId: string, ids: readonly unknown[]): Changes {
  const real = realIds(requestId, ids);
  return { rows: rows.map((change) => ({ ...change, pks: change.pks.map((pk) => String(real(pk))) })), lists };
}

/** Gives the real id for a temporary one of a create; what is no such id stays. */
function realIds(requestId: string, ids: readonly unknown[]): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string' || !isTemporary(value)) return value;
    const origin = originOf(value);
    return origin.requestId === requestId ? (ids[origin.index] ?? value) : value;
  };
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

/** The rows that a create was answered with, beside those that it had shown. */
export function namedRows({ requestId, changes }: Intent, result: unknown): readonly Named[] {
  const refs: readonly unknown[] = Array.isArray(result) ? result : [result];
  return changes.rows.flatMap(({ table, pks }) =>
    pks.filter(isTemporary).flatMap((temporary): readonly Named[] => {
      const origin = originOf(temporary);
      const ref = origin.requestId === requestId ? refs[origin.index] : undefined;
      if (isUnionRef(ref)) return [{ table: ref.table, pk: ref.pk, temporary }];
      return typeof ref === 'string' ? [{ table, pk: ref, temporary }] : [];
    }),
  );
}
