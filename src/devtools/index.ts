import { ResourceDevtools as Devtools, ResourceDevtoolsPanel as DevtoolsPanel } from './panel/ResourceDevtools.js';
import { recordResources as record } from './record/recordResources.js';
import type { Recorder } from './record/Recorder.js';

export type { ResourceDevtoolsPanelProps, ResourceDevtoolsProps } from './panel/ResourceDevtools.js';
export type { Recorder, RecorderOptions } from './record/Recorder.js';
export type { EventMeta, ListNews, News, ResourceEvent, RowNews } from './record/events.js';
export type {
  EntityQuestion,
  Explanation,
  ListQuestion,
  Question,
  Reason,
  RequestQuestion,
} from './explain/question.js';

/** Bundlers replace `process.env.NODE_ENV`, and leave out of production what stands behind it. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

const nothing: Recorder = {
  events: [],
  explain: () => ({ value: undefined, because: [] }),
  stop: () => undefined,
};

/**
 * Records what happens in a store from now on, for the panel and for `explain`. A store has one recorder: a second call gives the first. In production
 * it records nothing; `rtk-resource/devtools/production` always does.
 *
 * @example
 * const recorder = recordResources(store);
 * recorder.explain({ entity: 'Todo', pk: '5', field: 'title' });
 */
export const recordResources: typeof record = process.env.NODE_ENV === 'production' ? () => nothing : record;

/**
 * A button in a corner of the page, and behind it a panel that tells what a store shows, and why. Renders nothing on a server, and nothing in production:
 * that of `rtk-resource/devtools/production` is always there.
 *
 * @example
 * <ResourceDevtools initialIsOpen={false} />;
 */
export const ResourceDevtools: typeof Devtools = process.env.NODE_ENV === 'production' ? () => null : Devtools;

/**
 * The panel by itself, to stand in a page. Renders nothing on a server, as it is hydrated, and in production.
 *
 * @example
 * <ResourceDevtoolsPanel style={{ height: 400 }} />;
 */
export const ResourceDevtoolsPanel: typeof DevtoolsPanel =
  process.env.NODE_ENV === 'production' ? () => null : DevtoolsPanel;
