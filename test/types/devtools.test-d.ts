import type { Store } from '@reduxjs/toolkit';
import {
  recordResources,
  ResourceDevtools,
  type Explanation,
  type Question,
  type Recorder,
} from 'rtk-resource/devtools';
import type * as production from 'rtk-resource/devtools/production';
import { describe, expectTypeOf, it } from 'vitest';

declare const store: Store;

describe('a question', () => {
  it('is about a row, a list or a request, and about one of them', () => {
    expectTypeOf({ entity: 'Todo', pk: '5', field: 'title' }).toExtend<Question>();
    expectTypeOf({ list: 'Todo/getList', args: [{ userId: 1 }], pk: '5' }).toExtend<Question>();
    expectTypeOf({ request: 'Todo/get GET /todos/5' }).toExtend<Question>();

    expectTypeOf({ entity: 'Todo', pk: '5', request: '' }).not.toExtend<Question>();
    expectTypeOf({ entity: 'Todo', pk: '5', args: [] }).not.toExtend<Question>();
    expectTypeOf({ list: 'Todo/getList' }).not.toExtend<Question>();
    expectTypeOf({ list: 'Todo/getList', args: [], field: 'title' }).not.toExtend<Question>();
  });
});

describe('the entries', () => {
  it('have the same types', () => {
    expectTypeOf(recordResources).toEqualTypeOf<typeof production.recordResources>();
    expectTypeOf(ResourceDevtools).toEqualTypeOf<typeof production.ResourceDevtools>();
    expectTypeOf(recordResources(store)).toEqualTypeOf<Recorder>();
    expectTypeOf(recordResources(store).explain({ request: '' })).toEqualTypeOf<Explanation>();
  });
});
