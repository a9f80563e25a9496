// One process: the shape of data-client's own benchmark, a response of 709 projects with 2 117 build types inside.
import { MemoCache, normalize } from '@data-client/normalizr';
import * as normalizr from 'normalizr';
import { Entity, RestEndpoint } from 'rtk-resource';
import { stubbedFetch } from './network.mjs';
import * as dataClient from './peers/data-client.mjs';
import { openStore } from './peers/ours.mjs';
import { time, timeRepeated } from './time.mjs';

class BuildType extends Entity {
  id = '';
  name = '';
  static key = 'BuildType';
}
class Project extends Entity {
  id = '';
  name = '';
  buildTypes = { count: 0, buildType: /** @type {BuildType[]} */ ([]) };
  static key = 'Project';
  static schema = { buildTypes: { buildType: [BuildType] } };
}
const projectsEndpoint = new RestEndpoint({
  urlPrefix: 'https://example.com',
  path: '/projects',
  schema: { project: [Project] },
  fetchResponse: stubbedFetch,
});

class TheirBuildType extends dataClient.Entity {
  id = '';
  name = '';
  static key = 'BuildType';
}
class TheirProject extends dataClient.Entity {
  id = '';
  name = '';
  buildTypes = { count: 0, buildType: /** @type {TheirBuildType[]} */ ([]) };
  static key = 'Project';
  static schema = { buildTypes: { buildType: [TheirBuildType] } };
}
const theirSchema = { project: [TheirProject] };

const build = new normalizr.schema.Entity('BuildType');
const project = new normalizr.schema.Entity('Project', { buildTypes: { buildType: [build] } });
const normalizrSchema = { project: [project] };

const [name = '', , ...ids] = process.argv.slice(2);
const projects = 709;
const buildTypes = 2117;
const text = JSON.stringify(makeProjects());

/** @typedef {{ id: string, buildTypes: { buildType: { id: string }[] } }} Row */
/** @typedef {{ project: Row[] }} Response */
/**
 * @typedef {object} Shape
 * @property {(response: Response) => unknown} receive
 * @property {(response: Response) => void} put The same, with nothing that reads it yet.
 * @property {() => Response} read
 */

/** @type {Record<string, () => Shape>} */
const peers = { ours: openOurs, 'data-client': openDataClient, normalizr: openNormalizr };
const open = peers[name] ?? openOurs;

let shape = open();
let response = next();
const fresh = () => {
  shape = open();
  response = next();
};
const loaded = () => {
  fresh();
  shape.put(response);
};

loaded();
const [first] = shape.read().project;
if (first?.buildTypes.buildType[0]?.id !== 'project0_build0') throw new Error(`${name} gives something else`);

/** @type {Record<string, () => number | Promise<number>>} */
const measures = {
  S1: () => time({ before: fresh, run: () => shape.receive(response) }, { collects: true }),
  S2() {
    loaded();
    const before = () => {
      response = next();
    };
    return time({ before, run: () => shape.receive(response) }, { collects: true });
  },
  S3: () => time({ before: loaded, run: () => shape.read() }, { collects: true }),
  S4() {
    loaded();
    return timeRepeated(() => shape.read());
  },
};
/** @type {Record<string, { value: number }>} */
const results = {};
for (const id of ids) {
  // Normalizr keeps nothing that a response could be merged into.
  if (name !== 'normalizr' || id !== 'S2') results[id] = { value: (await measures[id]?.()) ?? NaN };
}
console.log(JSON.stringify(results));
process.exit();

/** @returns {Response} */
function next() {
  const response = /** @type {unknown} */ (JSON.parse(text));
  return /** @type {Response} */ (response);
}

function makeProjects() {
  const about = (/** @type {string} */ id, /** @type {number} */ i) => ({
    id,
    internalId: `internal${i}`,
    uuid: `5c1f3f9e-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `Name of ${id}`,
    description: `What ${id} is there for`,
    href: `/app/rest/${id}`,
    webUrl: `https://ci.example.com/${id}`,
    archived: i % 9 === 0,
  });
  const project = Array.from({ length: projects }, (_, i) => {
    const id = `project${i}`;
    const count = Math.floor(((i + 1) * buildTypes) / projects) - Math.floor((i * buildTypes) / projects);
    const buildType = Array.from({ length: count }, (_, j) => ({
      ...about(`${id}_build${j}`, i * 10 + j),
      projectId: id,
      projectName: `Name of ${id}`,
      paused: j === 2,
    }));
    return { ...about(id, i), parentProjectId: 'root', virtual: false, buildTypes: { count, buildType } };
  });
  return { project };
}

/** @returns {Shape} */
function openOurs() {
  const { resources, store } = openStore();
  const select = projectsEndpoint.select();
  return {
    async receive(response) {
      stubbedFetch.answer(response);
      await store.dispatch(projectsEndpoint());
    },
    put(response) {
      store.dispatch(resources.setResponse(projectsEndpoint, {}, response));
    },
    read: () => /** @type {Response} */ (/** @type {unknown} */ (select(store.getState()))),
  };
}

/** @returns {Shape} */
function openDataClient() {
  /** @type {{ result: unknown, entities: Record<string, Record<string, object>> }} */
  let state = { result: undefined, entities: {} };
  const memo = new MemoCache();
  const receive = (/** @type {Response} */ response) => {
    // What is given back is as plain as what is put in.
    const known = /** @type {never} */ ({ indexes: {}, entitiesMeta: {}, ...state });
    state = /** @type {typeof state} */ (normalize(theirSchema, response, [], known));
  };
  return {
    receive,
    put: receive,
    read: () =>
      /** @type {Response} */ (
        /** @type {unknown} */ (memo.denormalize(theirSchema, /** @type {never} */ (state.result), state.entities).data)
      ),
  };
}

/** @returns {Shape} */
function openNormalizr() {
  /** @type {{ result: unknown, entities: object }} */
  let state = { result: undefined, entities: {} };
  const receive = (/** @type {Response} */ response) => {
    state = normalizr.normalize(response, normalizrSchema);
  };
  return {
    receive,
    put: receive,
    read: () => {
      const value = /** @type {unknown} */ (normalizr.denormalize(state.result, normalizrSchema, state.entities));
      return /** @type {Response} */ (value);
    },
  };
}
