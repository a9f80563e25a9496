import { RestEndpoint, Entity, createResource } from 'rtk-resource';
class Todo extends Entity { id = 0; title = ''; static key = 'Todo' }
const a = new RestEndpoint({ path: '/x/:id', searchToString: ({ filter }) => String(filter) });
const b = new RestEndpoint({ path: '/x/:id', schema: Todo, process(value, params) { const s: string | number | boolean = params.id; return [value, s]; } });
b({ id: 1 }); 
a({ id: 1 });
// @ts-expect-error needs id
b({});
const R = createResource({ path: '/x/:id', schema: Todo });
const R2 = R.extend({ partialUpdate: { getOptimisticResponse(snapshot, params, body) { const x: string | number | boolean = params.id; return { x, ...body }; } } });
R2.partialUpdate({ id: 1 }, { title: 'x' });
