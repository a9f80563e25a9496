import type { Store } from '@reduxjs/toolkit';
import { StoreRecorder, type Recorder, type RecorderOptions } from './Recorder.js';

const recorders = new WeakMap<Store, StoreRecorder>();

/** The recorder of a store: the one that is there, or a new one. */
export function recorderOf(store: Store, options: RecorderOptions = {}): StoreRecorder {
  const known = recorders.get(store);
  if (known) return known;
  const recorder = new StoreRecorder(store, options, () => {
    if (recorders.get(store) === recorder) recorders.delete(store);
  });
  recorders.set(store, recorder);
  return recorder;
}

/**
 * Records what happens in a store from now on, for the panel and for `explain`. A store has one recorder: a second call gives the first.
 *
 * @example
 * const recorder = recordResources(store);
 * recorder.explain({ entity: 'Todo', pk: '5', field: 'title' });
 */
export function recordResources(store: Store, options: RecorderOptions = {}): Recorder {
  return recorderOf(store, options);
}
