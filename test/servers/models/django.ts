// django.ts
import { Collection, createResource, Entity } from 'rtk-resource';

const shared = {
  urlPrefix: 'https://example.com/api',
  optimistic: true,
  errorData: {} as { detail?: string; non_field_errors?: readonly string[]; [field: string]: unknown },
} as const;

export class Project extends Entity {
  id = 0;
  slug = '';
  name = '';
  static override key = 'Project';
  static override indexes = ['slug']; // lookup_field = 'slug'
}
export class Task extends Entity {
  id = 0;
  title = '';
  status = 'open';
  project = 0;
  static override key = 'Task';
}
const projects = new Collection([Project]);
const tasks = new Collection([Task], {
  belongs: (task, { search, status, project }) => {
    if (search || (status && !task.status)) return undefined; // only the server knows
    return (!status || status === task.status) && (!project || project === String(task.project));
  },
});
interface Paged {
  readonly next: string | null;
}
/** The parameters of the next page, as its address has them. */
const nextPage = ({ next }: Paged, params: object) =>
  next === null ? undefined : { ...params, page: Number(new URL(next).searchParams.get('page')) };

export const ProjectResource = createResource({ ...shared, path: '/projects/:slug/', schema: Project }).extend({
  getList: { schema: { count: projects.total, next: null as string | null, results: projects } },
});
export const TaskResource = createResource({
  ...shared,
  path: '/tasks/:id/',
  schema: Task,
  searchParams: {} as { search?: string; status?: string; project?: number; ordering?: string; page?: number },
})
  .extend({ getList: { schema: { count: tasks.total, next: null as string | null, results: tasks } } })
  .extend((base) => ({ getList: base.getList.paginated({ next: nextPage }) }));
