import { createResource, Entity } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  votes = 0;
  tags: string[] = [];
  static override key = 'Todo';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, etag: true });
const asked: Partial<Todo>[] = [];
const onConflict = ({ theirs }: { theirs: Partial<Todo> }) => {
  asked.push(theirs);
  return { votes: (theirs.votes ?? 0) + 1, tags: [...(theirs.tags ?? []), 'mine'] };
};
const write = TodoResource.partialUpdate.extend({
  name: 'Todo/write',
  onConflict: onConflict as never,
  optimistic: (todo) => {
    todo.votes += 1;
    todo.tags.push('mine');
  },
});

async function setupTodo() {
  asked.length = 0;
  const server = mockServer([TodoResource], { seed: { Todo: [{ id: 1, title: 'one', votes: 0, tags: [] }] } });
  const tools = setup({ fetchFn: server.fetch });
  await tools.store.dispatch(TodoResource.get({ id: 1 }));
  return { ...tools, server, save: () => tools.store.dispatch(write({ id: 1 }, { votes: 1, tags: ['mine'] })) };
}

describe('a write with a tag whose recipe counts', () => {
  it('asks onConflict where somebody else has changed what it counts', async () => {
    const { server, save, read, resources } = await setupTodo();

    server.set(Todo, { id: 1, votes: 5, tags: ['theirs'] });
    await save().unwrap();

    expect(asked).toMatchObject([{ votes: 5, tags: ['theirs'] }]);
    expect(server.rows(Todo)).toMatchObject([{ votes: 6, tags: ['theirs', 'mine'] }]);
    expect(read(resources.selectEntity(Todo, 1))).toMatchObject({ votes: 6, tags: ['theirs', 'mine'] });
  });

  it('is sent once more where somebody else has changed another field', async () => {
    const { server, save, read, resources } = await setupTodo();

    server.set(Todo, { id: 1, title: 'theirs' });
    await save().unwrap();

    expect(asked).toEqual([]);
    expect(read(resources.selectEntity(Todo, 1))).toMatchObject({ title: 'theirs', votes: 1, tags: ['mine'] });
  });
});
