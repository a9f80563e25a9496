import { worlds, type World } from './worlds.js';

const { WORLDS } = process.env;
const names = WORLDS?.split(',');
const unknown = names?.filter((name) => !worlds.some((world) => world.name === name)) ?? [];
if (unknown.length > 0)
  throw new Error(`There is no world ${unknown.join()}: ${worlds.map(({ name }) => name).join()}`);

/** The worlds that WORLDS names, as in `WORLDS=plain,pages`; all of them, if nothing is said. */
export const chosenWorlds: readonly World[] = worlds.filter(({ name }) => names?.includes(name) ?? true);
