import { act, render } from '@testing-library/react';
import { Component, type ReactElement, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import type { ResourcesOptions } from 'rtk-resource';
import { onTestFinished } from 'vitest';
import type { Reply, TestServer } from './server.js';
import { setup } from './store.js';

const isEnd = /\/(fulfilled|rejected)$/;

/** A store, and components that are shown with it. */
export function setupScreen(server: TestServer, options: ResourcesOptions<'resources'> = {}) {
  const tools = setup(options);
  const { store, actions, resources } = tools;
  // What a failed test leaves in flight must not reach the server in the next one.
  onTestFinished(() => {
    store.dispatch(resources.reset());
  });

  /** Waits until one more request has ended. */
  const nextEnd = (): Promise<void> =>
    new Promise((resolve) => {
      const unsubscribe = store.subscribe(() => {
        if (!isEnd.test(actions.at(-1)?.type ?? '')) return;
        unsubscribe();
        resolve();
      });
    });

  return {
    ...tools,
    /** Renders with the store, and waits for what suspends to have begun. */
    show: (element: ReactElement) =>
      act(() =>
        Promise.resolve(render(element, { wrapper: ({ children }) => <Provider store={store}>{children}</Provider> })),
      ),
    /** Answers the oldest request of this name that waits, and lets the screen follow. */
    answer: (which: string | RegExp, reply: Reply): Promise<void> =>
      act(async () => {
        const end = nextEnd();
        await server.release(which, reply);
        await end;
      }),
    /** Dispatches, clicks or whatever else, and lets the screen follow. */
    doing: <Result,>(deed: () => Result): Promise<Result> => act(async () => Promise.resolve(deed())),
  };
}

/** What the screen says. */
export const screenText = (): string => document.body.textContent;

interface BoundaryProps {
  readonly children: ReactNode;
  /** What is done before it is tried again. */
  readonly onRetry?: () => void;
  /** Gets what was thrown. */
  readonly onError?: (error: unknown) => void;
}

/** Shows an error in place of what threw it, and a button to try again. */
export class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const retry = (): void => {
      this.props.onRetry?.();
      this.setState({ error: undefined });
    };
    return <button onClick={retry}>Failed: {error instanceof Error ? error.message : 'something'}</button>;
  }
}
