// Holds the tarball to its limit, and to what belongs there.
import { packed } from './packed.mjs';

// A kilobyte of the core is five or six here: modules, what old tools require, modules and a script for pages, types.
const LIMIT = 1_060_000;
const { size, paths } = packed();
const strangers = paths.filter(
  (path) =>
    !/^(?:dist\/(?:\w+\/)*[\w.-]+\.(?:c?js|d\.c?ts)|docs\/(?:.*\.md|images\/[\w-]+\.svg)|skills\/[\w-]+\/SKILL\.md|llms\.txt|(?:react|normalize|mock|offline|devtools|devtools\/production|)\/?package\.json|[A-Z]+(?:\.md)?)$/.test(
      path,
    ),
);
console.log(`The tarball has ${paths.length} files, ${(size / 1000).toFixed(0)} kB; the limit is ${LIMIT / 1000} kB.`);
if (strangers.length > 0) console.error(`What is this? ${strangers.join(', ')}`);
if (size > LIMIT || strangers.length > 0) process.exitCode = 1;
