/** Values as a console prints them, in one line. */
export function print(value: unknown, depth = 4): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value === 'function') return value.name === '' ? 'a function' : `function ${value.name}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => print(item, depth - 1)).join(', ')}]`;
  const name = Object.getPrototypeOf(value) === null ? 'Object' : value.constructor.name;
  const fields = Object.entries(value).map(([key, field]) => `${key}: ${print(field, depth - 1)}`);
  const body = fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  return name === 'Object' ? body : `${name} ${body}`;
}
