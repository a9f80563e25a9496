// Tools that know no `exports` (TypeScript's node10, Metro and Parcel as they are set up by default) look for `rtk-resource/react` in a folder of that
// name. The folders are made for packing and taken away again: here, a folder called `react` would be taken for the package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const entries = ['react', 'normalize', 'mock', 'offline', 'devtools', 'devtools/production'];

for (const entry of entries) {
  const folder = `${root}${entry}`;
  rmSync(folder, { recursive: true, force: true });
  if (process.argv[2] === 'remove') continue;
  mkdirSync(folder);
  const up = '../'.repeat(entry.split('/').length);
  const about = {
    main: `${up}dist/${entry}.cjs`,
    module: `${up}dist/${entry}.js`,
    types: `${up}dist/${entry}.d.ts`,
    sideEffects: false,
  };
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(about, null, 2)}\n`);
}
