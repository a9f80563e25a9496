import { nanoid } from '@reduxjs/toolkit';
import type { EntityClass } from '../../schema/Entity.js';
import { noChanges, rowIn, type Changes } from '../../tables/changes.js';
import { findLists } from '../../schema/ListsSchema.js';
import { refsIn, type ListChange } from '../../tables/members.js';
import { answersTable } from '../../tables/Places.js';
import { partsOf } from '../../tables/Reach.js';
import { hasAny } from '../../tables/same.js';
import { rowOf, type Tables } from '../../tables/tables.js';
import { inOrderOf } from './pages.js';
import type { WriteMeta } from '../actions.js';
import { protocol, type AnyEndpoint, type EntityId, type RunRecipe } from '../endpoint.js';
import { withMoves } from '../order/intents.js';
import { queryTables } from '../reading/finder.js';
import { answerIn } from '../reading/queryEndpoint.js';
import { keptPkOf } from '../reading/selectors.js';
import { readerOf } from '../reading/StoreReader.js';
import { requestPk, type ResourcesState } from '../state.js';
import { normalizedOf } from './answers.js';
import type { LandingParts } from './Lander.js';
import { assertCreated } from './refusal.js';
import type { Written } from './written.js';
import type { Landings } from './landing.js';
import { describe } from './plain.js';
import { draft, noting, type Subject } from './recipes/recipes.js';

/** What a patch by hand is about: a row, or the answer of a read. */
export type PatchSubject =
  | { readonly entity: EntityClass; readonly id: EntityId }
  | { readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] };

/**
 * A patch by hand, until it is undone or committed; after that, and after `reset`, both do nothing.
 *
 * @example
 * const preview: Patch = dispatch(resources.patch(Todo, { id: 5 }, (todo) => void (todo.title = 'Read')));
 * preview.commit();
 */
export interface Patch {
  /** Shows what is there without it. */
  undo(): void;
  /** Confirms what its recipe makes of what is confirmed by now, in the place where it was made. */
  commit(): void;
}

/** What a patch by hand needs of its store. */
type Parts = Pick<LandingParts, 'store' | 'guesses' | 'lifetime'> & { readonly landings: Landings };

/** Lays a patch by hand: a guess without a request. */
export function makePatch(parts: Parts, about: PatchSubject, recipe: RunRecipe): Patch {
  const { store, guesses, lifetime, landings } = parts;
  const { slice, actions } = store;
  if ('endpoint' in about) lifetime.meet(about.endpoint);
  else lifetime.followed.meetOnce(about.entity);
  const name = 'endpoint' in about ? `resources.patch(${about.endpoint.name})` : 'resources.patch';
  const requestId = nanoid();
  const noted = noting((over) => draft(name, over, subjectOf(store.slice, about, over.tables), recipe));
  const shown = readerOf(slice).shown(slice);
  const changes = withMoves(noted.find(shown) ?? noChanges, { base: () => shown, followed: lifetime.followed });
  guesses.recipes.set(requestId, { ...noted, sends: new Set(), onLists: false });
  const seq = store.nextSeq();
  const payload =
    'endpoint' in about
      ? { endpointName: about.endpoint.name, args: describe(about.args) }
      : { entity: about.entity.key, id: describe(about.id) };
  const dispatch = (type: string, meta: WriteMeta): void => void store.dispatch(type, { payload, meta });
  dispatch(actions.patch.type, { seq, changes: noChanges, begins: { requestId, seq, changes, isPatch: true } });
  const isPending = (): boolean => store.slice.intents.some((intent) => intent.requestId === requestId);
  const end = (type: string, landing: Written, records: WriteMeta['records'] = {}): void => {
    const { result: _, outdated: __, came: ___, ...written } = landing;
    dispatch(type, { seq: store.seq, ...written, ends: requestId, records });
    landings.lander.after(landing);
  };
  return {
    undo: () => {
      if (isPending()) end(actions.undo.type, landings.ofNothing(requestId));
    },
    commit: () => {
      if (!isPending()) return;
      const found = landings.ofPatch(requestId) ?? noChanges;
      const confirmed = { rows: found.rows.filter(({ table }) => table !== answersTable), lists: found.lists };
      assertCreated(confirmed, 'resources.patch');
      const records = recordsOf(store.slice, about, found);
      const landing = landings.ofWrite(
        store.nextSeq(),
        {
          fields: (table, pk) => Object.keys(rowIn(confirmed, table, pk) ?? {}),
          normalize: () => normalizedOf(confirmed),
        },
        { requestId, seq },
      );
      end(actions.commit.type, landing, records);
    },
  };
}

/** The answer of a request, and its pages, as a patch has changed them. */
function recordsOf(slice: ResourcesState, about: PatchSubject, { rows, lists }: Changes): WriteMeta['records'] {
  const { definition, answer: name = '' } = subjectOf(slice, about, slice.tables);
  const { answer, pages } = rowOf(slice.requests, name) ?? {};
  const shown = rows.find(({ table }) => table === answersTable)?.rows[0];
  // A list inside one of its items may be of the same Collection.
  const collection = findLists(definition);
  const own = partsOf(definition, answer?.result).find(({ table }) => table === collection?.table);
  const isOrder = ({ table, pk, operation }: ListChange): boolean =>
    operation === 'set' && table === own?.table && pk === own.pk;
  const order = lists.find(isOrder)?.list;
  const record = {
    ...(answer && shown && { answer: { ...answer, result: shown['result'] } }),
    ...(pages && order && { pages: { ...pages, all: inOrderOf(refsIn(order), pages.all) } }),
  };
  return hasAny(record) ? { [name]: record } : {};
}

/** What a patch is about, in given tables: what was created meanwhile, it is about by its real id. */
function subjectOf(slice: ResourcesState, about: PatchSubject, tables: Tables): Subject {
  const { ids } = readerOf(slice);
  if ('entity' in about) {
    const { entity } = about;
    const id = ids.real(about.id);
    const pk = keptPkOf(tables, entity, id);
    return { definition: entity, ref: pk === '' ? queryTables(tables, entity, [id]) : pk };
  }
  const { endpoint } = about;
  const args = ids.real(endpoint[protocol].plainArgs(about.args));
  const name = requestPk(endpoint.name, endpoint.key(...args));
  return { definition: endpoint.schema, ref: answerIn(slice)(tables, endpoint, args), answer: name };
}
