import { memo, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { Responses } from '../data.mjs';
import type { Issue } from '../Peer.js';

/** How rows get what they show: from the list that is read once, by a selector of their own, or by a hook of their own. */
export type Shape = 'props' | 'selector' | 'hook';

/** What is done to a page. */
export type Step = 'update' | 'refetch' | 'optimistic' | 'unrelated';

/** A library as its documentation teaches to use it. */
export interface ReactPeer {
  /** What shows a list in some way; where it is absent, nothing in the documentation does it like this. */
  readonly pages: Readonly<Partial<Record<Shape, ComponentType<{ readonly shown: number }>>>>;
  /** Writes one row, without a request. */
  update(id: string, title: string): unknown;
  /** Fetches the list again. */
  refetch(): Promise<unknown>;
  /** Changes the title of one row, which shows before the answer is there. */
  optimistic(id: string, title: string): Promise<unknown>;
  /** Something happens that the page does not show. */
  unrelated(): unknown;
}

declare global {
  interface Window {
    bench: Bench;
  }
}

interface Bench {
  prepare(size: number, shown: number): void;
  /** Whether the documentation of the library does it like this. */
  has(shape: Shape): boolean;
  /** Shows the list, whose answer is there as soon as it is asked for. */
  mount(shape: Shape): Promise<void>;
  /** Does something, and gives how many rows were rendered by it. */
  step(step: Step, turn: number): Promise<number>;
}

let rendered = 0;

/** One row, as all libraries show it. */
export function IssueRow({ issue }: { readonly issue: Issue | undefined }) {
  rendered++;
  if (!issue) return null;

  return (
    <li>
      <b>{issue.title}</b> #{issue.number} <i>{issue.state}</i> by {issue.user.login}, {issue.comments} comments
    </li>
  );
}

export const MemoRow = memo(IssueRow);

/** Lets a benchmark use a library. */
export function serve(peer: ReactPeer): void {
  let responses: Responses | undefined;
  let text = '';
  let shown = 0;

  const issue = (turn: number): Issue => {
    const found = responses?.issues[(turn * 79) % shown];
    if (!found) throw new Error('Nothing was prepared.');
    return found;
  };
  // The server: it answers as soon as a promise does.
  window.fetch = (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'GET') return Promise.resolve(json(text));
    const id = new URL(request.url).pathname.split('/').at(-1);
    return request.text().then((body) => {
      const row = responses?.issues.find((one) => one.id === id);
      return json(JSON.stringify({ ...row, ...(JSON.parse(body) as object) }));
    });
  };

  const steps: Readonly<Record<Step, (turn: number) => unknown>> = {
    update: (turn) => peer.update(issue(turn).id, `Updated ${turn}`),
    refetch: () => peer.refetch(),
    optimistic: (turn) => peer.optimistic(issue(turn).id, `Edited ${turn}`),
    unrelated: () => peer.unrelated(),
  };

  window.bench = {
    prepare(size, count) {
      responses = new Responses(size);
      text = JSON.stringify(responses.issues);
      shown = count;
    },
    has: (shape) => peer.pages[shape] !== undefined,
    async mount(shape) {
      const Page = peer.pages[shape];
      if (!Page) return;
      const element = document.body.appendChild(document.createElement('main'));
      createRoot(element).render(<Page shown={shown} />);
      while (element.querySelectorAll('li').length < shown) await frame();
      await frame();
    },
    async step(step, turn) {
      rendered = 0;
      await steps[step](turn);
      await frame();
      await frame();
      return rendered;
    },
  };
}

function json(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

/** Waits until the page is drawn. */
function frame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      setTimeout(resolve);
    });
  });
}
