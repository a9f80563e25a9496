/** Two applications, each with a server whose answers the reader releases. */
import { ref, shallowRef } from 'vue';
import type { App } from '../../../../bench/comparison/App.js';
import { openResource } from '../../../../bench/comparison/resource.js';
import { openRtkQuery, type Way } from '../../../../bench/comparison/rtkQuery.js';
import type { Step } from './scenes.js';
import { Server, type Ending } from './server.js';

/** One library, with a server of its own. */
export interface Side {
  readonly name: string;
  readonly app: App;
  readonly server: Server;
}

let rounds = 0;
const platformFetch = globalThis.fetch;

export class Game {
  readonly way = ref<Way>('by hand');
  readonly scene = ref(0);
  /** How many steps of the scene were played. */
  readonly played = ref(0);
  /** Counts what may have changed; what is shown is read anew with it. */
  readonly version = ref(0);
  readonly sides = shallowRef<readonly Side[]>([]);

  /** What either side waits for. */
  get labels(): readonly string[] {
    return [...new Set(this.sides.value.flatMap(({ server }) => server.held.map(({ label }) => label)))];
  }

  /** Lets the applications reach their servers. */
  start(): void {
    // They were written for Node.
    (globalThis as { setImmediate?: unknown }).setImmediate ??= (run: () => void) => setTimeout(run);
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      const side = this.sides.value.find(({ server }) => request.url.startsWith(server.url));
      return side ? side.server.fetch(request) : platformFetch(input, init);
    };
  }

  stop(): void {
    globalThis.fetch = platformFetch;
  }

  /** Begins anew, with the list and the detail of apples on both screens. */
  async begin(): Promise<void> {
    const round = String(++rounds);
    const serverOf = (name: string): Server => new Server(`https://${name}-${round}.invalid`, this.#changed);
    const [ours, theirs] = [serverOf('ours'), serverOf('theirs')];
    const way = this.way.value;
    const sides: readonly Side[] = [
      { name: 'rtk-resource', server: ours, app: openResource(ours) },
      { name: `RTK Query, ${way}`, server: theirs, app: openRtkQuery(theirs, way) },
    ];
    this.played.value = 0;
    this.sides.value = sides;
    await Promise.all(sides.map(({ app }) => app.load()));
    await Promise.all(sides.map(({ app }) => app.open('a')));
    for (const { server } of sides) server.isOpen = false;
    this.#changed();
  }

  /** Does the same on both sides. */
  act(run: (app: App, server: Server) => unknown): void {
    for (const { app, server } of this.sides.value) void Promise.resolve(run(app, server)).finally(this.#changed);
    this.#changed();
  }

  /** Ends the requests of this label, wherever they wait. */
  end(label: string | RegExp, how: Ending): void {
    const isMeant = (held: string): boolean => (typeof label === 'string' ? held === label : label.test(held));
    this.act((_app, { held }) => {
      for (const one of held) if (isMeant(one.label)) one.end(how);
    });
  }

  play(step: Step): void {
    if ('end' in step) this.end(step.end, step.how);
    else this.act(step.act);
    this.played.value++;
  }

  readonly #changed = (): void => {
    this.version.value++;
    // What an answer leads to happens in microtasks and timers behind it.
    setTimeout(() => this.version.value++, 20);
  };
}
