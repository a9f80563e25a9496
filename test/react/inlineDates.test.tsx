import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useResource } from 'rtk-resource/react';
import { expect, it } from 'vitest';
import { setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { expectWarning } from '../support/strict.js';

class Visit extends Entity {
  id = 0;
  static override key = 'Visit';
}

const server = await serverOfFile();
const Visits = createResource({
  path: '/visits/:id',
  schema: Visit,
  searchParams: {} as { since: Date; q: string } | undefined,
});

/** A store whose requests are answered at once, and what was asked. */
function setupVisits() {
  const asked: string[] = [];
  const fetchFn = (input: string): Promise<Response> => {
    asked.push(input);

    return Promise.resolve(Response.json([{ id: asked.length }]));
  };
  const tools = setupScreen(server, { fetchFn });

  return {
    ...tools,
    asked,
    /** Lets requests and renders follow each other for as long as there are any, or for a while. */
    settle: async () => {
      for (let i = 0; i < 60; i++) await tools.doing(() => new Promise((resolve) => setTimeout(resolve, 2)));
    },
  };
}

it('a Date that each render makes anew does not fetch again and again, and is named', async () => {
  expectWarning(/"since" of Visit\/getList is another Date in each render/);
  const { show, settle, asked, doing } = setupVisits();
  function Recent() {
    const [q, setQ] = useState('a');
    const { data } = useResource(Visits.getList, { since: new Date(), q });

    return (
      <button
        onClick={() => {
          setQ('b');
        }}
      >
        {data?.length}
      </button>
    );
  }
  await show(<Recent />);
  await settle();
  const before = asked.length;

  await doing(() => fireEvent.click(screen.getByRole('button')));
  await settle();

  expect(before).toBeLessThan(10);
  expect(asked.slice(before)).toEqual([expect.stringContaining('q=b')]);
});

it('a Date that is kept is asked for whenever it is another', async () => {
  const { show, settle, asked, doing } = setupVisits();
  function Recent() {
    const [since, setSince] = useState(() => new Date());
    const { data } = useResource(Visits.getList, { since });

    return (
      <button
        onClick={() => {
          setSince(new Date());
        }}
      >
        {data?.length}
      </button>
    );
  }
  await show(<Recent />);

  for (let i = 0; i < 8; i++) {
    await settle();
    await doing(() => fireEvent.click(screen.getByRole('button')));
  }
  await settle();

  expect(new Set(asked).size).toBe(9);
});

it('a Date of a week ago that each render makes anew does not fetch again and again either', async () => {
  expectWarning(/"since" of Visit\/week is another Date in each render/);
  const week = Visits.getList.extend({ name: 'Visit/week' });
  const { show, settle, asked } = setupVisits();
  function Recent() {
    const { data } = useResource(week, { since: new Date(Date.now() - 7 * 86_400_000), q: 'week' });

    return <p>{data?.length}</p>;
  }
  await show(<Recent />);
  await settle();

  expect(asked.length).toBeLessThan(12);
});
