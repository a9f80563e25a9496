// Holds the public API against the report in `docs/api-report.md`: what has changed must be seen by somebody, who writes it down with
// `npm run api:update`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readApi } from './api.mjs';

const path = fileURLToPath(new URL('../docs/api-report.md', import.meta.url));
const api = readApi();
const report = [
  '# The public API',
  '',
  'Every name that can be imported, as it is declared. `npm run check` fails where this page does not tell the truth; `npm run api:update` writes it anew.',
  ...api.flatMap(({ entry, names }) => [
    '',
    `## ${entry}`,
    ...names.flatMap(({ name, kind, documentation, declaration }) => [
      '',
      `### ${name}`,
      '',
      `${kind}. ${documentation}`.trim(),
      '',
      '```text',
      declaration,
      '```',
    ]),
  ]),
  '',
].join('\n');

const mute = api.flatMap(({ entry, names }) =>
  names.flatMap(({ name, documentation, members }) => [
    ...(documentation === '' ? [`${entry}: ${name}`] : []),
    ...members.filter((member) => member.documentation === '').map((member) => `${entry}: ${name}.${member.name}`),
  ]),
);
if (mute.length > 0) console.log(`Without a sentence of documentation:\n  ${mute.join('\n  ')}`);

if (process.argv[2] === '--update') {
  writeFileSync(path, report);
  console.log(`${path} is written.`);
} else if (readFileSync(path, 'utf8').replaceAll('\r\n', '\n') !== report) {
  console.error(
    'The public API is not what docs/api-report.md says. Look at what has changed: npm run api:update && git diff docs/api-report.md',
  );
  process.exitCode = 1;
}
if (mute.length > 0) process.exitCode = 1;
