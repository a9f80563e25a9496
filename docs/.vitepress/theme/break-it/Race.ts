/** One race of the comparison, which plays by itself on the home page. */
import { defineComponent, h, onBeforeUnmount, onMounted, ref, type VNode } from 'vue';
import type { Way } from '../../../../bench/comparison/rtkQuery.js';
import { Game, type Side } from './Game.js';
import { home, scenes } from './scenes.js';

/** What is told before the race. */
const begun = 'You rename apples while the list is polled. Both libraries begin with the same list.';

/** How long a step is looked at, in ms. */
const PAUSE = 1_400;

export const Race = defineComponent(() => {
  const game = new Game();
  // What the documentation of RTK Query advises where changes overlap.
  game.way.value = 'by tags';
  game.scene.value = home;
  const told = ref(begun);
  const steps = scenes[home]?.steps ?? [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const next = (): void => {
    const step = steps[game.played.value];
    told.value = step?.text ?? 'Nothing is under way any more.';
    if (!step) return;
    game.play(step);
    timer = setTimeout(next, PAUSE);
  };
  const begin = async (): Promise<void> => {
    clearTimeout(timer);
    await game.begin();
    told.value = begun;
  };
  const play = async (): Promise<void> => {
    await begin();
    timer = setTimeout(next, PAUSE / 2);
  };

  onMounted(() => {
    game.start();
    void begin();
  });
  onBeforeUnmount(() => {
    clearTimeout(timer);
    game.stop();
  });
  return () =>
    h('div', { class: 'break-it race', 'data-version': game.version.value }, [
      h('div', { class: 'bar' }, [
        h('button', { type: 'button', class: 'next', onClick: () => void play() }, 'Play the race'),
        wayOf(game, begin),
      ]),
      h('p', { class: 'told', role: 'status' }, told.value),
      h('div', { class: 'sides' }, game.sides.value.map(panel)),
    ]);
});

function wayOf(game: Game, begin: () => Promise<void>): VNode {
  const onChange = ({ target }: Event): void => {
    game.way.value = (target as HTMLSelectElement).value as Way;
    void begin();
  };
  return h('label', [
    'RTK Query ',
    h('select', { value: game.way.value, onChange }, [
      h('option', { value: 'by tags' }, 'by tags'),
      h('option', { value: 'by hand' }, 'by hand (undo)'),
    ]),
  ]);
}

function panel({ name, app }: Side): VNode {
  const titles = app
    .titles()
    .split(' ')
    .map((title, i) => h('span', { key: i }, title));
  return h('section', { key: name, 'aria-label': name }, [
    h('h2', name),
    h('div', { class: 'rows' }, titles),
    h('p', { class: 'trail' }, `Apples was shown as: ${trailOf(app.seen).join(' → ')}`),
  ]);
}

/** What the first row of the list said, each time it changed. */
function trailOf(seen: readonly string[]): readonly string[] {
  return seen.map((titles) => titles.split(' ')[0] ?? '').filter((title, i, all) => title !== all[i - 1]);
}
