import { data } from './data';

export function GET() {
  data.asked.push('GET /api/todos');
  return Response.json(data.todos);
}

export async function POST(request: Request) {
  data.asked.push('POST /api/todos');
  const todo = {
    completed: false,
    ...((await request.json()) as { readonly title: string }),
    id: data.todos.length + 1,
  };
  data.todos = [...data.todos, todo];
  return Response.json(todo, { status: 201 });
}
