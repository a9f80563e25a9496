import fc from 'fast-check';
import { RestEndpoint, ResourceError } from 'rtk-resource';
import { afterAll, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import '../support/search.js';

const server = await startServer();
afterAll(() => server.close());
server.answer(/./, { json: null });

const anything = (): unknown => undefined;
const thing = new RestEndpoint({ urlPrefix: server.url, path: '/x/:first/:second?/y' });
const search = new RestEndpoint({ urlPrefix: server.url, path: '/search/:kind' });
const files = new RestEndpoint({ urlPrefix: server.url, path: '/files/*rest' });
const find = new RestEndpoint({
  urlPrefix: server.url,
  path: '/find',
  method: 'POST',
  body: anything(),
  sideEffect: false,
});

/** What could be mistaken for a part of an address. */
const tricky = fc.constantFrom(
  ...['.', '..', '%2e', '%2E%2e', '/', '//evil.test', 'http://evil.test', '@evil.test', '\\', '?', '#', '&', '=', '+'],
  ...[' ', '%', '%00', '\0', '\t', '\r\n', ';', ':', '__proto__', 'constructor', 'ü', '😀', '\u202e', 'undefined'],
);
const text = fc.oneof(
  tricky,
  fc.array(tricky, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
);
/** What has an encoding at all: half a surrogate pair has none. */
const encodable = text.filter((one) => !/\p{Cs}/u.test(one));
const value = fc.oneof(encodable, fc.integer(), fc.double({ noNaN: true }), fc.boolean());
const segment = value.filter((one) => !['', '.', '..'].includes(String(one)));
/** Names for the query, none of which is in the path. */
const name = encodable.filter((one) => !['first', 'second', 'kind', 'rest'].includes(one));

/** Parameters as own fields, also one that is called `__proto__`. */
function paramsOf<Fixed extends object>(
  pairs: readonly (readonly [name: string, value: unknown])[],
  fixed: Fixed,
): Fixed & Readonly<Record<string, unknown>> {
  return { ...Object.fromEntries(pairs), ...fixed };
}

/** The address that a read really asked for, as Node's own parser has it. */
async function asked(endpoint: { fetch(params: never): Promise<unknown> }, params: object): Promise<URL> {
  const before = server.received.length;
  await endpoint.fetch(params as never);
  const [request] = server.received.slice(before);
  if (!request || server.received.length !== before + 1) throw new Error('one request was to be made');

  return new URL(`${request.path}${request.query === '' ? '' : `?${request.query}`}`, server.url);
}

/** What an endpoint refuses with. */
function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof ResourceError) return error.code;
    throw error;
  }
  return undefined;
}

const overHttp = { numRuns: 150 };

describe('parameters', () => {
  it('come to the server as they were given', async () => {
    await fc.assert(
      fc.asyncProperty(segment, fc.option(segment), fc.array(fc.tuple(name, value)), async (first, second, query) => {
        const params = paramsOf(query, { first, second });

        const { pathname, searchParams } = await asked(thing, params);

        const segments = pathname.split('/').map(decodeURIComponent);
        expect(segments).toEqual(['', 'x', String(first), ...(second === null ? [] : [String(second)]), 'y']);
        expect(Object.fromEntries(searchParams)).toEqual(
          Object.fromEntries(query.map(([key, one]) => [key, String(one)])),
        );
      }),
      overHttp,
    );
  });

  it('come to the server segment by segment, where there are several', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 5 }), async (rest) => {
        const { pathname } = await asked(files, { rest });

        expect(pathname.split('/').slice(2).map(decodeURIComponent)).toEqual(rest.map(String));
      }),
      overHttp,
    );
  });

  it('never add a segment, a query parameter, a fragment or a host', () => {
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), fc.array(fc.tuple(name, text)), (first, second, query) => {
        const params = paramsOf(query, { first, second });
        if (codeOf(() => thing.url(params)) !== undefined) return;

        const url = new URL(thing.url(params));
        const given = new Map(query);
        const isAbsent = second === undefined || second === '';

        expect([url.origin, url.username, url.hash]).toEqual([server.url, '', '']);
        expect(url.pathname.split('/')).toHaveLength(isAbsent ? 4 : 5);
        expect([...url.searchParams.keys()].sort()).toEqual([...given.keys()].sort());
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['.', '..'])('never are %s, which leads elsewhere', (one) => {
    expect(codeOf(() => thing.url({ first: one }))).toBe('R12');
    expect(codeOf(() => thing.url({ first: 'a', second: one }))).toBe('R12');
    expect(codeOf(() => files.url({ rest: ['a', one, 'b'] }))).toBe('R12');
  });

  it('that a path cannot be without are demanded, whatever is missing', () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, null, '', NaN), fc.dictionary(name, value), (first, query) => {
        expect(codeOf(() => thing.url({ ...query, first: first as never }))).toBe('R3');
        expect(codeOf(() => thing.url(query as { first: string }))).toBe('R3');
      }),
    );
  });
});

describe('a query', () => {
  const one = fc.oneof(value, fc.constantFrom(null, undefined), fc.date({ noInvalidDate: true }));
  const many = fc.oneof(one, fc.array(one, { maxLength: 3 }));
  const sent = (given: unknown): string => (given instanceof Date ? given.toISOString() : String(given));
  const list = (given: unknown): readonly unknown[] =>
    (Array.isArray(given) ? (given as readonly unknown[]) : [given]).filter(
      (each) => each !== undefined && each !== null,
    );

  it('is sorted by name, repeats it for arrays, has Dates in ISO 8601, and leaves out what is absent', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, many)), (pairs) => {
        const params = paramsOf(pairs, { kind: 'all' });
        const names = [...new Map(pairs).keys()].sort();
        const given = new Map(pairs);

        const { searchParams } = new URL(search.url(params));

        expect([...searchParams]).toEqual(
          names.flatMap((key) => list(given.get(key)).map((each) => [key, sent(each)])),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is the same in whatever order its parameters are named', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, many), { selector: ([key]) => key }), fc.nat(), (pairs, turn) => {
        const at = pairs.length === 0 ? 0 : turn % pairs.length;
        const turned = [...pairs.slice(at), ...pairs.slice(0, at)].reverse();

        expect(search.url(paramsOf(turned, { kind: 'all' }))).toBe(search.url(paramsOf(pairs, { kind: 'all' })));
      }),
    );
  });

  it('refuses a nested object and an invalid date, at any place, and names it', () => {
    const nested = fc.oneof(
      fc.dictionary(fc.string(), value),
      fc.array(value).map((inner) => [inner]),
      fc.constantFrom(new Map(), new Set(), /x/, new URL('http://a.test'), new Date('soon'), [new Date(NaN)]),
    );
    const safe = fc.stringMatching(/^[a-z]{1,6}$/).filter((one) => !['kind'].includes(one));

    fc.assert(
      fc.property(safe, nested, fc.dictionary(safe, value), (at, deep, others) => {
        const url = (): string => search.url({ ...others, kind: 'all', [at]: deep });

        expect(codeOf(url)).toBe('R5');
        expect(url).toThrow(`"${at}"`);
      }),
    );
  });

  it('goes on after the one that a path has', () => {
    const repos = new RestEndpoint({ path: '/search\\?q=:q' });

    fc.assert(
      fc.property(
        encodable.filter((q) => q !== ''),
        fc.dictionary(name, value),
        (q, others) => {
          const { q: _q, ...rest } = others;
          const url = new URL(repos.url({ ...rest, q }), server.url);

          expect(url.pathname).toBe('/search');
          expect([...url.searchParams][0]).toEqual(['q', q]);
          expect(url.searchParams.size).toBe(1 + Object.keys(rest).length);
        },
      ),
    );
  });
});

describe('a key', () => {
  const small = fc.constantFrom('a', 'b', '1', 1, true, 'true', 'a b', 'a+b');
  const params = fc.record(
    { kind: small, q: fc.oneof(small, fc.array(small, { maxLength: 2 })), page: small },
    { requiredKeys: ['kind'] },
  );

  it('is the same for the same address, and for no other', () => {
    fc.assert(
      fc.property(params, params, (one, other) => {
        expect(search.key(one) === search.key(other)).toBe(search.url(one) === search.url(other));
        expect(search.key(one)).toBe(`GET ${search.url(one)}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('tells addresses apart by what the server gets', () => {
    const read = (given: object): unknown => {
      const url = new URL(search.url(given as { kind: string }));
      return [url.pathname.split('/').map(decodeURIComponent), [...url.searchParams]];
    };

    fc.assert(
      fc.property(params, params, (one, other) => {
        expect(search.key(one) === search.key(other)).toBe(JSON.stringify(read(one)) === JSON.stringify(read(other)));
      }),
      { numRuns: 1000 },
    );
  });

  it('of a write does not depend on the body', () => {
    const write = find.extend({ sideEffect: true });

    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(write.key({}, one)).toBe(write.key({}, other));
      }),
    );
  });

  it('of a read that has a body is the same for the same body, and for no other', () => {
    const body = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom({ a: 1 }, { a: 2 }, [1], '1', 1, 'null'));

    fc.assert(
      fc.property(body, body, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);

        expect(find.key({}, one) === find.key({}, other)).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  it('of a read that sends a form is that of its fields', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2')), { maxLength: 3 });
    const query = (of: readonly (readonly [string, string])[]) =>
      new URLSearchParams(of.map(([key, one]) => [key, one]));
    const form = (of: readonly (readonly [string, string])[]) => {
      const data = new FormData();
      for (const [key, one] of of) data.append(key, one);
      return data;
    };

    fc.assert(
      fc.property(pairs, pairs, (one, other) => {
        fc.pre(query(one).toString() !== query(other).toString());
        // Which of two names came first is no difference that a form makes.
        const sorted = (of: typeof one): string => JSON.stringify([...of].sort());
        fc.pre(sorted(one) !== sorted(other));

        expect(find.key({}, form(one))).not.toBe(find.key({}, form(other)));
        expect(find.key({}, query(one))).not.toBe(find.key({}, query(other)));
      }),
    );
  });

  it('is one that its endpoint knows again, and no endpoint of another path, method or host', () => {
    const others = [
      search.extend({ path: '/searches/:kind' }),
      search.extend({ method: 'DELETE' }),
      search.extend({ urlPrefix: server.url.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)) }),
    ];

    fc.assert(
      fc.property(segment, fc.dictionary(name, value), (kind, query) => {
        const key = search.key({ ...query, kind });

        expect(search.testKey(key)).toBe(true);
        expect(others.map((other) => other.testKey(key))).toEqual([false, false, false]);
      }),
    );
  });
});
