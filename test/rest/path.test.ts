import { RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/errors.js';
import { compilePath } from '../../src/rest/path.js';
import { expectWarning } from '../support/strict.js';

const fill = (path: string, params: Record<string, unknown> = {}): string => compilePath(path).fill(params, 'User/get');

/** The error that filling ends in. */
function refusal(path: string, params: Record<string, unknown> = {}): ResourceError {
  try {
    fill(path, params);
  } catch (error) {
    if (error instanceof ResourceError) return error;
    throw error;
  }
  throw new Error(`${path} was filled`);
}

describe('a parameter', () => {
  it('is replaced by its value', () => {
    expect(fill('/users/:id', { id: 5 })).toBe('/users/5');
    expect(fill('/users/:id/posts/:post', { id: 'ada', post: 0 })).toBe('/users/ada/posts/0');
    expect(fill('/flags/:on/:off', { on: true, off: false })).toBe('/flags/true/false');
    expect(fill('/:a/:a', { a: 'x' })).toBe('/x/x');
  });

  it('ends where its name ends', () => {
    expect(fill('/v:version.json', { version: 2 })).toBe('/v2.json');
    expect(fill('/:from-:to', { from: 1, to: 2 })).toBe('/1-2');
    expect(fill('/:a:b', { a: 1, b: 2 })).toBe('/12');
    expect(fill('/:$a_1/:ñandú/:名前', { $a_1: 1, ñandú: 2, 名前: 3 })).toBe('/1/2/3');
  });

  it('is percent-encoded', () => {
    expect(fill('/files/:name', { name: 'a/b?c#d e&f=g:ü%2e\\' })).toBe(
      '/files/a%2Fb%3Fc%23d%20e%26f%3Dg%3A%C3%BC%252e%5C',
    );
    expect(fill('/:id', { id: '%2e%2E' })).toBe('/%252e%252E');
  });

  it.each([undefined, null, '', NaN])('is refused when it is %s', (id) => {
    const error = refusal('/users/:id', { id });

    expect(error.code).toBe('R3');
    expect(error.message).toContain(
      `User/get needs a value for ":id" in its path, but got ${id === '' ? '""' : String(id)}.`,
    );
  });

  it.each([[new Date(0)], [{ id: 5 }], [['5']], [[]], [() => 5], [5n], [Symbol('5')], [new String('5')]])(
    'is refused when it is no string, number or boolean: %s',
    (id) => {
      expect(refusal('/users/:id', { id }).code).toBe('R3');
      expect(refusal('/users{/:id}', { id }).code).toBe('R3');
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('named %s is not read from a prototype', (name) => {
    expect(refusal(`/users/:${name}`).code).toBe('R3');
    expect(fill(`/users/:${name}?`)).toBe('/users');
    expect(fill(`/users/:${name}`, { [name]: 5 })).toBe('/users/5');
  });

  it('is known by name', () => {
    expect([...compilePath('/a/:b{/:c}/*d\\?e=:f?&b=:b').names]).toEqual(['b', 'c', 'd', 'f']);
    expect([...compilePath('/a').names]).toEqual([]);
  });
});

describe('an optional parameter', () => {
  it('is filled like any other', () => {
    expect(fill('/users/:id?', { id: 5 })).toBe('/users/5');
    expect(fill('/users/:id?/posts', { id: 5 })).toBe('/users/5/posts');
  });

  it.each([undefined, null, '', NaN])('takes the slash before it along when it is %s', (id) => {
    expect(fill('/users/:id?', { id })).toBe('/users');
    expect(fill('/users/:id?/posts', { id })).toBe('/users/posts');
  });

  it('takes no other text along', () => {
    expect(fill('/users/v:id?')).toBe('/users/v');
    expect(fill('/users-:id?')).toBe('/users-');
    expect(fill('/a\\/:id?')).toBe('/a/');
    expect(fill('/a/:b:c?', { b: 1 })).toBe('/a/1');
  });
});

describe('a group', () => {
  it('is rendered when all its parameters have a value', () => {
    expect(fill('/posts{/:id}', { id: 5 })).toBe('/posts/5');
    expect(fill('/posts{/:id}')).toBe('/posts');
    expect(fill('/posts{/:year-:month}/all', { year: 2020, month: 1 })).toBe('/posts/2020-1/all');
    expect(fill('/posts{/:year-:month}/all', { year: 2020 })).toBe('/posts/all');
  });

  it('decides for itself within another group', () => {
    expect(fill('/a{/:b{/:c}}', { b: 1, c: 2 })).toBe('/a/1/2');
    expect(fill('/a{/:b{/:c}}', { b: 1 })).toBe('/a/1');
    expect(fill('/a{/:b{/:c}}', { c: 2 })).toBe('/a');
    expect(fill('/a{/b/:c?}')).toBe('/a/b');
  });

  it('without a parameter is always rendered', () => {
    expect(fill('/a{/b}{}')).toBe('/a/b');
  });
});

describe('a word in braces', () => {
  it('is no parameter, as it is elsewhere, which is told', () => {
    expectWarning(/{id} in the path "\/orders\/{id}" is no parameter: write :id\./);

    expect(fill('/orders/{id}', { id: 1 })).toBe('/orders/id');
    expect(fill('/orders/\\{id\\}')).toBe('/orders/{id}');
  });
});

describe('a parameter as others write it', () => {
  it.each([
    ['/todos/[id]', '[id]', 'id'],
    ['/files/[...path]', '[...path]', 'path'],
    ['/todos/<todo>', '<todo>', 'todo'],
    ['/todos/<int:no>/notes', '<int:no>', 'no'],
    ['/todos/:', ':', 'name'],
  ])('is told of: %s', (path, written, name) => {
    const literal = (text: string): string => text.replace(/[[\].]/g, '\\$&');
    expectWarning(new RegExp(`${literal(written)} in the path "${literal(path)}" is no parameter: write :${name}\\.`));

    compilePath(path);
  });

  it('is not told of where it is none', () => {
    expect(compilePath('https://h/todos?filter[status]=open').short).toBe('https://h/todos?filter[status]=open');
  });
});

describe('a path without a slash in front', () => {
  it('is told where it goes on with the last word before it', () => {
    expectWarning(/The path "orders\/:id" begins without "\/", so its address is \/apiorders\/1\. Write "\/orders/);
    const [path, schema] = ['orders/:id', undefined];
    const at = (urlPrefix: string) => new RestEndpoint({ urlPrefix, path, schema }).url({ id: 1 });

    expect([at('/api'), at('/api/'), at('')]).toEqual(['/apiorders/1', '/api/orders/1', 'orders/1']);
  });
});

describe('a prefix that ends with a slash', () => {
  const todos = (urlPrefix: string) => new RestEndpoint({ urlPrefix, path: '/todos/:id' });

  it('gives the address one slash', () => {
    const at = (urlPrefix: string) => todos(urlPrefix).url({ id: 1 });
    const inGroup = new RestEndpoint({
      urlPrefix: '/api/',
      path: '{/:team}/todos',
      searchParams: {},
    });

    expect([at('https://example.com/'), at('/api/'), at('/')]).toEqual([
      'https://example.com/todos/1',
      '/api/todos/1',
      '/todos/1',
    ]);
    expect([inGroup.url({ team: 'a' }), inGroup.url()]).toEqual(['/api/a/todos', '/api/todos']);
    expect(todos('/api/').definition).toBe('GET /api/todos/:id');
  });

  it('lets no value name the host', () => {
    const get = new RestEndpoint({ urlPrefix: '/', path: '/:name' });

    expect(get.url({ name: 'evil.example' })).toBe('/evil.example');
  });

  it('tells which keys are of the endpoint', () => {
    const files = new RestEndpoint({ urlPrefix: '/api/', path: 'files/:id' });

    expect(['/api/', '/'].map((prefix) => todos(prefix).testKey(`GET ${prefix}todos/1`))).toEqual([true, true]);
    expect(files.testKey('GET /api/files/1')).toBe(true);
    expect([todos('/api/').testKey('GET /apitodos/1'), files.testKey('GET /apifiles/1')]).toEqual([false, false]);
  });
});

describe('a wildcard', () => {
  it('joins its segments, each encoded', () => {
    expect(fill('/files/*path', { path: ['a', 'b c', 1, true] })).toBe('/files/a/b%20c/1/true');
    expect(fill('/files/*path', { path: ['a/b', '?'] })).toBe('/files/a%2Fb/%3F');
  });

  it('takes a single value as one segment', () => {
    expect(fill('/files/*path', { path: 'a/b' })).toBe('/files/a%2Fb');
    expect(fill('/files/*path', { path: 7 })).toBe('/files/7');
  });

  it.each([
    [undefined],
    [null],
    [''],
    [NaN],
    [[]],
    [['a', '']],
    [[undefined]],
    [[null, 'a']],
    [new Array(1)],
    [[['a']]],
    [{}],
  ])('is refused when it, or a segment of it, is missing or an object: %j', (path) => {
    expect(refusal('/files/*path', { path }).code).toBe('R3');
  });

  it('may be absent in a group, or when it is marked', () => {
    expect(fill('/files{/*path}')).toBe('/files');
    expect(fill('/files{/*path}', { path: [] })).toBe('/files');
    expect(fill('/files/*path?', { path: [] })).toBe('/files');
    expect(fill('/files/*path?', { path: ['a', 'b'] })).toBe('/files/a/b');
    expect(refusal('/files{/*path}', { path: [''] }).code).toBe('R3');
  });
});

describe('literal text', () => {
  it('stays as it is', () => {
    expect(fill('/users')).toBe('/users');
    expect(fill('')).toBe('');
    expect(fill('/a/../b~c;d=e,f@g!h')).toBe('/a/../b~c;d=e,f@g!h');
  });

  it('takes an escaped character for itself', () => {
    expect(fill('/\\:a/\\*b/\\{c\\}/\\?d')).toBe('/:a/*b/{c}/?d');
    expect(fill('/:a\\(b\\)', { a: 1 })).toBe('/1(b)');
  });

  it('may hold a protocol and a port, with escapes or without', () => {
    expect(fill('http\\://host\\:8000/:id', { id: 5 })).toBe('http://host:8000/5');
    expect(fill('http://host:8000/:id', { id: 5 })).toBe('http://host:8000/5');
    expect(fill('//host/:id', { id: 5 })).toBe('//host/5');
    expect(fill('https\\://:tenant.example.com/:id', { tenant: 'a', id: 5 })).toBe('https://a.example.com/5');
  });

  it('has its white space and backslashes encoded, because the URL parser would drop or turn them', () => {
    expect(fill('/a b\t\\\\c')).toBe('/a%20b%09%5Cc');
    expect(fill('/\n:a', { a: '..' })).toBe('/%0A..');
  });
});

describe('a query part', () => {
  const search = '/search\\?q=:q?%20repo\\::owner&page=:page?';

  it('is filled, and its parameters are encoded', () => {
    expect(fill(search, { q: 'a&b=c', owner: 'x/y', page: 2 })).toBe('/search?q=a%26b%3Dc%20repo:x%2Fy&page=2');
    expect(fill(search, { owner: 'x' })).toBe('/search?q=%20repo:x&page=');
    expect(refusal(search).code).toBe('R3');
  });

  it('may begin with a bare question mark, unless a name is before it', () => {
    expect(fill('/search?q=:q', { q: 'a' })).toBe('/search?q=a');
    expect(fill('/users/:id\\?v=:v', { id: 5, v: 1 })).toBe('/users/5?v=1');
    expect(fill('/users/:id??v=:v', { v: 1 })).toBe('/users?v=1');
  });

  it('may hold dots and slashes, which are no segments there', () => {
    expect(fill('/a\\?up=/:x/..', { x: '..' })).toBe('/a?up=/../..');
    expect(fill('/a/..\\?q=:q', { q: 1 })).toBe('/a/..?q=1');
    expect(fill('/a#:q', { q: '..' })).toBe('/a#..');
  });
});

describe('a value that would lead to another address', () => {
  it.each([
    ['/users/:id', { id: '..' }],
    ['/users/:id', { id: '.' }],
    ['/users/:id/posts', { id: '..' }],
    ['/users/:id\\?full=1', { id: '..' }],
    ['/users/:id#top', { id: '..' }],
    ['/users{/:id}', { id: '..' }],
    ['/a/:id.:b?', { id: '.' }],
    ['/a/.:id', { id: '.' }],
    ['/a/%2:id', { id: 'e' }],
    ['/a/%2:id%2:b', { id: 'E', b: 'e' }],
    ['/a/.%2:id', { id: 'e' }],
    ['/:id:b', { id: '.', b: '.' }],
    [':id/a', { id: '..' }],
    ['/*id', { id: ['a', '..', 'b'] }],
    ['/*id', { id: '..' }],
    ['/:x/*id', { x: 'a', id: ['.'] }],
    ['/.*id', { id: ['.', 'a'] }],
    ['/users/:id', { id: 'a\ud800' }],
    ['/a?b=:id', { id: '\udc00' }],
  ])('is refused: %s with %j', (path, params) => {
    const error = refusal(path, params);

    expect(error.code).toBe('R12');
    expect(error.message).toContain(`for ":id"`);
  });

  it('is refused with the value in the message', () => {
    expect(refusal('/users/:id', { id: '..' }).message).toContain('User/get refuses ".." for ":id"');
    expect(refusal('/*id', { id: ['a', '..'] }).message).toContain('refuses ["a",".."] for ":id"');
  });

  it.each([
    ['/{:a}/users', {}],
    ['/{:a}/:b', { b: 'evil.test' }],
    ['/{/:a}', { a: 'evil.test' }],
    ['{/}{/:a}', { a: 'evil.test' }],
    ['/{:a}/{:b}//x', {}],
    ['http\\://{:a}/:b', { b: 'evil.test' }],
    ['//{:a}/:b', { b: 'evil.test' }],
    ['{http\\://:a}/{:b}/:c', { c: 'evil.test' }],
    [':a\\://host/x', { a: 'https' }],
  ])('is refused where slashes would make a host: %s with %j', (path, params) => {
    expect(refusal(path, params).code).toBe('R12');
  });

  it('is not seen in dots that are part of more', () => {
    expect(fill('/a/:x.:y', { x: '.', y: '.' })).toBe('/a/...');
    expect(fill('/a/:x', { x: '..a' })).toBe('/a/..a');
    expect(fill('/../:x', { x: 'a' })).toBe('/../a');
    expect(fill('/{:a}/users', { a: 'x' })).toBe('/x/users');
    expect(fill('/a/{:b}/c')).toBe('/a//c');
  });
});

describe('a path that cannot be read', () => {
  it.each([
    ['/a{/:b', '{'],
    ['/a/:b}', '}'],
    ['}{', '}'],
    ['/a/*', '*'],
    ['/a/*/b', '*'],
    ['/:a*', '*'],
    ['/*9', '*'],
    ['/a\\', '\\'],
    ['/:id(\\d+)', '('],
    ['/:path+', '+'],
  ])('is refused when it is compiled or shortened: %s', (path, character) => {
    const refused = expect.objectContaining({
      code: 'R4',
      message: expect.stringContaining(`The path "${path}" cannot be read: unexpected "${character}".`) as string,
    }) as Error;

    expect(() => compilePath(path)).toThrow(refused);
  });

  it('is read once when it can be', () => {
    expect(compilePath('/once/:id')).toBe(compilePath('/once/:id'));
  });
});

describe('the shortened path', () => {
  it.each([
    ['/:first/:second', '/:first'],
    ['/:first', '/'],
    ['/a/:b{/:c}', '/a/:b'],
    ['/repos/:owner/*path', '/repos/:owner'],
    ['/users/:id/profile', '/users'],
    ['/users/:id\\?full=:full', '/users'],
    ['/a/:b?', '/a'],
    ['/a/:b?/:c?', '/a/:b?'],
    ['/v:version.json', '/'],
    ['/user-:id', '/'],
    ['/a/user-:id', '/a'],
    ['/a/:b.:ext', '/a'],
    ['/users/:id/avatar.png', '/users'],
    ['/Products\\(:ID\\)', '/Products'],
    ['/Products(:ID)', '/Products'],
    ['/Products\\(Id=:id,Lang=:lang\\)', '/Products'],
    ['/:set\\(:id\\)', '/:set'],
    ['/a/\\(:id\\)', '/a'],
    ['/a{\\(:id\\)}', '/a'],
    ['/Nearest\\(x=1\\)/:id', '/Nearest\\(x=1\\)'],
    ['/a/:b{.:ext}', '/a'],
    ['/a\\/:b', '/a'],
    ['/a\\:b/:c', '/a\\:b'],
    [':id', ''],
    ['users/:id', 'users'],
    ['{/:lang}/users/:id', '{/:lang}/users'],
  ])('drops the last parameter segment, and what follows it: %s', (path, short) => {
    expect(compilePath(path).short).toBe(short);
  });

  it.each([
    ['/todos/:id/', '/todos/'],
    ['/users/:id/profile/', '/users/'],
    ['/todos/:id/\\?full=:full', '/todos/'],
    ['/todos{/:id}/', '/todos/'],
    ['/:id/', '/'],
    ['/products/:id.json', '/products.json'],
    ['/products/:id.tar.gz', '/products.tar.gz'],
    ['/products{/:id}.json', '/products.json'],
    ['/products/:id.json\\?v=:v', '/products.json'],
    ['/a/v:version.json', '/a.json'],
    ['http://h/a/:id/', 'http://h/a/'],
    ['http://h/:id/', 'http://h/'],
  ])('keeps the slash or the suffix at the end: %s', (path, short) => {
    expect(compilePath(path).short).toBe(short);
  });

  it.each([
    ['/a{/:b/:c}', '/a{/:b}'],
    ['/a{/:b{/:c}}', '/a{/:b}'],
    ['/a{/b/:c}/d', '/a{/b}'],
    ['/a{{/:b}}', '/a'],
    ['/a{x{/:b}}', '/a{x}'],
    ['/a/{v:b}', '/a'],
    ['{/:a}/b', '/'],
    ['/a{\\{/:b}', '/a{\\{}'],
    ['/a{\\{{/:b}}', '/a{\\{}'],
    ['/a{\\\\{/:b}}', '/a{\\\\{}}'],
  ])('has its groups closed: %s', (path, short) => {
    expect(compilePath(path).short).toBe(short);
  });

  it.each([
    ['http\\://h\\:80/:id', 'http\\://h\\:80/'],
    ['http://h:80/:id', 'http://h:80/'],
    ['http\\://h/a/:id', 'http\\://h/a'],
    ['http\\://:host/a/:id', 'http\\://:host/a'],
    ['//h{/:id}', '//h/'],
    ['//h{-:x/:id}', '//h{-:x/}'],
  ])('keeps the host: %s', (path, short) => {
    expect(compilePath(path).short).toBe(short);
  });

  it.each(['/users', '', '/search\\?q=:q', '/search?q=/:q', 'http\\://:host/users', 'search\\?u=http\\://x/:id'])(
    'is the path itself where no segment has a parameter: %s',
    (path) => {
      expect(compilePath(path).short).toBe(path);
    },
  );
});
