// Gives the package an address, once it has one: `npm run address -- https://github.com/someone/rtk-resource`. From then on the texts of errors, the
// README and the package lead there. The pages of the site have links of their own, and none of these files in them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The files that lead to the documentation, from the root. */
export const files = /** @type {const} */ (['package.json', 'src/errors.ts', 'README.md']);

/**
 * The files as they are with an address.
 *
 * @param {Readonly<Record<typeof files[number], string>>} texts
 * @param {string} address
 * @returns {Record<typeof files[number], string>}
 */
export function addressed(texts, address) {
  const { protocol, href } = new URL(address);
  if (protocol !== 'https:') throw new Error(`${address} does not begin with https:`);
  const homepage = href.replace(/\/$/, '');
  const pages = `${homepage}/blob/main`;
  /** @type {unknown} */
  const parsed = JSON.parse(texts['package.json']);
  const about = /** @type {object} */ (parsed);
  return {
    'package.json': `${JSON.stringify({ ...about, homepage, repository: { type: 'git', url: `git+${homepage}.git` }, bugs: `${homepage}/issues` }, null, 2)}\n`,
    'src/errors.ts': texts['src/errors.ts'].replace(/^const docs = '.*';$/m, `const docs = '${pages}/docs';`),
    'README.md': texts['README.md']
      .replace(/(!\[[^\]]*\]\()(?!https?:)(?:\.\/)?([^)]+)\)/g, `$1${homepage}/raw/main/$2)`)
      .replace(/\]\((?!https?:|#)(?:\.\/)?([^)]+)\)/g, `](${pages}/$1)`),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , address = ''] = process.argv;
  const path = (/** @type {string} */ file) => fileURLToPath(new URL(`../${file}`, import.meta.url));
  const read = (/** @type {string} */ file) => readFileSync(path(file), 'utf8');
  const texts = addressed(
    { 'package.json': read('package.json'), 'src/errors.ts': read('src/errors.ts'), 'README.md': read('README.md') },
    address,
  );
  for (const file of files) writeFileSync(path(file), texts[file]);
}
