/** What has been looked at; states share nearly all they are made of. */
const known = new WeakSet();

/** Fails where a value would be another after a trip through JSON. */
export function assertPlain(value: unknown, path = ''): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw new TypeError(`${path} is a ${typeof value}, which is not plain`);
  if (known.has(value)) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) assertPlain(value[i], `${path}[${i}]`);
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype) throw new TypeError(`${path} is an instance of a class`);
    for (const [name, inner] of Object.entries(value)) {
      // JSON leaves it out, which is the same.
      if (inner !== undefined) assertPlain(inner, `${path}.${name}`);
    }
  }
  known.add(value);
}
