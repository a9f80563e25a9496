/** The races of the comparison, to be played by hand. */
import { defineComponent, h, onBeforeUnmount, onMounted, type VNode } from 'vue';
import type { Way } from '../../../../bench/comparison/rtkQuery.js';
import { Game, type Side } from './Game.js';
import { scenes } from './scenes.js';
import type { Ending } from './server.js';

const endings: readonly (readonly [how: Ending, text: string, title: string])[] = [
  ['answer', 'Answer', 'The server does it, and its answer comes'],
  ['refuse', 'Refuse', 'The server says 500'],
  ['lose', 'Lose', 'The server does it, and its answer is lost'],
];

export const BreakIt = defineComponent(() => {
  const game = new Game();
  onMounted(() => {
    game.start();
    void game.begin();
  });
  onBeforeUnmount(() => {
    game.stop();
  });
  return () =>
    h('div', { class: 'break-it', 'data-version': game.version.value }, [
      chooser(game),
      script(game),
      free(game),
      wire(game),
      h(
        'div',
        { class: 'sides' },
        game.sides.value.map((side) => panel(side, game.labels.length === 0)),
      ),
    ]);
});

function button(text: string, onClick: () => void, more: Readonly<Record<string, unknown>> = {}): VNode {
  return h('button', { type: 'button', onClick, ...more }, text);
}

type Option = readonly [value: string | number, text: string];

function select(
  label: string,
  value: string | number,
  options: readonly Option[],
  choose: (value: string) => void,
): VNode {
  const onChange = ({ target }: Event): void => {
    choose((target as HTMLSelectElement).value);
  };
  const children = options.map(([one, text]) => h('option', { value: one }, text));
  return h('label', [`${label} `, h('select', { value, onChange }, children)]);
}

function chooser(game: Game): VNode {
  const titles = scenes.map(({ title }, i): Option => [i, title]);
  const ways: readonly Option[] = [
    ['by hand', 'by hand (undo)'],
    ['by tags', 'by tags'],
  ];
  return h('div', { class: 'bar' }, [
    select('Scene', game.scene.value, titles, (value) => {
      game.scene.value = Number(value);
      void game.begin();
    }),
    select('RTK Query', game.way.value, ways, (value) => {
      game.way.value = value as Way;
      void game.begin();
    }),
    button('Begin anew', () => void game.begin()),
  ]);
}

function script(game: Game): VNode {
  const { steps = [] } = scenes[game.scene.value] ?? {};
  const played = game.played.value;
  const play = (i: number) => (): void => {
    const step = steps[i];
    if (step) game.play(step);
  };
  return h(
    'ol',
    { class: 'steps' },
    steps.map(({ text }, i) =>
      h('li', { class: { done: i < played } }, [i === played ? button(text, play(i), { class: 'next' }) : text]),
    ),
  );
}

let edits = 0;

function free(game: Game): VNode {
  const does = (text: string, run: Parameters<Game['act']>[0], more = {}): VNode =>
    button(
      text,
      () => {
        game.act(run);
      },
      more,
    );
  return h('div', { class: 'bar' }, [
    h('span', 'Or do what you like:'),
    button('Rename apples', () => {
      const title = `apples${String((edits = (edits % 89) + 1) + 10)}`;
      game.act((app) => app.edit('a', { title }));
    }),
    does('Delete bread', (app) => app.remove('b')),
    does('Add dates', (app) => app.create({ title: 'dates' })),
    does('Poll', (app) => app.poll(), { disabled: game.labels.includes('GET /todos') }),
    does('Somebody else renames cheese', (_app, server) => {
      server.write(3, { title: 'cheddar' });
    }),
  ]);
}

function wire(game: Game): VNode {
  const sides = game.sides.value;
  const heads = ['Under way', ...sides.map(({ name }) => name), 'Let the server'];
  const row = (label: string): VNode =>
    h('tr', { key: label }, [
      h('td', h('code', label)),
      ...sides.map(({ name, server: { held } }) =>
        h('td', { key: name }, held.some((one) => one.label === label) ? '●' : ''),
      ),
      h(
        'td',
        endings.map(([how, text, title]) =>
          button(
            text,
            () => {
              game.end(label, how);
            },
            { title },
          ),
        ),
      ),
    ]);
  const { labels } = game;
  const nothing = h('tr', h('td', { colspan: heads.length }, 'Nothing is under way.'));
  return h('table', { class: 'wire' }, [
    h(
      'thead',
      h(
        'tr',
        heads.map((text) => h('th', text)),
      ),
    ),
    h('tbody', labels.length === 0 ? nothing : labels.map(row)),
  ]);
}

function panel({ name, app, server }: Side, isSettled: boolean): VNode {
  const list = app.titles();
  const has = server.todos.map(({ title }) => title).join(' ');
  const titles = (text: string, kind = ''): VNode =>
    h(
      'dd',
      { class: ['rows', kind] },
      text.split(' ').map((title, i) => h('span', { key: i }, title)),
    );
  const verdict = list === has ? 'as on the server' : 'not what the server has';
  return h('section', { key: name, 'aria-label': name }, [
    h('h2', name),
    h('dl', [
      h('dt', 'List'),
      titles(list),
      h('dt', 'Detail of apples'),
      titles(app.detail('a')?.title ?? '(nothing)'),
      h('dt', 'The server has'),
      titles(has, 'server'),
      h('dt', 'Shown so far'),
      h(
        'dd',
        h(
          'ol',
          { class: 'seen' },
          app.seen.map((seen, i) => h('li', { key: i }, seen)),
        ),
      ),
    ]),
    h(
      'p',
      { class: ['verdict', isSettled && (list === has ? 'good' : 'bad')], role: 'status' },
      isSettled ? verdict : 'something is under way',
    ),
  ]);
}
