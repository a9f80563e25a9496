/**
 * Bundlers replace `process.env.NODE_ENV`; this is all the library knows of `process`. Around texts the test for production stands in full, because only
 * then do all bundlers drop them: held in a constant, the texts of warnings stay in the bundle.
 */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Where the documentation is: in the package, until it has an address (`npm run address` sets it). */
const docs = 'node_modules/rtk-resource/docs';

/** The text of each misuse: what happened, in the user's names, and what to do. Codes are permanent. */
const catalogue = {
  R1: (endpoint: string) =>
    `${endpoint} was dispatched, but no resource middleware was there to run it.\n` +
    'Add it: middleware: (getDefault) => getDefault().concat(resources.middleware). ' +
    'If it is there, a middleware before it does not return what next(action) returns.',
  R2: (reducerPath: string) =>
    `There is no resource slice at state.${reducerPath}.\n` +
    'Mount it: reducer: { [resources.reducerPath]: resources.reducer }, and read with resources.select(…) where the reducerPath is not "resources".\n' +
    'A selector takes the root state, as store.getState() gives it.',
  R3: (endpoint: string, parameter: string, value: string) =>
    `${endpoint} needs a value for ":${parameter}" in its path, but got ${value}.\nPass it in the first argument: { ${parameter}: … }`,
  R4: (path: string, problem: string) =>
    problem.startsWith('after ')
      ? `The path "${path}" must begin with "/" ${problem}, or it could lead to another host.\n${behindPrefix(path)}`
      : `The path "${path}" cannot be read: ${problem}.\n${inPath(path, problem)}`,
  R5: (endpoint: string, parameter: string) =>
    `${endpoint} cannot put "${parameter}" into a query string: it is a nested object, or an invalid date.\nFlatten or correct it, or override searchToString.`,
  R6: (endpoint: string, expected: string, came: string) =>
    `The response of ${endpoint} does not fit its schema: expected ${expected}, but got ${came}.\n` +
    'Nothing was stored. Correct the schema, or reshape the response in process.',
  R7: (entity: string, name: string, came: string) => {
    // What is written by hand is named as it is called: resources.set.
    const isByHand = /\.(?:set|patch)$/.test(name);
    if (came === 'its id is temporary')
      return `${name} was given a row of ${entity} that the server has not created yet: ${came}.\nNothing was stored. Wait for the answer to its create.`;
    return isByHand
      ? `${name}(${entity}, …) was given a row without an id: ${came}.\nNothing was stored. Add the id, or what pk() of the entity reads.`
      : `${entity} has no id in the response of ${name}: ${came}.\nNothing was stored. Override pk() of the entity, or add what it needs in process.`;
  },
  R8: (endpoint: string, selector: string) =>
    selector !== 'dispatch'
      ? `${selector} of ${endpoint} was used as a selector, which is given the state, without being called.\nCall it first, also without arguments: not useSelector(endpoint.${selector}), but useSelector(endpoint.${selector}(…)).`
      : `The endpoint ${endpoint} was dispatched without being called.\nCall it first, also without arguments: not dispatch(endpoint), but dispatch(endpoint(…)).`,
  R9: (reducerPath: string) =>
    `A second configureResources was mounted in one store, at state.${reducerPath}.\nMount one: it serves every resource of the store.`,
  R10: (key: string) =>
    key === ''
      ? "An entity class has no name to call its table after.\nGive it one of its own: static key = '…'"
      : `Two entity classes share the table "${key}" by their class name.\nGive each a table of its own, or the same on purpose: static key = '…'`,
  R11: (hook: string, endpoint: string, came: string) =>
    hook === 'fetchFn'
      ? `fetchFn of ${endpoint} returned ${came}, which is no Response.\nReturn what fetch gives, or make it: Response.json(data, { status })`
      : `${hook} of ${endpoint} returned ${came}, which is not plain data.\nReturn what JSON can hold; make classes with static schema of the Entity.`,
  R12: (endpoint: string, parameter: string, value: string) =>
    `${endpoint} refuses ${value} for ":${parameter}": as a path segment it would lead to another address.\nCheck the value before you call the endpoint.`,
  R13: (name: string) => `The resource has no member "${name}" to extend.\nTo add one, call extend('${name}', { … }).`,
  R14: (endpoint: string) =>
    `${endpoint} was not sent: the create of its item failed, or was answered without an id, so the item has none.\n` +
    'Look at the error of the create. If there is none, have the server answer with the item, or take its id from the header Location in parseResponse.',
  R15: (schema: string) =>
    `${schema} maps several schemas, but has no schemaAttribute to choose one by.\nName an attribute, or pass a function, as the second argument.`,
  R18: (entity: string, field: string, problem: string) =>
    `The deserializer of ${entity}.${field} failed: ${problem}.\nHave the function in static schema of ${entity} take what the server sends.`,
  R19: (name: string, what: string) => {
    if (/^an event\b/.test(what))
      return `${name} was given ${what}.\nA handler is called with the event: in place of onClick={add} write onClick={() => add(…)}.`;
    const [, value = what, field] = /^(.*) at (\S+)$/s.exec(what) ?? [];
    const advice = /^(?:NaN|-?Infinity)$/.test(value)
      ? 'Set a number, or null.'
      : 'Set what JSON can hold: texts, numbers, true, false and null, and lists and objects of these.';
    return name.startsWith('The recipe ')
      ? `${name} set ${field === undefined ? value : `${field} to ${value}`}, which JSON cannot hold.\n${advice}`
      : `${name} was given ${what}, which JSON cannot hold.\n${
          /^a (?:File|Blob)$/.test(value)
            ? 'Send a FormData as the body, with the file in it.'
            : 'Pass plain data: texts, numbers, true, false and null, and lists and objects of these.'
        }`;
  },
  R20: (endpoint: string) =>
    `A header of ${endpoint} has a name or a value that HTTP does not allow, such as a line break or a letter beyond Latin-1.\nCorrect getHeaders, or requestInit. The header is not shown here, because it may be secret.`,
  R21: (endpoint: string) =>
    `${endpoint} belongs to another copy of rtk-resource than the store or the outbox that it was given to: there are two copies of rtk-resource in the bundle.\nFind them with npm ls rtk-resource, and keep one.`,
  R23: (endpoint: string) =>
    `${endpoint} changes something on the server, so it cannot be subscribed to: it would be sent again and again.\nDispatch it, or call it with useMutation.`,
  R24: (endpoint: string) =>
    `${endpoint} has no pages.\nGive the resource a paginationField, or use what getList.paginated({ next }) makes.`,
  R25: (member: string, wanted: string, came: string) =>
    `${member} takes ${wanted}, but was given ${came}.\n${inPlaceOf(member, wanted, came)}`,
  R26: (endpoint: string, method: string) =>
    `${endpoint} was given a body, which ${method} cannot send.\nParameters stand together in the first argument. Options of a hook stand behind a request: useResource(endpoint(…), { skip: true })`,
  R31: (name: string, entity: string) =>
    `The recipe of ${name} changed the id of an entity of ${entity}.\nLeave the fields of its pk as they are; to refer to another one, assign it to the field of the relation.`,
  R32: (name: string) =>
    `A draft was used after the recipe of ${name} had ended.\nRead and change it within the recipe; what is needed later, keep as current(draft).`,
  R33: (name: string, entity: string) =>
    `The recipe of ${name} added an entity of ${entity} without an id.\nCreate it by its own request, or add one that has its id.`,
  R41: (name: string) =>
    `The outbox "${name}" keeps nothing: it was given no resource that writes.\nName them, for functions cannot be stored: outbox({ name, resources: [TodoResource] })`,
  R42: (name: string) =>
    `The outbox "${name}" was given to two stores, which would send what is stored twice.\nMake an outbox for each store, with a name of its own.`,
  R43: (id: string, status: string) =>
    status === 'gone'
      ? `The outbox has no write ${id} to edit: it is done, was discarded, or never existed.\nTake the id from the entries of the outbox, or make another write.`
      : `The write ${id} in the outbox cannot be edited: it is ${status}, so the server may have done it.\nEdit what was not sent yet or has failed; else discard it, or make another write.`,
  R44: (id: string, endpoint: string) =>
    `The write ${id} in the outbox has no body to edit: ${endpoint} was called without one.\nDiscard it, and make another write.`,
} as const;

/** What to write in place of a path that does not begin with a slash, behind a prefix. */
export function behindPrefix(path: string): string {
  if (process.env.NODE_ENV === 'production') return '';
  return /^[a-z][\w+.-]*:\/\//i.test(path) ? "The path is a whole address, so set urlPrefix: ''." : `Write "/${path}".`;
}

/** What to do about an address that only a page could complete, where there is none. */
export function outsideBrowser(url: string): string {
  const isRelative = !/^[a-z][\w+.-]*:/i.test(url);
  return isRelative && typeof location === 'undefined'
    ? '\nOutside a browser, give urlPrefix an origin (https://…), or pass fetchFn to configureResources.'
    : '';
}

/** What to do about a path that cannot be read. */
function inPath(path: string, problem: string): string {
  const literal = 'A literal character is written with a backslash before it.';
  const [, name = 'name'] = /[:*]([\w$]+)[(+]/.exec(path) ?? [];
  switch (problem) {
    case 'unexpected "("':
      return `Patterns in parentheses are not supported: write :${name}. ${literal}`;
    case 'unexpected "+"':
      return `For several segments write *${name}. ${literal}`;
    case 'unexpected "*"':
      return `What takes several segments has a name: write *${name}. ${literal}`;
    case 'unexpected "{"':
    case 'unexpected "}"':
      return `Each brace needs its partner. ${literal}`;
    default:
      return literal;
  }
}

/** What to give in place of what was given. */
function inPlaceOf(member: string, wanted: string, came: string): string {
  const isEndpoint = wanted === 'an endpoint';
  if (came === 'undefined')
    return `What is undefined here is mostly imported in a circle: look whether the module that makes the ${isEndpoint ? 'resource' : 'class'} imports this one.`;
  if (!isEndpoint) return `Give it the class itself, as the schema of the resource names it: ${member}(Class, …)`;
  const what = came === 'a whole resource' ? 'one of the endpoints of the resource' : 'the endpoint itself';
  if (/^use(?:Mutation|LazyResource|Prefetch)$/.test(member))
    return `Give it ${what}, and the function that it returns the arguments: ${member}(endpoint)`;
  return member.endsWith('All')
    ? `Give it ${what}: ${member}(endpoint)`
    : `Give it ${what}, and behind that the arguments: ${member}(endpoint, …)`;
}

/**
 * The code of a {@link ResourceError}: permanent, and the name of its page in `docs/errors`.
 *
 * @example
 * const isMisfit = (code: ErrorCode) => code === 'R6' || code === 'R7';
 */
export type ErrorCode = keyof typeof catalogue;

/**
 * The library is used wrongly, or an answer does not fit what was declared; `code` names its page in `docs/errors`.
 *
 * @example
 * const explain = (error: unknown) => (error instanceof ResourceError ? `node_modules/rtk-resource/docs/errors/${error.code}.md` : undefined);
 */
export class ResourceError extends Error {
  /** `ResourceError`. */
  override name = 'ResourceError';
  /** Names its page in the documentation. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes the error of a code; in production its text is the code and the names alone. */
export function resourceError<Code extends ErrorCode>(
  code: Code,
  ...details: Parameters<(typeof catalogue)[Code]>
): ResourceError {
  const message = process.env.NODE_ENV !== 'production' ? textOf(catalogue[code], details) : details.join(', ');
  return new ResourceError(code, `${message}\n[${code}] ${docs}/errors/${code}.md`);
}

// Each text takes its own number of names; those of a code are checked where the error is made.
function textOf(text: (...names: string[]) => string, names: readonly string[]): string {
  return text(...names);
}

/**
 * The server said no, said something unreadable, or could not be reached (then there is no `status`).
 *
 * @example
 * const error = new NetworkError('No line.', { url: '/todos' });
 * error.status; // undefined: there was no answer
 */
export class NetworkError extends Error {
  /** `NetworkError`. */
  override name = 'NetworkError';
  /** The address that was asked. */
  readonly url: string;
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The response; undefined when there was none. */
  readonly response: Response | undefined;
  /** The parsed body of the answer. */
  readonly data: unknown;

  constructor(
    message: string,
    about: {
      readonly url: string;
      readonly response?: Response | undefined;
      readonly data?: unknown;
      readonly cause?: unknown;
    },
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.url = about.url;
    this.response = about.response;
    this.status = about.response?.status;
    this.data = about.data;
  }

  /** What JSON has of it; the response it has not. */
  toJSON(): Pick<this, 'name' | 'message' | 'url' | 'status' | 'data'> {
    const { name, message, url, status, data } = this;
    return { name, message, url, status, data };
  }
}

/**
 * Whether an error is a {@link NetworkError}, also one of another copy of the package, or one as an action and the state hold it; a serialized
 * error has no `response`.
 *
 * @example
 * const isMissing = isNetworkError(error) && error.status === 404;
 */
export function isNetworkError(error: unknown): error is NetworkError {
  if (typeof error !== 'object' || error === null) return false;
  // A DOMException may have this name too.
  const { name, url } = error as { readonly name?: unknown; readonly url?: unknown };
  return name === 'NetworkError' && typeof url === 'string';
}

/** What `fetch` says where no answer came: in Chrome, Node, Safari, Firefox and React Native. A mistake in the user's code says something else. */
const UNANSWERED = /^(?:failed to fetch|fetch failed|load failed|network|the (?:internet|network) connection)/i;

/** Whether an error is that of a client to which no answer came. One with a status tells of an answer. */
export function isUnanswered(error: unknown): boolean {
  const { name, message, status } = Object(error) as Partial<Record<string, unknown>>;
  return name === 'TimeoutError' ? !status : name === 'TypeError' && UNANSWERED.test(String(message));
}

/** The error that a cancelled request ends with; a time limit is no cancellation, but a server that did not answer. */
export function abortError(cause: unknown, url = ''): Error {
  const reason = reasonOf(cause);
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return new NetworkError(`${url === '' ? 'The request' : url} was not answered in time: ${reason}`, { url, cause });
  return Object.assign(new Error(reason, { cause }), { name: 'AbortError' });
}

/** Aborts with a reason, which the AbortController of React Native drops. */
export function abortWith(controller: AbortController, reason: unknown): void {
  const { signal } = controller;
  if (!('reason' in signal)) Object.assign(signal, { reason });
  controller.abort(reason);
}

/** Where an error was made; in production it would tell of the server that rendered a page, and costs as much as the rest of a failure. */
export function stackInDevelopment(error: Error): string | undefined {
  return process.env.NODE_ENV !== 'production' ? error.stack : undefined;
}

const warned = new Set<string>();

/** Warns once per cause, in development only; given as a function, so that a bundle for production has nothing of it. */
export function warnOnce(about: () => readonly [cause: string, text: string] | undefined): void {
  if (process.env.NODE_ENV !== 'production') {
    const [cause, text] = about() ?? [];
    if (cause === undefined || text === undefined || warned.has(cause)) return;
    warned.add(cause);
    console.warn(`rtk-resource: ${text}`);
  }
}

/** Shows a value in an error message: short, and never failing. */
export function show(value: unknown): string {
  try {
    if (typeof value === 'string') return JSON.stringify(shortened(value));
    if (typeof value === 'function') return `the function ${value.name || '(anonymous)'}`;
    if (typeof value !== 'object' || value === null) return String(value);
    return shortened(JSON.stringify(value));
  } catch {
    return reasonOf(value);
  }
}

/** A text, or the beginning of a long one. */
export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** What a function gives; something else where it throws. */
export function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** A recipe. The text of a mistake in it names nothing: in development it is told with the name of the endpoint. */
export function namedRecipe<Args extends readonly unknown[]>(
  recipe: (...args: Args) => unknown,
  name: string,
): (...args: Args) => unknown {
  if (process.env.NODE_ENV !== 'production')
    return (...args) => {
      try {
        return recipe(...args);
      } catch (cause) {
        if (cause instanceof TypeError)
          throw new TypeError(`The recipe of ${name} failed: ${cause.message}`, { cause });
        throw cause;
      }
    };
  return recipe;
}

/** What was thrown, in words; never failing, whatever it is. */
export function reasonOf(thrown: unknown): string {
  try {
    // Plain data is thrown, too, as by `unwrap()` of RTK Query; the text of that says nothing.
    const said = (thrown as { readonly message?: unknown } | undefined)?.message ?? thrown;
    const text = String(said);
    return text === '[object Object]' ? JSON.stringify(said) : text;
  } catch {
    return 'something that cannot be shown';
  }
}
