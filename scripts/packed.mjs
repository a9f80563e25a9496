// The pages of the package as they are packed: what they lead to outside of it is an address, and without one it is named and not linked.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const kept = join(root, '.packed');

/** What npm tells of a tarball. @typedef {{ readonly size: number, readonly files: readonly { readonly path: string }[] }} Packed */

/**
 * A page without links that lead nowhere where the repository is not.
 *
 * @param {string} path of the page, from the root
 * @param {string} text
 * @param {(path: string) => boolean} isPacked
 * @param {string | undefined} homepage
 */
export function packedPage(path, text, isPacked, homepage) {
  return text
    .split(/(^```[^]*?^```$)/m)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, leadingSomewhere)))
    .join('');

  /**
   * @param {string} link
   * @param {string} image
   * @param {string} name
   * @param {string} target
   */
  function leadingSomewhere(link, image, name, target) {
    const [file = '', anchor] = target.split('#');
    if (file === '' || /^[a-z]+:/.test(target)) return link;
    const there = posix.join(posix.dirname(path), file);
    if (isPacked(there)) return link;
    if (homepage === undefined) return name;
    const address = `${homepage}/${image ? 'raw' : 'blob'}/main/${there}`;
    return `${image}[${name}](${anchor === undefined ? address : `${address}#${anchor}`})`;
  }
}

/** What is packed: how many bytes the tarball has, and the paths of what is in it. */
export function packed() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const output = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  /** @type {unknown} */
  const told = JSON.parse(output);
  const [{ size, files }] = /** @type {readonly [Packed]} */ (told);
  return { size, paths: files.map(({ path }) => path) };
}

/** Puts the pages as they are packed in place of those of the repository, which are kept meanwhile. */
function change() {
  /** @type {unknown} */
  const parsed = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { homepage } = /** @type {{ readonly homepage?: string }} */ (parsed);
  const paths = new Set(packed().paths);
  for (const path of paths) {
    if (!path.endsWith('.md')) continue;
    const text = readFileSync(join(root, path), 'utf8');
    const page = packedPage(path, text, (there) => paths.has(there), homepage);
    if (page === text) continue;
    mkdirSync(dirname(join(kept, path)), { recursive: true });
    writeFileSync(join(kept, path), text);
    writeFileSync(join(root, path), page);
  }
}

/** Puts the pages of the repository back. */
function restore() {
  if (existsSync(kept)) cpSync(kept, root, { recursive: true });
  rmSync(kept, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  restore();
  if (process.argv[2] !== 'restore') change();
}
