// data-client's engine is @data-client/normalizr. Around it, the entity and the reducer of responses are written after those
// of @data-client/endpoint and @data-client/core, without what a store of Redux does anyway.
import { configureStore } from '@reduxjs/toolkit';
import { INVALID, MemoCache, normalize } from '@data-client/normalizr';
import { watchStore } from '../watch.mjs';

/** @import { Issue as Row, Peer, Session } from '../Peer.js' */
/** @import { IDenormalizeDelegate, INormalizeDelegate } from '@data-client/normalizr' */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ date: number, fetchedAt: number, expiresAt: number }} Meta */

// It has what the class of data-client has.
// eslint-disable-next-line @typescript-eslint/no-extraneous-class
export class Entity {
  static key = '';
  /** @type {Record<string, unknown>} */
  static schema = {};
  /** @type {Fields | undefined} */
  static known;

  static get defaults() {
    if (!Object.hasOwn(this, 'known')) this.known = /** @type {Fields} */ (/** @type {unknown} */ (new this()));
    return /** @type {Fields} */ (this.known);
  }

  /** @param {Fields} value */
  static pk(value) {
    return /** @type {string | undefined} */ (value['id']);
  }

  /** @param {Fields} input @param {unknown} _parent @param {unknown} _key @param {INormalizeDelegate} delegate */
  static normalize(input, _parent, _key, delegate) {
    const processed = this.process(input);
    const pk = this.pk(processed);
    if (pk === undefined || pk === '' || pk === 'undefined') throw new Error('no pk');
    if (delegate.checkLoop(this.key, pk, input)) return pk;
    const problem = this.validate(processed);
    if (problem !== undefined) throw new Error(problem);
    for (const field of Object.keys(this.schema)) {
      if (Object.hasOwn(processed, field)) {
        const value = /** @type {unknown} */ (delegate.visit(this.schema[field], processed[field], processed, field));
        processed[field] = value;
      }
    }
    delegate.mergeEntity(this, pk, processed);
    return pk;
  }

  /** @param {Fields} input */
  static process(input) {
    return { ...input };
  }

  /** @param {Fields} _input @returns {string | undefined} */
  static validate(_input) {
    return undefined;
  }

  /** @param {Fields} existing @param {Fields} incoming */
  static merge(existing, incoming) {
    return { ...existing, ...incoming };
  }

  /** @param {Meta} existingMeta @param {Meta} incomingMeta @param {Fields} existing @param {Fields} incoming */
  static mergeWithStore(existingMeta, incomingMeta, existing, incoming) {
    if (!this.shouldUpdate(existingMeta, incomingMeta)) return existing;
    if (typeof incoming !== typeof existing) return incoming;
    return this.shouldReorder(existingMeta, incomingMeta)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }

  /** @param {Meta} existingMeta @param {Meta} incomingMeta */
  static mergeMetaWithStore(existingMeta, incomingMeta) {
    return this.shouldReorder(existingMeta, incomingMeta) ? existingMeta : incomingMeta;
  }

  /** @param {Meta} _existingMeta @param {Meta} _incomingMeta */
  static shouldUpdate(_existingMeta, _incomingMeta) {
    return true;
  }

  /** @param {Meta} existingMeta @param {Meta} incomingMeta */
  static shouldReorder(existingMeta, incomingMeta) {
    return incomingMeta.fetchedAt < existingMeta.fetchedAt;
  }

  /** @param {Fields} fields */
  static createIfValid(fields) {
    return this.validate(fields) === undefined ? Object.assign(new this(), fields) : undefined;
  }

  /** @param {Fields | symbol} input @param {IDenormalizeDelegate} delegate */
  static denormalize(input, delegate) {
    if (typeof input === 'symbol') return input;
    for (const field of Object.keys(this.schema)) {
      const value = /** @type {unknown} */ (delegate.unvisit(this.schema[field], input[field]));
      if (typeof value === 'symbol' && this.defaults[field]) return value;
      input[field] = typeof value === 'symbol' ? undefined : value;
    }
    return input;
  }

  static queryKey() {
    return undefined;
  }
}

class User extends Entity {
  id = '';
  login = '';
  name = '';
  email = '';
  avatarUrl = '';
  admin = false;
  static key = 'User';
}

class Issue extends Entity {
  id = '';
  number = 0;
  title = '';
  body = '';
  state = '';
  url = '';
  locked = false;
  comments = 0;
  priority = 0;
  score = 0;
  milestone = /** @type {string | null} */ (null);
  branch = '';
  createdAt = '';
  updatedAt = '';
  closedAt = /** @type {string | null} */ (null);
  user = /** @type {User | undefined} */ (undefined);
  static key = 'Issue';
  static schema = { user: User };
}

/**
 * @typedef {object} Endpoint
 * @property {object} schema
 * @property {(id: string) => Record<string, (earlier: readonly string[]) => readonly string[]>} [update]
 */
/**
 * @typedef {object} Action
 * @property {'set' | 'optimistic'} type
 * @property {Endpoint} endpoint
 * @property {string} key
 * @property {unknown} [payload]
 * @property {boolean} [error]
 * @property {Meta} meta
 */
/**
 * @typedef {object} State
 * @property {Record<string, Fields>} entities
 * @property {Record<string, unknown>} endpoints
 * @property {Fields} indexes
 * @property {Record<string, Meta>} meta
 * @property {Record<string, Fields>} entitiesMeta
 * @property {readonly Action[]} optimistic
 */

/** @type {State} */
const nothing = { entities: {}, endpoints: {}, indexes: {}, meta: {}, entitiesMeta: {}, optimistic: [] };

/** Core's reducer of responses. @param {State | undefined} state @param {Action | { type: string }} action @returns {State} */
function reducer(state = nothing, action) {
  return 'endpoint' in action ? setReducer(state, action) : state;
}

/** @param {State} state @param {Action} action @returns {State} */
function setReducer(state, action) {
  const { endpoint, key, payload, meta } = action;
  if (action.error) return { ...state, optimistic: withoutSettled(state, action) };
  // What is given back is as plain as what is put in.
  const { result, entities, indexes, entitiesMeta } = /** @type {State & { result: string }} */ (
    /** @type {unknown} */ (normalize(endpoint.schema, payload, [], /** @type {never} */ (state), meta))
  );
  const endpoints = { ...state.endpoints, [key]: result };
  const updaters = endpoint.update?.(result) ?? {};
  for (const [name, update] of Object.entries(updaters)) {
    endpoints[name] = update(/** @type {readonly string[]} */ (endpoints[name]));
  }
  const { date, fetchedAt, expiresAt } = meta;
  const answered = { date, fetchedAt, expiresAt, prevExpiresAt: state.meta[key]?.expiresAt };
  return {
    entities,
    endpoints,
    indexes,
    meta: { ...state.meta, [key]: answered },
    entitiesMeta,
    optimistic: withoutSettled(state, action),
  };
}

/** @param {State} state @param {Action} settling */
function withoutSettled({ optimistic }, settling) {
  return optimistic.filter(({ key, meta }) => key !== settling.key || meta.fetchedAt !== settling.meta.fetchedAt);
}

/** As its store does: optimistic actions wait beside the state. @param {State | undefined} state @param {Action} action @returns {State} */
function storeReducer(state = nothing, action) {
  return action.type === 'optimistic'
    ? { ...state, optimistic: [...state.optimistic, action] }
    : reducer(state, action);
}

let now = 0;

/** A store with data-client's reducer. */
export function openStore() {
  const store = configureStore({
    reducer: /** @type {import('@reduxjs/toolkit').Reducer<State>} */ (/** @type {unknown} */ (storeReducer)),
  });
  const memo = new MemoCache();
  /** @param {string} key @param {Endpoint} endpoint @param {unknown} payload @param {Partial<Action>} [more] */
  const set = (key, endpoint, payload, more) => {
    const meta = { date: ++now, fetchedAt: now, expiresAt: Infinity };
    const action = /** @type {const} */ ({ type: 'set', endpoint, key, payload, meta, ...more });
    store.dispatch(action);
    return action;
  };
  /** @type {{ of: State, state: State } | undefined} */
  let shown;
  const state = () => {
    const of = store.getState();
    if (of.optimistic.length === 0) return of;
    if (shown?.of !== of) shown = { of, state: of.optimistic.reduce(setReducer, of) };
    return shown.state;
  };
  return { store, memo, set, state };
}

const list = { schema: [Issue] };
const issue = { schema: Issue };
const user = { schema: User };
const newIssue = {
  schema: Issue,
  /** @param {string} id */
  update: (id) => ({ list: (/** @type {readonly string[]} */ ids) => [...ids, id] }),
};

/** @type {Peer} */
export default {
  cannot: [],
  open() {
    const { store, memo, set, state } = openStore();
    /** @param {string} key @param {Endpoint} endpoint @param {object} expected */
    const optimistic = (key, endpoint, expected) => {
      const { meta } = set(key, endpoint, expected, { type: 'optimistic' });
      return {
        /** @param {Row} answer */
        succeed: (answer) => void set(key, endpoint, answer, { meta: { ...meta, date: ++now } }),
        fail: () => void set(key, endpoint, undefined, { meta: { ...meta, date: ++now }, error: true }),
      };
    };
    return /** @type {Session} */ ({
      receive: (rows) => void set('list', list, rows),
      read() {
        const { entities, endpoints } = state();
        const { data } = memo.denormalize(list.schema, endpoints['list'], entities);
        if (data === INVALID) throw new Error('invalid');
        return /** @type {readonly Row[]} */ (data);
      },
      write: (id, fields) => void set(`issue ${id}`, issue, { id, ...fields }),
      add: (row) => void set(`issue ${row.id}`, issue, row),
      writeUser: (id, fields) => void set(`user ${id}`, user, { id, ...fields }),
      watch(issues) {
        const selectors = issues.map(
          ({ id }) =>
            (/** @type {State} */ { entities }) =>
              memo.denormalize(Issue, id, entities).data,
        );
        const seen = watchStore(store, selectors);
        return { write: this.write, seen };
      },
      create: (row) => optimistic('create', newIssue, row),
      update: (id, fields) => optimistic(`update ${id}`, issue, { id, ...fields }),
    });
  },
};
