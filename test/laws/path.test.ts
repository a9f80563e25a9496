import fc from 'fast-check';
import { compile } from 'path-to-regexp';
import { describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/errors.js';
import { compilePath } from '../../src/rest/path.js';
import '../support/search.js';

const word = fc.stringMatching(/^[a-z0-9_~-]{1,6}$/);
/** Any text, and often what could be mistaken for an address. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', ':', '@', '?', '#', '&', '=', '\t', ' ', '\ud800'),
  }),
  fc.constantFrom('', '.', '..', '%2e', '//evil.test', 'http://evil.test', '__proto__'),
);
const harmless = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !/^\.\.?$/.test(text));

/** A template of both dialects' common part: words, parameters, groups and a wildcard, each piece a segment. */
const piece = (name: string) =>
  fc.oneof(
    word.map((text) => `/${text}`),
    fc.constant(`/:${name}`),
    word.map((text) => `/${text}-:${name}`),
    fc.constant(`{/:${name}}`),
    word.map((text) => `{/${text}{/:${name}}}`),
    word.map((text) => `{/:${name}{/${text}.:a}}`),
    fc.constant(`/*${name}s`),
    fc.constant(`{/*${name}s}`),
  );
const template = fc.tuple(piece('a'), piece('b'), piece('c'), piece('d')).map((pieces) => pieces.join(''));

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
const names = ['a', 'b', 'c', 'd'];
const params = fc.record({
  ...Object.fromEntries(names.map((name) => [name, optional(harmless)])),
  ...Object.fromEntries(
    names.map((name) => [`${name}s`, optional(fc.array(harmless, { minLength: 1, maxLength: 3 }))]),
  ),
});

/** What filling gives; undefined where it is refused with one of these codes. */
function fillOr(codes: readonly string[], path: string, given: Record<string, unknown>): string | undefined {
  try {
    return compilePath(path).fill(given, 'User/get');
  } catch (error) {
    if (error instanceof ResourceError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

function compileOr(path: string, given: Record<string, unknown>): string | undefined {
  try {
    return compile(path)(given as Partial<Record<string, string | string[]>>);
  } catch {
    return undefined;
  }
}

describe('filling a path', () => {
  it('equals path-to-regexp in the syntax they share', () => {
    fc.assert(
      fc.property(template, params, (path, given) => {
        expect(fillOr(['R3'], path, given)).toBe(compileOr(path, given));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives an optional parameter the meaning of a group with its slash', () => {
    fc.assert(
      fc.property(word, optional(harmless), optional(harmless), (text, a, b) => {
        const marked = compilePath(`/${text}/:a?/x/:b?`).fill({ a, b }, 'User/get');
        const grouped = compilePath(`/${text}{/:a}/x{/:b}`).fill({ a, b }, 'User/get');

        expect(marked).toBe(grouped);
      }),
    );
  });

  it('never lets a value add a segment, a query parameter or a host', () => {
    fc.assert(
      fc.property(value, value, fc.array(value), (first, second, rest) => {
        const filled = fillOr(['R3', 'R12'], '/x/:first/:second/*rest', { first, second, rest });
        if (filled === undefined) return;

        const url = new URL(filled, 'http://h.test');
        expect([url.origin, url.search, url.hash]).toEqual(['http://h.test', '', '']);
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'x', first, second, ...rest]);
      }),
      { numRuns: 1000 },
    );
  });

  it('never lets several values make up a segment that leads elsewhere', () => {
    const dotted = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('.', '%', '2', 'e', 'E') });
    const around = fc.constantFrom('', '.', '%2', '%', '2e', '%2e');

    fc.assert(
      fc.property(dotted, dotted, around, around, (a, b, before, after) => {
        const filled = fillOr(['R12'], `/x/${before}{:a}${after}{:b}/y`, { a, b });
        if (filled === undefined) return;

        expect(new URL(filled, 'http://h.test').pathname.split('/')).toHaveLength(4);
      }),
      { numRuns: 1000 },
    );
  });

  it('never makes a host of what absent values leave behind', () => {
    const part = fc.constantFrom('/', '/{:a}', '{/:a}', '{:b}', '/:b?', '{/:b{/}}', '/x', '{/}', '/:a?', '\\/');

    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), optional(word), optional(word), (parts, a, b) => {
        const path = `/${parts.join('')}`;
        fc.pre(compilePath(path).names.size > 0 && !/^\/\\?\//.test(path));
        const filled = fillOr(['R12'], path, { a, b });
        if (filled === undefined) return;

        expect(new URL(filled, 'http://h.test').host).toBe('h.test');
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps a query parameter to itself', () => {
    fc.assert(
      fc.property(value, value, (q, page) => {
        const filled = fillOr(['R3', 'R12'], '/search\\?q=:q&page=:page', { q, page });
        if (filled === undefined) return;

        const url = new URL(filled, 'http://h.test');
        expect([url.origin, url.pathname, url.hash]).toEqual(['http://h.test', '/search', '']);
        expect([...url.searchParams]).toEqual([
          ['q', q],
          ['page', page],
        ]);
      }),
    );
  });
});

describe('shortening a path', () => {
  it('takes parameters away, and never adds one', () => {
    fc.assert(
      fc.property(template, (path) => {
        const before = [...compilePath(path).names];
        const after = [...compilePath(compilePath(path).short).names];

        expect(path === compilePath(path).short).toBe(before.length === 0);
        expect(before).toEqual(expect.arrayContaining(after));
      }),
    );
  });

  it('gives the beginning of the longer address', () => {
    fc.assert(
      fc.property(template, params, (path, given) => {
        const long = fillOr(['R3'], path, given);
        if (long === undefined) return;

        const short = compilePath(compilePath(path).short).fill(given, 'User/getList');
        const beginning = short.replace(/(\.[^/]*|\/)$/, '');
        expect(short === '/' || long.startsWith(beginning)).toBe(true);
      }),
    );
  });
});
