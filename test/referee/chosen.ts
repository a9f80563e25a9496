import { mockedWorlds, worlds, type World } from './worlds.js';

const { WORLDS, SERVER } = process.env;
const all = SERVER === 'mock' ? mockedWorlds : worlds;
const names = WORLDS?.split(',');
const unknown = names?.filter((name) => !all.some((world) => world.name === name)) ?? [];
if (unknown.length > 0) throw new Error(`There is no world ${unknown.join()}: ${all.map(({ name }) => name).join()}`);

/**
 * The worlds that WORLDS names, as in `WORLDS=plain,pages`; all of them, if nothing is said. With `SERVER=mock` they are those that a
 * `mockServer` can serve, and it serves them.
 */
export const chosenWorlds: readonly World[] = all.filter(({ name }) => names?.includes(name) ?? true);
