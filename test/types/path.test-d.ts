import { describe, expectTypeOf, it } from 'vitest';
import { compilePath } from '../../src/rest/path.js';
import type { PathParams, PathValue, ShortenPath } from '../../src/rest/pathTypes.js';

type Wildcard = readonly PathValue[];
type Absent = null | undefined;

describe('PathParams', () => {
  it('needs what is named outside of groups', () => {
    expectTypeOf<PathParams<'/users/:id'>>().toEqualTypeOf<{ id: PathValue }>();
    expectTypeOf<PathParams<'/:first/:second'>>().toEqualTypeOf<{ first: PathValue; second: PathValue }>();
    expectTypeOf<PathParams<'/v:version.json'>>().toEqualTypeOf<{ version: PathValue }>();
    expectTypeOf<PathParams<'/:$a_1-:ñandú,:名前'>>().toEqualTypeOf<{
      $a_1: PathValue;
      ñandú: PathValue;
      名前: PathValue;
    }>();
  });

  it('leaves optional what is marked so or stands in a group', () => {
    expectTypeOf<PathParams<'/a/:b?'>>().toEqualTypeOf<{ b?: PathValue | Absent }>();
    expectTypeOf<PathParams<'/a/:b{/:c{/:d}}/:e'>>().toEqualTypeOf<{
      b: PathValue;
      c?: PathValue | Absent;
      d?: PathValue | Absent;
      e: PathValue;
    }>();
    expectTypeOf<PathParams<'/posts{/:id}{/*rest}'>>().toEqualTypeOf<{
      id?: PathValue | Absent;
      rest?: Wildcard | Absent;
    }>();
  });

  it('needs what is named both ways', () => {
    expectTypeOf<PathParams<'/:a?/x/:a'>>().toEqualTypeOf<{ a: PathValue }>();
    expectTypeOf<PathParams<'/:a/x{/:a}'>>().toEqualTypeOf<{ a: PathValue }>();
  });

  it('takes segments for a wildcard', () => {
    expectTypeOf<PathParams<'/repos/:owner/*path'>>().toEqualTypeOf<{ owner: PathValue; path: Wildcard }>();
    expectTypeOf<PathParams<'/files/*path?'>>().toEqualTypeOf<{ path?: Wildcard | Absent }>();
  });

  it('finds the parameters of a query part', () => {
    expectTypeOf<PathParams<'/search\\?q=:q?%20repo\\::owner&page=:page?'>>().toEqualTypeOf<{
      q?: PathValue | Absent;
      owner: PathValue;
      page?: PathValue | Absent;
    }>();
    expectTypeOf<PathParams<'/search?q=:q'>>().toEqualTypeOf<{ q: PathValue }>();
  });

  it('finds none in literal text', () => {
    expectTypeOf<keyof PathParams<'/users'>>().toBeNever();
    expectTypeOf<keyof PathParams<'/\\:a/\\*b/\\{c\\}/http://h:8000'>>().toBeNever();
    expectTypeOf<PathParams<'http\\://host\\:8000/:id'>>().toEqualTypeOf<{ id: PathValue }>();
    expectTypeOf<PathParams<'/a{b}\\{/:c\\}'>>().toEqualTypeOf<{ c: PathValue }>();
  });

  it('is open for a path that is not known as a literal', () => {
    expectTypeOf<PathParams<string>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<PathParams<`/users/${string}`>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<PathParams<`/:${string}`>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<PathParams<`/:id${string}`>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<PathParams<`${string}/:id`>>().toEqualTypeOf<Record<string, unknown>>();
  });

  it('is a choice for a choice of paths', () => {
    expectTypeOf<PathParams<'/a/:x' | '/b/:y?'>>().toEqualTypeOf<{ x: PathValue } | { y?: PathValue | Absent }>();
  });

  it('refuses what the path does not name, what is missing, and objects', () => {
    const take: <const Path extends string>(path: Path, params: PathParams<Path>) => void = () => undefined;

    take('/users/:id', { id: 5 });
    take('/users/:id?', { id: undefined });
    // @ts-expect-error: the path names :id
    take('/users/:id', {});
    // @ts-expect-error: the path does not name :name
    take('/users/:id', { id: 5, name: 'Ada' });
    // @ts-expect-error: a Date is no path value
    take('/users/:id', { id: new Date(0) });
    // @ts-expect-error: only an optional parameter may be absent
    take('/users/:id', { id: undefined });
    // @ts-expect-error: a wildcard takes an array
    take('/files/*path', { path: 'a' });
  });
});

describe('ShortenPath', () => {
  it('drops the last parameter segment and what follows it', () => {
    expectTypeOf<ShortenPath<'/:first/:second'>>().toEqualTypeOf<'/:first'>();
    expectTypeOf<ShortenPath<'/:first'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/a/:b{/:c}'>>().toEqualTypeOf<'/a/:b'>();
    expectTypeOf<ShortenPath<'/repos/:owner/*path'>>().toEqualTypeOf<'/repos/:owner'>();
    expectTypeOf<ShortenPath<'/users/:id/profile'>>().toEqualTypeOf<'/users'>();
    expectTypeOf<ShortenPath<'/a/:b?'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/a/v:version.json'>>().toEqualTypeOf<'/a.json'>();
    expectTypeOf<ShortenPath<'/user-:id'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/users/:id/avatar.png'>>().toEqualTypeOf<'/users'>();
    expectTypeOf<ShortenPath<'/Products\\(:ID\\)'>>().toEqualTypeOf<'/Products'>();
    expectTypeOf<ShortenPath<'/Products(:ID)'>>().toEqualTypeOf<'/Products'>();
    expectTypeOf<ShortenPath<'/:set\\(:id\\)'>>().toEqualTypeOf<'/:set'>();
    expectTypeOf<ShortenPath<'/a/\\(:id\\)'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/a{\\(:id\\)}'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/v:version.json'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/users/:id\\?full=:full'>>().toEqualTypeOf<'/users'>();
  });

  it('keeps the slash or the suffix at the end', () => {
    expectTypeOf<ShortenPath<'/todos/:id/'>>().toEqualTypeOf<'/todos/'>();
    expectTypeOf<ShortenPath<'/users/:id/profile/'>>().toEqualTypeOf<'/users/'>();
    expectTypeOf<ShortenPath<'/todos{/:id}/'>>().toEqualTypeOf<'/todos/'>();
    expectTypeOf<ShortenPath<'/todos/:id/\\?full=:full'>>().toEqualTypeOf<'/todos/'>();
    expectTypeOf<ShortenPath<'/:id/'>>().toEqualTypeOf<'/'>();
    expectTypeOf<ShortenPath<'/users/'>>().toEqualTypeOf<'/users/'>();
    expectTypeOf<ShortenPath<'/products/:id.json'>>().toEqualTypeOf<'/products.json'>();
    expectTypeOf<ShortenPath<'/products{/:id}.json'>>().toEqualTypeOf<'/products.json'>();
    expectTypeOf<ShortenPath<'/products/:id.tar.gz'>>().toEqualTypeOf<'/products.tar.gz'>();
  });

  it('is the path itself where no segment has a parameter', () => {
    expectTypeOf<ShortenPath<'/users'>>().toEqualTypeOf<'/users'>();
    expectTypeOf<ShortenPath<'/search\\?q=/:q'>>().toEqualTypeOf<'/search\\?q=/:q'>();
    expectTypeOf<ShortenPath<'/search?q=:q'>>().toEqualTypeOf<'/search?q=:q'>();
    expectTypeOf<ShortenPath<'http\\://:host/users'>>().toEqualTypeOf<'http\\://:host/users'>();
    expectTypeOf<ShortenPath<string>>().toEqualTypeOf<string>();
    expectTypeOf<ShortenPath<`/users/${string}`>>().toEqualTypeOf<string>();
    expectTypeOf<ShortenPath<`${string}//h/:id`>>().toEqualTypeOf<string>();
  });

  it('keeps the host', () => {
    expectTypeOf<ShortenPath<'http\\://h\\:80/:id'>>().toEqualTypeOf<'http\\://h\\:80/'>();
    expectTypeOf<ShortenPath<'http://h:80/:id'>>().toEqualTypeOf<'http://h:80/'>();
    expectTypeOf<ShortenPath<'//h{/:id}'>>().toEqualTypeOf<'//h/'>();
    expectTypeOf<ShortenPath<'http\\://:host/a/:id'>>().toEqualTypeOf<'http\\://:host/a'>();
  });

  it('closes the groups it cuts', () => {
    expectTypeOf<ShortenPath<'/a{/:b/:c}'>>().toEqualTypeOf<'/a{/:b}'>();
    expectTypeOf<ShortenPath<'/a{/:b{/:c}}'>>().toEqualTypeOf<'/a{/:b}'>();
    expectTypeOf<ShortenPath<'/a{/b/:c}/d'>>().toEqualTypeOf<'/a{/b}'>();
    expectTypeOf<ShortenPath<'/a/:b{.:ext}'>>().toEqualTypeOf<'/a'>();
    expectTypeOf<ShortenPath<'/a{\\{/:b}'>>().toEqualTypeOf<'/a{\\{}'>();
    expectTypeOf<ShortenPath<'/a\\/:b'>>().toEqualTypeOf<'/a'>();
  });

  it('is a choice for a choice of paths', () => {
    expectTypeOf<ShortenPath<'/a/:x' | '/b/:y'>>().toEqualTypeOf<'/a' | '/b'>();
  });

  it('is right for PathParams', () => {
    expectTypeOf<PathParams<ShortenPath<'/a/:b{/:c}/:d'>>>().toEqualTypeOf<{ b: PathValue; c?: PathValue | Absent }>();
  });
});

describe('compilePath', () => {
  it('takes any string', () => {
    expectTypeOf(compilePath).parameters.toEqualTypeOf<[path: string]>();
    expectTypeOf(compilePath('').short).toEqualTypeOf<string>();
    expectTypeOf(compilePath('/').names).toEqualTypeOf<ReadonlySet<string>>();
  });
});
