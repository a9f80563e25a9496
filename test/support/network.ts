import { afterEach, beforeEach, vi } from 'vitest';

/** What a call gets for an answer: `json`, an empty body, or, where the network is down, nothing. */
export interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isDown?: boolean;
}

interface Call {
  readonly name: string;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** The other side of `fetch`, without sockets, so that time can be fake. A call is known by `GET /notes/5`. */
export interface Network {
  /** Every call since the start or since it was told to forget. */
  readonly calls: readonly string[];
  /** The calls that were held when they were aborted. */
  readonly aborted: readonly string[];
  /** Gives a standing answer; calls without one are held. */
  answer(name: string, answer: Answer | (() => Answer)): void;
  /** Answers the oldest held call of a name, and waits until that has had its effect. */
  release(name: string, answer: Answer): Promise<void>;
  forgetCalls(): void;
  /** Forgets the calls, the standing answers and what is held. */
  forget(): void;
}

/** Puts a network in place of `fetch`; call it where time is fake already, and `vi.unstubAllGlobals` at the end. */
export function fakeNetwork(): Network {
  const calls: string[] = [];
  const aborted: string[] = [];
  const answers = new Map<string, () => Answer>();
  let held: Call[] = [];

  vi.stubGlobal('fetch', (input: string, { method = 'GET', signal }: RequestInit = {}) => {
    const name = `${method} ${input}`;
    calls.push(name);

    return new Promise<Response>((resolve, reject) => {
      const call = { name, resolve, reject };
      const standing = answers.get(name);
      if (signal?.aborted) reject(signal.reason as Error);
      else if (standing) end(call, standing());
      else held.push(call);
      signal?.addEventListener('abort', () => {
        if (!held.includes(call)) return;
        held = held.filter((other) => other !== call);
        aborted.push(name);
        reject(signal.reason as Error);
      });
    });
  });

  return {
    calls,
    aborted,
    answer(name, answer) {
      answers.set(name, typeof answer === 'function' ? answer : () => answer);
    },
    async release(name, answer) {
      const call = held.find((one) => one.name === name);
      if (!call) throw new Error(`${name} is not held; held: ${held.map((one) => one.name).join(', ') || 'nothing'}`);
      held = held.filter((other) => other !== call);
      end(call, answer);
      await pass();
    },
    forgetCalls() {
      calls.length = aborted.length = 0;
    },
    forget() {
      this.forgetCalls();
      answers.clear();
      held = [];
    },
  };
}

/** The network of a test file: time is fake in each test, and each begins with a new one. */
export function networkOfFile(): Pick<Network, 'answer' | 'release' | 'calls' | 'aborted'> {
  let network: Network;
  beforeEach(() => {
    vi.useFakeTimers();
    network = fakeNetwork();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return {
    answer: (...given) => {
      network.answer(...given);
    },
    release: (...given) => network.release(...given),
    get calls() {
      return network.calls;
    },
    get aborted() {
      return network.aborted;
    },
  };
}

/** Lets time pass, in ms, and all that was begun have its effect. */
export async function pass(time = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
}

function end({ resolve, reject }: Call, { status = 200, json, headers = {}, isDown = false }: Answer): void {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  if (isDown) reject(new TypeError('fetch failed'));
  else
    resolve(
      new Response(json === undefined ? null : JSON.stringify(json), { status, headers: { ...type, ...headers } }),
    );
}
