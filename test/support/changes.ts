import fc from 'fast-check';
import type { RowChanges } from 'rtk-resource/normalize';

/** Changes of rows of a table: of at most so many at once; one of so many takes a row away. */
export function rowChangesOf(
  table: string,
  pk: fc.Arbitrary<string>,
  row: fc.Arbitrary<Readonly<Record<string, unknown>>>,
  { most, gone }: { readonly most: number; readonly gone: number },
): fc.Arbitrary<RowChanges> {
  return fc
    .record({
      entries: fc.array(fc.tuple(pk, fc.option(row, { freq: gone })), { minLength: 1, maxLength: most }),
      way: fc.constantFrom('merge', 'merge', 'whole', 'existing'),
    })
    .map(({ entries, way }) => ({
      table,
      pks: entries.map(([one]) => one),
      rows: entries.map(([, fields]) => fields),
      ...(way === 'whole' && { whole: true }),
      ...(way === 'existing' && { existing: true }),
    }));
}
