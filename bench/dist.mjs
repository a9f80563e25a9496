import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Users have the package as it is in `dist`. @param {string} root */
export function buildUnlessFresh(root) {
  // Types are written last.
  const built = statSync(join(root, 'dist/index.d.ts'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  if (sources.some((file) => statSync(join(root, 'src', file)).mtimeMs > built)) {
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  }
}
