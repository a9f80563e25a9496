import { data } from '../data';

export async function PATCH(request: Request, { params }: { readonly params: Promise<{ readonly id: string }> }) {
  const { id } = await params;
  data.asked.push(`PATCH /api/todos/${id}`);
  const fields = (await request.json()) as object;
  data.todos = data.todos.map((todo) => (todo.id === Number(id) ? { ...todo, ...fields } : todo));
  return Response.json(data.todos.find((todo) => todo.id === Number(id)));
}
