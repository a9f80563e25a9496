export interface Todo {
  readonly id: number;
  readonly title: string;
}

interface Announced {
  readonly name: string;
  readonly isRefused: boolean;
}

/** A server in the page, for one contestant. It does what it is asked as it is asked, and answers when it is told to. */
export class TinyServer {
  #todos: readonly Todo[] = [
    { id: 1, title: 'Bread' },
    { id: 2, title: 'Butter' },
    { id: 3, title: 'Tea' },
  ];
  #announced: Announced | undefined;
  readonly #arrived = new Map<string, () => void>();
  readonly #answer = new Map<string, () => void>();

  get titles(): readonly string[] {
    return this.#todos.map(({ title }) => title);
  }

  /** The next request has this name, and its answer is held. Resolves when it has come. */
  announce(name: string, isRefused: boolean): Promise<void> {
    this.#announced = { name, isRefused };
    return new Promise((resolve) => {
      this.#arrived.set(name, resolve);
    });
  }

  answer(name: string): void {
    this.#answer.get(name)?.();
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const announced = this.#announced;
    this.#announced = undefined;
    const body: unknown = request.method === 'PATCH' ? await request.json() : undefined;
    const answer = announced?.isRefused ? refusal() : this.#do(request, body);
    if (announced) {
      const told = new Promise<void>((resolve) => {
        this.#answer.set(announced.name, resolve);
      });
      this.#arrived.get(announced.name)?.();
      await told;
    }
    return answer;
  };

  #do({ method, url }: Request, body: unknown): Response {
    const id = Number(url.split('/').at(-1));
    if (method === 'GET') return Response.json(this.#todos);
    if (method === 'DELETE') {
      this.#todos = this.#todos.filter((todo) => todo.id !== id);
      return new Response(null, { status: 204 });
    }
    const fields = typeof body === 'object' ? body : {};
    this.#todos = this.#todos.map((todo) => (todo.id === id ? { ...todo, ...fields } : todo));
    return Response.json(this.#todos.find((todo) => todo.id === id));
  }
}

function refusal(): Response {
  return Response.json({ title: 'Refused.' }, { status: 500 });
}
