import { orElse, reasonOf, ResourceError, resourceError } from '../../errors.js';
import { isForm, isJson, isOf } from '../../schema/json.js';
import { isPlain, isRecord, isScalar, setOwn } from '../../schema/Schema.js';

/** What a handler is called with: it leads to all of the page, or is sent as nothing but `isTrusted`. */
const EVENT = 'an event';

/** Nothing that somebody means to send is deeper, and the stack holds more. */
const TOO_DEEP = 1_000;

/** A value as JSON would send it: the very value where it is so already. Throws R19, which names who was given what cannot be kept. */
export function toWire(value: unknown, name: string, most?: number): unknown {
  return isWire(value, most) ? value : copyToWire(value, name);
}

export function copyToWire(value: unknown, name: string): unknown {
  return new Copy(name).of(value);
}

/** The same of a body: it is not too deep for what walks through it, as RTK's checks do. */
export function toBody(value: unknown, name: string): unknown {
  return toWire(value, name, TOO_DEEP);
}

/** Throws R19 where JSON would not send all of a value. */
export function assertSendable(value: unknown, name: string): void {
  if (!isWire(value, TOO_DEEP)) new Copy(name, { isSent: true }).of(value);
}

/** What a hook gives, without what is undefined where that is all that keeps it from being JSON. */
export function withoutUndefined(value: unknown, name: string): unknown {
  return isJson(value, true) ? orElse(() => new Copy(name, { dropsUndefined: true }).of(value), value) : value;
}

/** Arguments as the state can keep them. */
export function toWireArgs(args: readonly unknown[], name: string): readonly unknown[] {
  // The copy of an array is one.
  return toWire(args, name) as readonly unknown[];
}

/** A value as an action tells it; never fails: what cannot be told is described. */
export function describe(value: unknown): unknown {
  try {
    return toBody(value, '');
  } catch {
    return Array.isArray(value) ? value.map(outline) : outline(value);
  }
}

export function isWire(value: unknown, most?: number): boolean {
  return orElse(() => isJson(value, false, most), false);
}

/** Whether an answer, or each item of it, has some fields. */
export function hasFields(answer: unknown, fields: readonly string[]): boolean {
  const has = (one: unknown): boolean => isRecord(one) && fields.every((field) => Object.hasOwn(one, field));
  return Array.isArray(answer) ? answer.every(has) : has(answer);
}

/** What lies at the surface of a value. */
function outline(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return wordFor(value);
  try {
    if (Array.isArray(value)) return '[Array]';
    const fields: Record<string, unknown> = {};
    for (const name of Object.keys(value)) setOwn(fields, name, wordFor((value as Record<string, unknown>)[name]));
    return fields;
  } catch (error) {
    return `[${reasonOf(error)}]`;
  }
}

function wordFor(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return Object.prototype.toString.call(value);
  return isScalar(value) ? value : null;
}

interface Copying {
  /** It is to be sent: what has no place in JSON is refused, too. */
  readonly isSent?: boolean;
  /** An undefined member of a list is left out: JSON has null there. */
  readonly dropsUndefined?: boolean;
}

/** Copies a value as JSON would: `toJSON` is asked, what is undefined is left out, files are described. */
class Copy {
  readonly #name: string;
  readonly #how: Copying;
  readonly #path: string[] = [];
  readonly #open = new Set<object>();

  constructor(name: string, how: Copying = {}) {
    this.#name = name;
    this.#how = how;
  }

  of(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return this.#leaf(value);
    if (this.#open.has(value)) return this.#refuse('something that refers to itself');
    if (this.#path.length > TOO_DEEP) return this.#refuse('something that is too deep');
    this.#open.add(value);
    try {
      return this.#inside(value);
    } catch (error) {
      throw unreadable(this.#name, error, this.#path);
    } finally {
      this.#open.delete(value);
    }
  }

  #leaf(value: unknown): unknown {
    if (typeof value === 'bigint') return this.#bigInt(value);
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }

  /** JSON has none, unless the app says how. */
  #bigInt(value: bigint): unknown {
    const { toJSON } = BigInt.prototype as { readonly toJSON?: (this: bigint) => unknown };
    const json = typeof toJSON === 'function' ? toJSON.call(value) : value;
    if (typeof json !== 'bigint') return this.of(json);
    return this.#how.isSent ? this.#refuse('a BigInt') : String(json);
  }

  #inside(value: object): unknown {
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.of((value.toJSON as () => unknown)());
    const stranger = strangerIn(value);
    if (stranger !== undefined) return this.#refuse(stranger);
    const described = descriptionOf(value);
    // Of a file, JSON would make `{}`; of bytes, their numbers.
    const isFit = !this.#how.isSent || ArrayBuffer.isView(value);
    if (described !== undefined) return isFit ? described : this.#refuse(`a ${value.constructor.name}`);
    return Array.isArray(value) ? this.#members(value) : this.#fields(value);
  }

  #fields(value: object): unknown {
    const plain: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const wire = this.#field(value, name);
      if (wire !== undefined) setOwn(plain, name, wire);
    }
    return plain;
  }

  #members(list: readonly unknown[]): readonly unknown[] {
    const members = list.map((_, i) => this.#field(list, String(i)));
    return this.#how.dropsUndefined ? members.filter((one) => one !== undefined) : members.map((one) => one ?? null);
  }

  #field(value: object, name: string): unknown {
    // Where it throws, the path leads to what is to blame.
    this.#path.push(name);
    const wire = this.of((value as Record<string, unknown>)[name]);
    this.#path.pop();
    return wire;
  }

  #refuse(what: string): never {
    throw refusal(this.#name, what, this.#path);
  }
}

function refusal(name: string, what: string, path: readonly string[]): ResourceError {
  return resourceError('R19', name, path.length === 0 ? what : `${what} at ${path.join('.')}`);
}

/** The error of what throws when it is read. */
export function unreadable(name: string, error: unknown, path: readonly string[] = []): ResourceError {
  return error instanceof ResourceError ? error : refusal(name, `something that throws (${reasonOf(error)})`, path);
}

/** What stands for a value that JSON does not hold. */
function descriptionOf(value: unknown): unknown {
  if (isForm(value)) return formFields(value);
  if (isOf(value, 'Blob')) return `[${value.constructor.name} ${value.type} ${String(value.size)} bytes]`;
  if (isOf(value, 'ReadableStream')) return '[ReadableStream]';
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[binary ${String(value.byteLength)} bytes]`;
  return undefined;
}

/** Whether a value is an event, of the platform or of React. */
function isEvent(value: object): boolean {
  return isOf(value, 'Event') || ('nativeEvent' in value && !isPlain(value));
}

/** What a value is that is no data, though its fields may be; undefined for any other. */
function strangerIn(value: object): string | undefined {
  if (value instanceof Map) return 'a Map';
  if (value instanceof Set) return 'a Set';
  return isEvent(value) ? EVENT : undefined;
}

/** Throws R19 for an event that was given in place of parameters. */
export function assertNoEvent(value: object, name: string): void {
  if (isEvent(value)) throw resourceError('R19', name, EVENT);
}

/** Whether a value is, or has inside, what JSON does not hold, as a file. */
export function isFile(value: unknown): boolean {
  if (Array.isArray(value) || isPlain(value)) return Object.values(value).some(isFile);
  return descriptionOf(value) !== undefined;
}

/** The fields of a form; a name that occurs more than once has a list. */
function formFields(form: FormData | URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = (form.getAll(name) as readonly unknown[]).map((value) => toWire(value, name));
    setOwn(fields, name, values.length > 1 ? values : values[0]);
  }
  return fields;
}

/** What a hook gives that is not waited for. Throws R11 for a promise; nobody hears how that ends. */
export function withoutPromise<Value>(value: Value, hook: string, endpoint: string): Value {
  if (!isRecord(value) || typeof value['then'] !== 'function') return value;
  Promise.resolve(value).catch(() => undefined);
  throw resourceError('R11', hook, endpoint, 'a Promise');
}
