import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Game } from '../docs/.vitepress/theme/break-it/Game.js';
import { home, scenes } from '../docs/.vitepress/theme/break-it/scenes.js';

// The page of the docs on which readers play races by hand.
const game = new Game();
beforeAll(() => {
  game.start();
});
afterAll(() => {
  game.stop();
});

async function play(scene: number, way: Game['way']['value'] = 'by hand'): Promise<void> {
  game.way.value = way;
  await game.begin();
  for (const step of scenes[scene]?.steps ?? []) {
    game.play(step);
    // A step is played when what it leads to has been sent.
    await new Promise((resolve) => setTimeout(resolve));
  }
  // Whoever asks again is answered.
  await vi.waitUntil(() => {
    for (const label of game.labels) game.end(label, 'answer');
    return game.labels.length === 0;
  });
}

const shown = (i: number): string | undefined => game.sides.value[i]?.app.titles();
const onServer = (i: number): string | undefined =>
  game.sides.value[i]?.server.todos.map(({ title }) => title).join(' ');

it.each(scenes.map(({ title }, i) => [title, i] as const))('%s: rtk-resource ends as its server', async (_title, i) => {
  await play(i);

  expect(shown(0)).toBe(onServer(0));
});

it('shows where RTK Query, by hand, does not end as its server', async () => {
  await play(0);

  expect(shown(1)).toBe('apples bread cheese');
  expect(onServer(1)).toBe('apples2 bread cheese');
});

it('shows on the home page an edit that flickers back with tags, and not with rtk-resource', async () => {
  await play(home, 'by tags');
  // The list that tags ask for again is answered, too.
  await vi.waitUntil(() => {
    for (const label of game.labels) game.end(label, 'answer');
    return shown(1) === onServer(1);
  });

  const ofApples = game.sides.value.map(({ app }) => app.seen.map((titles) => titles.split(' ')[0]).join(' '));
  expect(ofApples[0]).toMatch(/^(apples )+apples1( apples1)*$/);
  expect(ofApples[1]).toMatch(/apples1 apples( .*)? apples1$/);
});
