// Writes one application twice, with rtk-resource and with RTK Query: the same entities, endpoints and uses of them.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What both libraries are asked for, of every resource: get, list, create, update, patch, delete. */
export const endpointsPerResource = 6;
/** The applications, by the name of the folder that each is in. */
export const applications = /** @type {const} */ (['rtk-resource', 'rtk-query']);

const declarations = fileURLToPath(new URL('../../dist/index.d.ts', import.meta.url));

/** The fields of an entity that are as they come. */
const fields = (/** @type {number} */ n) => ({
  id: 'number',
  groupId: 'number',
  title: 'string',
  description: 'string',
  state: "'open' | 'closed'",
  rank: 'number',
  pinned: 'boolean',
  labels: 'string[]',
  [`code${n}`]: 'string',
});
const defaults = new Map([
  ['number', '0'],
  ['string', "''"],
  ['boolean', 'false'],
  ['string[]', '[]'],
  ["'open' | 'closed'", "'open'"],
]);

/** @type {Record<typeof applications[number], { shared(count: number): Record<string, string>, resource(n: number): string, use(n: number): string, wrong: string }>} */
const sources = {
  'rtk-resource': {
    shared: () => ({
      'Person.ts': `import { Entity } from 'rtk-resource';

export class Person extends Entity {
  id = 0;
  name = '';
  email = '';
  static key = 'Person';
}
`,
      'store.ts': `import { configureStore } from '@reduxjs/toolkit';
import { configureResources } from 'rtk-resource';

export const resources = configureResources();

export const store = configureStore({
  reducer: { [resources.reducerPath]: resources.reducer },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});
`,
    }),
    resource: (n) => `import { createResource, Entity } from 'rtk-resource';
import { Person } from './Person.js';

export class Thing${n} extends Entity {
${lines(fields(n), ([field, type]) => `  ${field}${type.includes('|') || type.includes('[') ? `: ${type}` : ''} = ${defaults.get(type)};`)}
  owner = Person.fromJS();
  createdAt = new Date(0);
  static key = 'Thing${n}';
  static schema = { owner: Person, createdAt: (iso: string) => new Date(iso) };
}

export const Thing${n}Resource = createResource({
  urlPrefix: 'https://example.com',
  path: '/groups/:groupId/things${n}/:id',
  schema: Thing${n},
  searchParams: {} as { state?: 'open' | 'closed'; orderBy?: string },
  paginationField: 'page',
});
`,
    use: (n) => `import { store } from './store.js';
import { Thing${n}Resource } from './Thing${n}.js';

export async function useThing${n}(groupId: number, id: number): Promise<(number | string | undefined)[]> {
  const { dispatch, getState } = store;
  const thing = await dispatch(Thing${n}Resource.get({ groupId, id })).unwrap();
  const list = await dispatch(Thing${n}Resource.getList({ groupId, state: 'open', page: 2 })).unwrap();
  const body = { title: 'new', labels: ['a'], code${n}: 'c' };
  const created = await dispatch(Thing${n}Resource.getList.push({ groupId }, body)).unwrap();
  const updated = await dispatch(Thing${n}Resource.update({ groupId, id }, { ...body, rank: 1 })).unwrap();
  const patched = await dispatch(Thing${n}Resource.partialUpdate({ groupId, id }, { pinned: true })).unwrap();
  await dispatch(Thing${n}Resource.delete({ groupId, id })).unwrap();
  const shown = Thing${n}Resource.get.select({ groupId, id })(getState());
  const shownList = Thing${n}Resource.getList.select({ groupId, state: 'open', page: 2 })(getState());
  return [
    thing.title,
    thing.owner.name,
    thing.createdAt.getTime(),
    list[0]?.code${n},
    list.length,
    created.id,
    updated.rank,
    patched.description,
    shown?.code${n},
    shown?.createdAt.getTime(),
    shownList?.[0]?.owner.email,
  ];
}
`,
    wrong: `import { store } from './store.js';
import { Thing0Resource } from './Thing0.js';

export async function misspell(groupId: number, id: number) {
  const { dispatch, getState } = store;
  const thing = await dispatch(Thing0Resource.get({ groupId, id })).unwrap();
  const list = await dispatch(Thing0Resource.getList({ groupId })).unwrap();
  const created = await dispatch(Thing0Resource.getList.push({ groupId }, { title: 'new' })).unwrap();
  const shown = Thing0Resource.get.select({ groupId, id })(getState());
  // @ts-expect-error A field of what was read.
  console.log(thing.titel);
  // @ts-expect-error A field of a nested entity.
  console.log(thing.owner.nmae);
  // @ts-expect-error A field of an item of a list.
  console.log(list[0]?.code1);
  // @ts-expect-error A field of what was created.
  console.log(created.titel);
  // @ts-expect-error A field of what was selected.
  console.log(shown?.titel);
  // @ts-expect-error A path parameter.
  dispatch(Thing0Resource.get({ groupID: groupId, id }));
  // @ts-expect-error The value of a search parameter.
  dispatch(Thing0Resource.getList({ groupId, state: 'opne' }));
  // @ts-expect-error A field of what is created.
  dispatch(Thing0Resource.getList.push({ groupId }, { titel: 'new' }));
  // @ts-expect-error A field of what is sent.
  dispatch(Thing0Resource.update({ groupId, id }, { titel: 'new' }));
  // @ts-expect-error A field of what is changed.
  dispatch(Thing0Resource.partialUpdate({ groupId, id }, { pined: true }));
  // @ts-expect-error An argument of what is deleted.
  dispatch(Thing0Resource.delete({ groupId, idd: id }));
}
`,
  },
  'rtk-query': {
    shared: (count) => ({
      'Person.ts': `export interface Person {
  id: number;
  name: string;
  email: string;
}
`,
      // One createApi for one server, with endpoints injected by the files that need them, as the docs of RTK Query advise.
      'api.ts': `import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';

export const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: 'https://example.com' }),
  tagTypes: [${Array.from({ length: count }, (_, n) => `'Thing${n}'`).join(', ')}],
  endpoints: () => ({}),
});
`,
      'store.ts': `import { configureStore } from '@reduxjs/toolkit';
import { api } from './api.js';

export const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (getDefault) => getDefault().concat(api.middleware),
});
`,
    }),
    resource: (n) => `import { api } from './api.js';
import type { Person } from './Person.js';

export interface Thing${n} {
${lines(fields(n), ([field, type]) => `  ${field}: ${type};`)}
  owner: Person;
  createdAt: string;
}

interface Thing${n}Address {
  groupId: number;
  id: number;
}

interface Thing${n}Search {
  groupId: number;
  state?: 'open' | 'closed';
  orderBy?: string;
  page?: number;
}

export const thing${n}Api = api.injectEndpoints({
  endpoints: (build) => ({
    getThing${n}: build.query<Thing${n}, Thing${n}Address>({
      query: ({ groupId, id }) => \`/groups/\${groupId}/things${n}/\${id}\`,
      providesTags: (_result, _error, { id }) => [{ type: 'Thing${n}', id }],
    }),
    listThings${n}: build.query<Thing${n}[], Thing${n}Search>({
      query: ({ groupId, ...params }) => ({ url: \`/groups/\${groupId}/things${n}\`, params }),
      providesTags: ['Thing${n}'],
    }),
    createThing${n}: build.mutation<Thing${n}, { groupId: number; body: Partial<Thing${n}> }>({
      query: ({ groupId, body }) => ({ url: \`/groups/\${groupId}/things${n}\`, method: 'POST', body }),
      invalidatesTags: ['Thing${n}'],
    }),
    updateThing${n}: build.mutation<Thing${n}, Thing${n}Address & { body: Partial<Thing${n}> }>({
      query: ({ groupId, id, body }) => ({ url: \`/groups/\${groupId}/things${n}/\${id}\`, method: 'PUT', body }),
      invalidatesTags: ['Thing${n}'],
    }),
    patchThing${n}: build.mutation<Thing${n}, Thing${n}Address & { body: Partial<Thing${n}> }>({
      query: ({ groupId, id, body }) => ({ url: \`/groups/\${groupId}/things${n}/\${id}\`, method: 'PATCH', body }),
      invalidatesTags: ['Thing${n}'],
    }),
    deleteThing${n}: build.mutation<void, Thing${n}Address>({
      query: ({ groupId, id }) => ({ url: \`/groups/\${groupId}/things${n}/\${id}\`, method: 'DELETE' }),
      invalidatesTags: ['Thing${n}'],
    }),
  }),
});
`,
    use: (n) => `import { store } from './store.js';
import { thing${n}Api } from './Thing${n}.js';

export async function useThing${n}(groupId: number, id: number): Promise<(number | string | undefined)[]> {
  const { dispatch, getState } = store;
  const { endpoints } = thing${n}Api;
  const thing = await dispatch(endpoints.getThing${n}.initiate({ groupId, id })).unwrap();
  const list = await dispatch(endpoints.listThings${n}.initiate({ groupId, state: 'open', page: 2 })).unwrap();
  const body = { title: 'new', labels: ['a'], code${n}: 'c' };
  const created = await dispatch(endpoints.createThing${n}.initiate({ groupId, body })).unwrap();
  const updated = await dispatch(
    endpoints.updateThing${n}.initiate({ groupId, id, body: { ...body, rank: 1 } }),
  ).unwrap();
  const patched = await dispatch(endpoints.patchThing${n}.initiate({ groupId, id, body: { pinned: true } })).unwrap();
  await dispatch(endpoints.deleteThing${n}.initiate({ groupId, id })).unwrap();
  const { data: shown } = endpoints.getThing${n}.select({ groupId, id })(getState());
  const { data: shownList } = endpoints.listThings${n}.select({ groupId, state: 'open', page: 2 })(getState());
  return [
    thing.title,
    thing.owner.name,
    new Date(thing.createdAt).getTime(),
    list[0]?.code${n},
    list.length,
    created.id,
    updated.rank,
    patched.description,
    shown?.code${n},
    shown && new Date(shown.createdAt).getTime(),
    shownList?.[0]?.owner.email,
  ];
}
`,
    wrong: `import { store } from './store.js';
import { thing0Api } from './Thing0.js';

export async function misspell(groupId: number, id: number) {
  const { dispatch, getState } = store;
  const { endpoints } = thing0Api;
  const thing = await dispatch(endpoints.getThing0.initiate({ groupId, id })).unwrap();
  const list = await dispatch(endpoints.listThings0.initiate({ groupId })).unwrap();
  const created = await dispatch(endpoints.createThing0.initiate({ groupId, body: { title: 'new' } })).unwrap();
  const { data: shown } = endpoints.getThing0.select({ groupId, id })(getState());
  // @ts-expect-error A field of what was read.
  console.log(thing.titel);
  // @ts-expect-error A field of a nested entity.
  console.log(thing.owner.nmae);
  // @ts-expect-error A field of an item of a list.
  console.log(list[0]?.code1);
  // @ts-expect-error A field of what was created.
  console.log(created.titel);
  // @ts-expect-error A field of what was selected.
  console.log(shown?.titel);
  // @ts-expect-error An argument.
  dispatch(endpoints.getThing0.initiate({ groupID: groupId, id }));
  // @ts-expect-error The value of a search parameter.
  dispatch(endpoints.listThings0.initiate({ groupId, state: 'opne' }));
  // @ts-expect-error A field of what is created.
  dispatch(endpoints.createThing0.initiate({ groupId, body: { titel: 'new' } }));
  // @ts-expect-error A field of what is sent.
  dispatch(endpoints.updateThing0.initiate({ groupId, id, body: { titel: 'new' } }));
  // @ts-expect-error A field of what is changed.
  dispatch(endpoints.patchThing0.initiate({ groupId, id, body: { pined: true } }));
  // @ts-expect-error An argument of what is deleted.
  dispatch(endpoints.deleteThing0.initiate({ groupId, idd: id }));
}
`,
  },
};

/**
 * Writes an application of so many resources, each used; without any, what is left is the store.
 *
 * @param {string} folder
 * @param {typeof applications[number]} application
 * @param {number} count
 */
export async function generate(folder, application, count) {
  const { shared, resource, use, wrong } = sources[application];
  const files = new Map(Object.entries(shared(count)));
  for (let n = 0; n < count; n++) {
    files.set(`Thing${n}.ts`, resource(n));
    files.set(`useThing${n}.ts`, use(n));
  }
  // Checks that the types are there to be checked: each misspelt name has to be an error.
  if (count > 0) files.set('wrong.ts', wrong);
  files.set('tsconfig.json', tsconfig(folder));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all([...files].map(([name, text]) => writeFile(join(folder, name), text)));
}

/**
 * The same resources in one file, and a file that uses the last of them: where an editor is asked at a mark, the mark says for what.
 *
 * @param {typeof applications[number]} application
 * @param {number} count
 * @returns {{ readonly 'all.ts': string, readonly 'use.ts': string }}
 */
export function inOneFile(application, count) {
  const last = count - 1;
  const texts = Array.from({ length: count }, (_, n) => sources[application].resource(n).replace(/^import .*\n/gm, ''));
  const { 'Person.ts': person = '' } = sources[application].shared(count);
  if (application === 'rtk-resource') {
    const first = "import { createResource, Entity } from 'rtk-resource';\n";
    return {
      'all.ts': first + person.replace(/^import .*\n/m, '') + texts.join(''),
      'use.ts': `import { Thing${last}Resource } from './all.js';
Thing${last}Resource.get/*hover*/({ groupId: 1, id: 1 });
Thing${last}Resource.partialUpdate({ groupId: 1, id: 1 }, { /*completion*/ });
`,
    };
  }
  const endpoints = texts.map((text) => /endpoints: \(build\) => \(\{\n([^]*)\n {2}\}\),\n\}\);/.exec(text)?.[1] ?? '');
  const interfaces = texts.map((text) => text.slice(0, text.indexOf('export const')));
  const tags = texts.map((_, n) => `'Thing${n}'`);
  return {
    'all.ts': `import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
${person}${interfaces.join('')}
export const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: 'https://example.com' }),
  tagTypes: [${tags.join(', ')}],
  endpoints: (build) => ({
${endpoints.join('\n')}
  }),
});
`,
    'use.ts': `import { api } from './all.js';
api.endpoints.getThing${last}/*hover*/.initiate({ groupId: 1, id: 1 });
api.endpoints.patchThing${last}.initiate({ groupId: 1, id: 1, body: { /*completion*/ } });
`,
  };
}

/** As an application is set up that has the package from npm. */
function tsconfig(/** @type {string} */ folder) {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    paths: { 'rtk-resource': [relative(folder, declarations)] },
  };
  return JSON.stringify({ compilerOptions, include: ['*.ts'] }, null, 2);
}

function lines(
  /** @type {Record<string, string>} */ record,
  /** @type {(entry: [string, string]) => string} */ lineOf,
) {
  return Object.entries(record).map(lineOf).join('\n');
}
