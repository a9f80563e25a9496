import { createResource, Entity } from 'rtk-resource';
import { useResource } from 'rtk-resource/react';
import { expect, it } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });

function List() {
  const { data, isOptimistic } = useResource(Notes.getList);
  return (
    <p>
      {data?.map(({ text }) => text).join(' ')} {isOptimistic ? 'saving' : 'saved'}
    </p>
  );
}

it.each([
  ['confirmed', { json: { id: 1, text: 'edited' } }, 'edited saved'],
  ['refused', { status: 422, json: {} }, 'one saved'],
])('a component is told that an edit is pending, until it is %s', async (_, reply, after) => {
  const { store, show, doing, answer } = setupScreen(server);
  await show(<List />);
  await answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
  const before = screenText();

  await doing(() => void store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' })));
  const during = screenText();
  await answer('PATCH /notes/1', reply);

  expect([before, during, screenText()]).toEqual(['one saved', 'edited saving', after]);
});
