/** Runs the snippets of the guides, as the reader changes them. The code runs in a frame of its own, which can reach neither the page nor the network. */
import { useData, withBase } from 'vitepress';
import { computed, defineComponent, h, nextTick, onBeforeUnmount, onMounted, ref, shallowRef, type VNode } from 'vue';
import type { Program } from '../../programs.js';
import { editor, lineOf } from './editor.js';
import { documentOf } from './frame.js';
import type { FrameMessage, RunMessage } from './messages.js';
import { data as programs } from './programs.data.js';

type Failure = Extract<FrameMessage, { readonly type: 'error' }>;

/** The program that the address names, else the first. */
function named(): Program | undefined {
  const id = decodeURIComponent(location.hash.slice(1));
  return programs.find((program) => program.id === id) ?? programs[0];
}

function usePlayground() {
  const { isDark } = useData();
  const program = shallowRef(named());
  const files = ref<Record<string, string>>({});
  const shown = ref('');
  const failures = ref<readonly Failure[]>([]);
  /** Each run has a frame of its own; its number is what makes it another. */
  const runs = ref(0);
  const isRunning = ref(false);
  const frame = ref<HTMLIFrameElement>();
  const theme = computed(() => (isDark.value ? 'dark' : 'light'));

  const run = (): void => {
    failures.value = [];
    isRunning.value = true;
    runs.value += 1;
  };
  const begin = (next = program.value): void => {
    program.value = next;
    files.value = { ...next?.files };
    shown.value = Object.keys(files.value)[0] ?? '';
    run();
  };
  const hear = ({ source, data }: MessageEvent<FrameMessage>): void => {
    if (!source || source !== frame.value?.contentWindow) return;
    if (data.type === 'error') failures.value = [...failures.value, data];
    if (data.type === 'done') isRunning.value = false;
    if (data.type !== 'ready') return;
    const message: RunMessage = { entry: program.value?.entry ?? '', files: { ...files.value }, theme: theme.value };
    frame.value.contentWindow.postMessage(message, '*');
  };
  const open = (): void => {
    begin(named());
  };
  onMounted(() => {
    window.addEventListener('message', hear);
    window.addEventListener('hashchange', open);
    begin();
  });
  onBeforeUnmount(() => {
    window.removeEventListener('message', hear);
    window.removeEventListener('hashchange', open);
  });
  return { program, files, shown, failures, runs, isRunning, frame, theme, run, begin };
}

type State = ReturnType<typeof usePlayground>;

export const Playground = defineComponent(() => {
  const state = usePlayground();
  return () =>
    h('div', { class: 'playground' }, [
      bar(state),
      h('div', { class: 'halves' }, [
        h('div', { class: 'code' }, [tabs(state), code(state), told(state)]),
        h('iframe', {
          key: `${String(state.runs.value)} ${state.theme.value}`,
          ref: state.frame,
          title: 'What the snippet shows, and the devtools',
          sandbox: 'allow-scripts',
          srcdoc: documentOf(withBase('/playground-frame.js'), state.theme.value),
        }),
      ]),
    ]);
});

function bar({ program, isRunning, run, begin }: State): VNode {
  const pages = [...new Set(programs.map(({ page }) => page))];
  const choose = ({ target }: Event): void => {
    const { value } = target as HTMLSelectElement;
    history.replaceState(history.state, '', `#${value}`);
    begin(programs.find(({ id }) => id === value));
  };
  const options = (page: string): VNode[] =>
    programs.filter((one) => one.page === page).map(({ id, title }) => h('option', { value: id }, title));
  return h('div', { class: 'bar' }, [
    h('label', [
      'Snippet ',
      h(
        'select',
        { value: program.value?.id, onChange: choose },
        pages.map((page) => h('optgroup', { label: page }, options(page))),
      ),
    ]),
    h('button', { type: 'button', class: 'next', onClick: run }, 'Run'),
    h(
      'button',
      {
        type: 'button',
        onClick: () => {
          begin();
        },
      },
      'Begin anew',
    ),
    h('span', { role: 'status' }, isRunning.value ? 'Running…' : 'Ran'),
  ]);
}

function tabs({ files, shown }: State): VNode {
  const tab = (name: string): VNode =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': name === shown.value,
        onClick: () => {
          shown.value = name;
        },
      },
      name,
    );
  return h('div', { class: 'files', role: 'group', 'aria-label': 'Files' }, Object.keys(files.value).map(tab));
}

function code({ files, shown, run }: State): VNode {
  const name = shown.value;
  return editor(name, files.value[name] ?? '', run, (text) => {
    files.value = { ...files.value, [name]: text };
  });
}

/** What went wrong, with a button that leads to the line. */
function told({ failures, shown }: State): VNode {
  const goTo = (file: string, line: number): void => {
    shown.value = file;
    void nextTick(() => {
      lineOf(line);
    });
  };
  const item = ({ text, file, line }: Failure): VNode =>
    h('li', [
      file !== undefined && line !== undefined
        ? h(
            'button',
            {
              type: 'button',
              onClick: () => {
                goTo(file, line);
              },
            },
            `${file}, line ${String(line)}`,
          )
        : file,
      ` ${text}`,
    ]);
  return h('div', { class: 'failures', role: 'alert' }, [h('ul', failures.value.map(item))]);
}
