import type { Contestant } from './Contestant';
import type { Scene, Step } from './scenes';
import { TinyServer } from './TinyServer';
import { openWithRtkQuery } from './withRtkQuery';
import { openWithRtkResource } from './withRtkResource';
import { openWithTags } from './withTags';

interface Lane {
  readonly server: TinyServer;
  readonly app: Contestant;
}

/** One performance of a scene: all contestants, each with a server of its own. */
export interface Run {
  readonly scene: Scene;
  readonly lanes: readonly Lane[];
  readonly ready: Promise<unknown>;
}

export function openRun(scene: Scene): Run {
  const lanes = [openWithRtkResource, openWithRtkQuery, openWithTags].map((open): Lane => {
    const server = new TinyServer();
    return { server, app: open(server) };
  });
  return { scene, lanes, ready: Promise.all(lanes.map(({ app }) => app.load())) };
}

/** Has all do the same; resolves when the servers know of it. */
export async function play(step: Step, { lanes, ready }: Run): Promise<void> {
  await ready;
  await Promise.all(lanes.map((lane) => playIn(lane, step)));
}

async function playIn({ server, app }: Lane, step: Step): Promise<void> {
  if (step.does === 'answer') {
    server.answer(step.as);
    return;
  }
  const arrived = server.announce(step.as, 'isRefused' in step);
  if (step.does === 'poll') app.poll();
  if (step.does === 'edit') app.edit(step.id, step.title);
  if (step.does === 'remove') app.remove(step.id);
  await arrived;
}
