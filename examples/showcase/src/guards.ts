/** Tells whether something has a type, by looking at all of it. */
export type Guard<T> = (value: unknown) => value is T;

type Guards<T> = { readonly [Name in keyof T]-?: Guard<T[Name]> };

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isOneOf<const T>(...values: readonly T[]): Guard<T> {
  return (value): value is T => values.some((one) => one === value);
}

export function isListOf<T>(isItem: Guard<T>): Guard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isItem);
}

export function isRecordOf<T>(isValue: Guard<T>): Guard<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => isRecord(value) && Object.values(value).every(isValue);
}

export function isAnyOf<T extends readonly unknown[]>(...guards: Guards<T>): Guard<T[number]> {
  return (value): value is T[number] => guards.some((is) => is(value));
}

/** An object with these fields: each that its type has, with a guard of the field's type. */
export function isObject<T extends object>(fields: Guards<T>): Guard<T> {
  const guards = Object.entries<Guard<unknown>>(fields);
  return (value): value is T => isRecord(value) && guards.every(([name, is]) => is(value[name]));
}

/** An object with some of these fields. */
export function isPartOf<T extends object>(fields: Guards<T>): Guard<Partial<T>> {
  const guards = Object.entries<Guard<unknown>>(fields);
  return (value): value is Partial<T> =>
    isRecord(value) && guards.every(([name, is]) => !(name in value) || is(value[name]));
}
