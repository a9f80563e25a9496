// postgrest.ts
import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';

class PostgrestEndpoint extends RestEndpoint {
  override getHeaders(headers: Record<string, string>) {
    const isOne = this.sideEffect || this.path.includes('?');
    return {
      ...headers,
      Prefer: this.method === 'DELETE' ? 'return=minimal' : this.sideEffect ? 'return=representation' : 'count=exact',
      ...(isOne && { Accept: 'application/vnd.pgrst.object+json' }),
    };
  }
  /** How many rows there are, a header tells. */
  override async parseResponse(response: Response) {
    const rows = await super.parseResponse(response);
    const [, total] = response.headers.get('content-range')?.split('/') ?? [];
    return Array.isArray(rows) ? { rows: rows as unknown, total: Number(total) } : rows;
  }
}
const shared = {
  urlPrefix: 'https://example.com',
  Endpoint: PostgrestEndpoint,
  optimistic: true,
  errorData: {} as { code: string; message: string; details: string | null; hint: string | null },
} as const;

export class Task extends Entity {
  id = 0;
  title = '';
  status = '';
  label: string | null = null;
  static override key = 'Task';
}
/** Its name is its primary key. */
export class Label extends Entity {
  name = '';
  color = '';
  static override key = 'Label';
  override pk() {
    return this.name;
  }
}
const tasks = new Collection([Task], {
  belongs: (task, { title, status, label }) => {
    if (title || (status && !task.status)) return undefined; // only the server knows
    return (!status || status === `eq.${task.status}`) && (!label || label === `eq.${task.label}`);
  },
});
const labels = new Collection([Label]);
interface Search {
  readonly title?: `ilike.${string}`;
  readonly status?: `eq.${string}`;
  readonly label?: `eq.${string}`;
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}
export const TaskResource = createResource({
  ...shared,
  path: '/tasks\\?id=eq.:id',
  listPath: '/tasks',
  schema: Task,
  searchParams: {} as Search,
})
  .extend({ getList: { schema: { rows: tasks, total: tasks.total } } })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: ({ rows, total }, params) => {
        const offset = (params.offset ?? 0) + rows.length;
        return rows.length > 0 && offset < total ? { ...params, offset } : undefined;
      },
    }),
  }));

export const LabelResource = createResource({
  ...shared,
  path: '/labels\\?name=eq.:name',
  listPath: '/labels',
  schema: Label,
  invalidates: () => [TaskResource.getList, TaskResource.get], // on update cascade
}).extend({ getList: { schema: { rows: labels, total: labels.total } } });
