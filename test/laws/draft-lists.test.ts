import fc from 'fast-check';
import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { search } from '../support/search.js';
import { setup } from '../support/store.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 600_000 });

class Todo extends Entity {
  id = 0;
  title = '';

  static override key = 'Todo';
}

interface Wire {
  id: number;
  title: string;
}

const TodoResource = createResource({ path: '/draft-todos/:id', schema: Todo });

/** A step of a recipe, for arrays and drafts alike: what it is given may be either. */
type Step = (todos: Wire[]) => unknown;

const index = fc.nat({ max: 7 });
const made = fc.nat({ max: 3 }).map((id): Wire => ({ id: 100 + id, title: 'made' }));
const step: fc.Arbitrary<Step> = fc.oneof(
  made.map((todo) => (todos: Wire[]) => isIn(todos, todo) || todos.push({ ...todo })),
  made.map((todo) => (todos: Wire[]) => isIn(todos, todo) || todos.unshift({ ...todo })),
  fc.constant((todos: Wire[]) => todos.pop()?.id),
  fc.constant((todos: Wire[]) => todos.shift()?.id),
  index.map((at) => (todos: Wire[]) => todos.splice(at).map(({ id }) => id)),
  fc.tuple(index, index).map(
    ([at, count]) =>
      (todos: Wire[]) =>
        todos.splice(at, count).map(({ id }) => id),
  ),
  fc.tuple(index, index).map(
    ([from, to]) =>
      (todos: Wire[]) =>
        void todos.splice(to, 0, ...todos.splice(from, 1)),
  ),
  fc.constant((todos: Wire[]) => todos.reverse()[0]?.id),
  fc.constant((todos: Wire[]) => todos.sort((one, other) => other.id - one.id)[0]?.id),
  fc.tuple(index, index).map(([from, to]) => (todos: Wire[]) => {
    const [one, other] = [todos[from], todos[to]];
    if (one && other) [todos[from], todos[to]] = [other, one];
  }),
  index.map((at) => (todos: Wire[]) => {
    const todo = todos[at];
    if (todo) todo.title += '!';
  }),
  index.map((id) => (todos: Wire[]) => todos.find((todo) => todo.id === id)?.title),
  index.map((length) => (todos: Wire[]) => {
    todos.length = Math.min(length, todos.length);
  }),
  index.map((at) => (todos: Wire[]) => todos.at(at)?.id),
);

function isIn(todos: readonly Wire[], { id }: Wire): boolean {
  return todos.some((todo) => todo.id === id);
}

describe('the draft of a list', () => {
  it('does what an array does, gives what that gives, and leaves the list as it leaves the array', () => {
    fc.assert(
      fc.property(fc.nat({ max: 6 }), fc.array(step, { maxLength: 8 }), (length, steps) => {
        const { store, resources } = setup();
        const rows = Array.from({ length }, (_, id) => ({ id, title: 'todo' }));
        store.dispatch(resources.setResponse(TodoResource.getList, {}, rows));
        const array = structuredClone(rows);
        const given = steps.map((act) => act(array));
        const drafted: unknown[] = [];

        const patch = store.dispatch(
          resources.patch(TodoResource.getList, {}, (todos) => {
            for (const act of steps) drafted.push(act(todos));
          }),
        );

        const shown = () =>
          TodoResource.getList
            .select()(store.getState())
            ?.map(({ id, title }) => ({ id, title }));
        expect(drafted).toEqual(given);
        expect(shown()).toEqual(array);
        patch.undo();
        expect(shown()).toEqual(rows);
      }),
      search,
    );
  });
});
