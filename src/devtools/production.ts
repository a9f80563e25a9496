export { ResourceDevtools, ResourceDevtoolsPanel } from './panel/ResourceDevtools.js';
export type { ResourceDevtoolsPanelProps, ResourceDevtoolsProps } from './panel/ResourceDevtools.js';
export { recordResources } from './record/recordResources.js';
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
