import { current, isDraft } from '@reduxjs/toolkit';
import { namedRecipe, resourceError, show } from '../../../errors.js';
import type { EntitySchema } from '../../../schema/EntitySchema.js';
import { isPlain, isRecord, none, setOwn, type Definition, type Row } from '../../../schema/Schema.js';
import { schemaOf } from '../../../schema/schemaOf.js';
import type { Changes } from '../../../tables/changes.js';
import { sameValue } from '../../../tables/same.js';
import { answersTable, Places } from '../../../tables/Places.js';
import type { RecipeTools, RunRecipe } from '../../endpoint.js';
import type { Recipe } from '../../order/rebasing.js';
import { toWire, withoutPromise } from '../plain.js';
import { DraftChanges } from './draftChanges.js';
import { Drafts, Reference, type Over } from './Drafts.js';
import { fill, Put, type ListDraft, type RecordDraft } from './handlers.js';

/** What a recipe is about. */
export interface Subject {
  readonly definition: Definition;
  /** What stands for the value. */
  readonly ref: unknown;
  /** The request whose answer it is, where that may be more than rows and lists. */
  readonly answer?: string | undefined;
}

/** What runs a recipe over tables and notes what that looks at, and what that has looked at last. */
export function noting(run: (over: Over) => Changes | undefined): Pick<Required<Recipe>, 'find' | 'looked'> {
  let looked = new Places();
  const find: Recipe['find'] = (tables) => {
    const now = new Places();
    const changes = run({ tables, looked: now });
    looked = now;
    return changes;
  };
  return { find, looked: () => looked };
}

/** What a recipe changes of rows and lists; undefined where there is nothing to draft. Throws what the recipe throws. */
export function draft(
  name: string,
  over: Over,
  { definition, ref, answer }: Subject,
  recipe: RunRecipe,
): Changes | undefined {
  return Drafts.use(name, over, ref, (drafts) => {
    if (answer !== undefined) over.looked?.set(answersTable, answer, true);
    const root = drafts.answer(definition, ref);
    if (typeof root !== 'object' || root === null) return undefined;
    const given = run(name, recipe, root, drafts);
    if (isOther(drafts, root, given)) replace(drafts, root, given, name);
    const found = new DraftChanges(drafts, name);
    const now = schemaOf(definition) ? found.refOf(definition, root, ref) : toWire(plain(root, drafts), name);
    const changes = found.all();
    if (answer === undefined || sameValue(now, ref)) return changes;
    const shown = { table: answersTable, pks: [answer], rows: [{ result: now }], whole: true } as const;
    return { rows: [...changes.rows, shown], lists: changes.lists };
  });
}

/** What came of a recipe of what is to be created. */
interface Completed {
  readonly response: unknown;
  /** What it has changed of rows that are there. */
  readonly changes: Changes;
}

/** What a recipe makes of a value that is no row yet: of what a create is expected to be answered with. */
export function complete(
  name: string,
  over: Over,
  { definition, response }: { readonly definition: Definition; readonly response: unknown },
  recipe: RunRecipe,
): Completed {
  return Drafts.use(name, over, response, (drafts) => {
    const root = drafts.made(definition, response, drafts.value);
    const given = run(name, recipe, root, drafts);
    const value = given !== null && isOther(drafts, root, given) ? given : root;
    if (Array.isArray(value) !== Array.isArray(root)) throw resourceError('R11', 'The recipe', name, show(value));
    return { response: plain(value, drafts), changes: new DraftChanges(drafts, name).all() };
  });
}

function run(name: string, recipe: RunRecipe, root: unknown, drafts: Drafts): unknown {
  return withoutPromise(namedRecipe(recipe, name)(root, toolsOf(drafts)), 'The recipe', name);
}

/** Whether a recipe gives another value: not what an arrow function without braces assigns to a field, or takes out of a list. `(issue) => (issue.votes += 1)` mutates, and gives a number. */
function isOther(drafts: Drafts, root: unknown, given: unknown): boolean {
  if (typeof given !== 'object' || given === root) return false;
  if (given === null) return true;
  const isTaken = [...drafts.lists.values()].some(({ taken }) => taken === given);
  return !isTaken && !(isRecord(root) && Object.values(root).includes(given));
}

function toolsOf(drafts: Drafts): RecipeTools {
  // What it refers to is of the class.
  return { ref: (entity, id) => drafts.ref(schemaOf(entity) as EntitySchema, id) as never };
}

/** What a recipe gives stands in place of its draft; what it leaves out stays. */
function replace(drafts: Drafts, root: object, given: unknown, name: string): void {
  const list = drafts.lists.get(root);
  if (list && Array.isArray(given)) fill(list.now, Put.all(given));
  else if (!list && Array.isArray(root) && Array.isArray(given)) fill(root, given);
  else if (isRecord(root) && isRecord(given)) Object.assign(root, given);
  else throw resourceError('R11', 'The recipe', name, show(given));
}

/** What a recipe has put together, with pks in place of the rows that it refers to. */
function plain(value: unknown, drafts: Drafts): unknown {
  if (value instanceof Reference) return value.pk;
  if (typeof value !== 'object' || value === null) return value;
  const record = drafts.records.get(value);
  if (record?.row?.pk !== undefined) return record.row.pk;
  const list = drafts.lists.get(value);
  if (list) return refsIn(list).map((member) => plain(member, drafts));
  if (Array.isArray(value)) return value.map((member: unknown) => plain(member, drafts));
  if (isPlain(value)) return plainFields(value, record, drafts);
  return isDraft(value) ? current(value) : value;
}

/** The fields of an object; `record` is what is known of it as the draft of a row or a shape. */
function plainFields(value: Row, record: RecordDraft | undefined, drafts: Drafts): Row {
  const copy: Record<string, unknown> = {};
  const fields = record ? (record.written ?? record.base) : value;
  for (const field of Object.keys(fields)) setOwn(copy, field, plain(fields[field], drafts));
  for (const [field, { ref, value }] of record?.nested ?? none) {
    const now = plain(value, drafts);
    // What is not there stays as it is referred to.
    if (now !== undefined && !sameValue(now, ref)) setOwn(copy, field, now);
  }
  return copy;
}

/** What a list refers to, and what was put in; what is not there stays in it. */
function refsIn({ hidden, now }: ListDraft): readonly unknown[] {
  return [...now.map((member) => (member instanceof Put ? member.value : member)), ...hidden];
}
