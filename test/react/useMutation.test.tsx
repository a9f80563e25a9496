import { fireEvent, screen } from '@testing-library/react';
import { Activity, StrictMode, useLayoutEffect } from 'react';
import { createResource, Entity, NetworkError } from 'rtk-resource';
import { useMutation, useResource, type MutationState } from 'rtk-resource/react';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { typesOf } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

const ok = (title: string): { json: object } => ({ json: { id: 1, title } });

type Update = ReturnType<typeof useMutation<typeof TodoResource.partialUpdate>>;

/** A component that may update a todo, and all it was given. */
function setupUpdate() {
  const tools = setupScreen(server);
  const seen: Update[] = [];
  const Form = ({
    endpoint = TodoResource.partialUpdate,
  }: {
    readonly endpoint?: typeof TodoResource.partialUpdate;
  }) => {
    seen.push(useMutation(endpoint));

    return null;
  };
  const last = (): Update => {
    const [trigger, state] = seen.at(-1) ?? [];
    if (!trigger || !state) throw new Error('Nothing was rendered.');

    return [trigger, state];
  };

  return {
    ...tools,
    Form,
    seen,
    state: (): MutationState<Todo> => last()[1],
    /** Calls it, and gives its promise, which is not waited for. */
    update: (title: string) => tools.doing(() => ({ promise: last()[0]({ id: 1 }, { title }) })),
  };
}

describe('a mutation', () => {
  it.each([undefined, 'shared'])(
    'is idle again after reset(), also where it stays on the page (fixedKey %s)',
    async (fixedKey) => {
      const { show, doing, answer, store, resources } = setupScreen(server);
      const seen: unknown[] = [];
      const options = fixedKey === undefined ? {} : { fixedKey };
      const Toast = () => {
        const [update, { status, data }] = useMutation(TodoResource.partialUpdate, options);
        seen.push([status, data?.title]);
        return <button onClick={() => void update({ id: 1 }, { title: 'a secret' })}>save</button>;
      };
      await show(<Toast />);
      await doing(() => {
        fireEvent.click(screen.getByRole('button'));
      });
      await answer('PATCH /todos/1', ok('a secret'));
      expect(seen.at(-1)).toEqual(['fulfilled', 'a secret']);

      await doing(() => {
        store.dispatch(resources.reset());
      });

      expect(seen.at(-1)).toEqual(['uninitialized', undefined]);
    },
  );

  it('is idle before it is called', async () => {
    const { Form, show, state, actions } = setupUpdate();

    await show(<Form />);

    expect(state()).toMatchObject({ isLoading: false, data: undefined, error: undefined });
    expect(actions).toEqual([]);
  });

  it('is loading until its answer is there, then has the data', async () => {
    const { Form, show, state, update, answer, read } = setupUpdate();
    await show(<Form />);

    await update('new');

    expect(state()).toMatchObject({ isLoading: true, data: undefined, error: undefined });

    await answer('PATCH /todos/1', ok('new'));

    expect(state()).toMatchObject({ isLoading: false, data: { title: 'new' }, error: undefined });
    expect(state().data).toBe(read(TodoResource.get.select({ id: 1 })));
  });

  it('that fails has the error as it was thrown, and no data', async () => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(<Form />);

    await update('');
    await answer('PATCH /todos/1', { status: 422, json: { title: 'is empty' } });

    expect(state()).toMatchObject({ isLoading: false, data: undefined });
    expect(state().error).toBeInstanceOf(NetworkError);
    expect(state().error?.status).toBe(422);
    expect(state().error?.data).toEqual({ title: 'is empty' });
  });

  it('has an error that is shown as that of a read is', async () => {
    const { show, answer } = setupScreen(server);
    const Alert = ({
      error,
    }: {
      readonly error: { readonly message: string; readonly status?: number } | undefined;
    }) => (error ? <p role="alert">{error.status}</p> : null);
    const Both = () => {
      const { error } = useResource(TodoResource.get, { id: 1 });
      const [remove, removal] = useMutation(TodoResource.delete);

      return (
        <>
          <Alert error={error} />
          <Alert error={removal.error} />
          <button onClick={() => void remove({ id: 1 })}>Delete</button>
        </>
      );
    };
    await show(<Both />);
    await answer('GET /todos/1', { status: 404 });
    fireEvent.click(screen.getByRole('button'));
    await answer('DELETE /todos/1', { status: 403 });

    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['404', '403']);
  });

  it('whose hooks throw something else than an error has an error that says it', async () => {
    const { Form, show, state, update, doing } = setupUpdate();
    const Odd = TodoResource.partialUpdate.extend({
      fetchResponse() {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- as a user's code may
        throw 'no way';
      },
    });
    await show(<Form endpoint={Odd} />);

    const { promise } = await update('new');
    await doing(() => promise);

    expect(state().error).toBeInstanceOf(Error);
    expect(state().error).toMatchObject({ message: 'no way', cause: 'no way' });
    await expect(promise.unwrap()).rejects.toBe('no way');
  });

  it('forgets an error when it is called again', async () => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(<Form />);
    await update('');
    await answer('PATCH /todos/1', { status: 422 });

    await update('better');

    expect(state()).toMatchObject({ isLoading: true, error: undefined });

    await answer('PATCH /todos/1', ok('better'));

    expect(state()).toMatchObject({ data: { title: 'better' }, error: undefined });
  });

  it('shows an optimistic edit at once to whoever reads it', async () => {
    const { show, answer } = setupScreen(server);
    const Row = () => {
      const { data } = useResource(TodoResource.get, { id: 1 });
      const [update] = useMutation(TodoResource.partialUpdate);

      return <button onClick={() => void update({ id: 1 }, { title: 'new' })}>{data?.title}</button>;
    };
    await show(<Row />);
    await answer('GET /todos/1', ok('old'));

    fireEvent.click(screen.getByRole('button'));

    expect(screenText()).toBe('new');

    await answer('PATCH /todos/1', { status: 500 });

    expect(screenText()).toBe('old');
  });
});

describe('its state', () => {
  const flagsOf = ({ status, isUninitialized, isLoading, isSuccess, isError }: MutationState<unknown>): string =>
    [
      status,
      ...Object.entries({ isUninitialized, isLoading, isSuccess, isError }).flatMap(([k, is]) => (is ? k : [])),
    ].join(' ');

  it.each([
    ['is answered', ok('new'), 'fulfilled isSuccess'],
    ['is answered with nothing', { status: 204 }, 'fulfilled isSuccess'],
    ['fails', { status: 500 }, 'rejected isError'],
  ] as const)('says what has become of a call that %s', async (_, reply, flags) => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(<Form />);
    const states = [flagsOf(state())];

    await update('new');
    states.push(flagsOf(state()));
    await answer('PATCH /todos/1', reply);
    states.push(flagsOf(state()));

    expect(states).toEqual(['uninitialized isUninitialized', 'pending isLoading', flags]);
  });

  it('renders for what was read of it, and is the newest whenever the rest is read', async () => {
    const { show, answer, doing } = setupScreen(server);
    const renders: string[] = [];
    const seen: MutationState<Todo>[] = [];
    let call: (title: string) => void = () => undefined;
    const Form = () => {
      const [update, state] = useMutation(TodoResource.partialUpdate);
      call = (title) => void update({ id: 1 }, { title });
      renders.push(String(state.error?.status));
      seen.push(state);

      return null;
    };
    await show(<Form />);

    await doing(() => {
      call('new');
    });
    await answer('PATCH /todos/1', ok('new'));
    expect(renders).toEqual(['undefined']);

    await doing(() => {
      call('');
    });
    await answer('PATCH /todos/1', { status: 422 });

    expect(renders).toEqual(['undefined', '422']);
    // What was not read of the first is the newest that it may say: of the call that has succeeded, and begun again.
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'rejected']);
  });
});

describe('the end of a call', () => {
  it.each([
    ['an answer', false, ok('new'), ['old saving', 'new']],
    ['a refusal of a guess', true, { status: 500 }, ['new saving', 'old failed']],
  ] as const)('with %s renders once for its state and for the data', async (_, optimistic, reply, expected) => {
    const { show, answer, doing } = setupScreen(server);
    const update = TodoResource.partialUpdate.extend({ optimistic });
    const shown: string[] = [];
    const Form = () => {
      const { data } = useResource(TodoResource.get, { id: 1 });
      const [save, { isLoading, isError }] = useMutation(update);
      useLayoutEffect(() => {
        shown.push(`${data?.title}${isLoading ? ' saving' : ''}${isError ? ' failed' : ''}`);
      });

      return <button onClick={() => void save({ id: 1 }, { title: 'new' })}>Save</button>;
    };
    await show(<Form />);
    await answer('GET /todos/1', ok('old'));
    shown.length = 0;

    await doing(() => fireEvent.click(screen.getByRole('button')));
    await answer('PATCH /todos/1', reply);

    expect(shown).toEqual(expected);
  });
});

describe('a component that takes the trigger alone', () => {
  it('does not render for its call', async () => {
    const { show, answer, doing, store } = setupScreen(server);
    const renders = vi.fn();
    const Row = () => {
      const [update] = useMutation(TodoResource.partialUpdate);
      renders();

      return <button onClick={() => void update({ id: 1 }, { title: 'new' })}>Save</button>;
    };
    await show(<Row />);

    await doing(() => fireEvent.click(screen.getByRole('button')));
    await answer('PATCH /todos/1', { json: { id: 1, title: 'new' } });

    expect(TodoResource.get.select({ id: 1 })(store.getState())?.title).toBe('new');
    expect(renders).toHaveBeenCalledTimes(1);
  });
});

describe('a fixed key', () => {
  /** A button that adds a todo, and what others show of it. */
  function setupShared() {
    const tools = setupScreen(server);
    const Button = ({ fixedKey = 'new' }: { readonly fixedKey?: string }) => {
      const [add, { status, reset }] = useMutation(TodoResource.getList.push, { fixedKey });

      return (
        <button onClick={() => void add({ title: 'new' })} onDoubleClick={reset}>
          {status}
        </button>
      );
    };
    const Status = ({ fixedKey = 'new', of = TodoResource.getList.push }) => (
      <b>{useMutation(of, { fixedKey })[1].data?.title ?? 'none'}</b>
    );
    const click = () => tools.doing(() => fireEvent.click(screen.getByRole('button')));

    return { ...tools, Button, Status, click };
  }

  it('shares the last call among components', async () => {
    const { Button, Status, show, click, answer } = setupShared();
    await show(
      <>
        <Button />
        <Status />
      </>,
    );

    await click();
    expect(screenText()).toBe('pendingnone');
    await answer('POST /todos', ok('new'));

    expect(screenText()).toBe('fulfillednew');
  });

  it('shares it with who comes later, and forgets it for all on reset', async () => {
    const { Button, Status, show, click, answer, doing } = setupShared();
    const { rerender } = await show(<Button />);
    await click();
    await answer('POST /todos', ok('new'));

    rerender(
      <>
        <Button />
        <Status />
      </>,
    );
    expect(screenText()).toBe('fulfillednew');
    await doing(() => fireEvent.doubleClick(screen.getByRole('button')));

    expect(screenText()).toBe('uninitializednone');
  });

  it('keeps it where the form goes and who tells of it comes, in one moment', async () => {
    const { Button, Status, show, click, answer } = setupShared();
    const { rerender } = await show(<Button />);
    await click();

    rerender(<Status />);
    await answer('POST /todos', ok('new'));

    expect(screenText()).toBe('new');
  });

  it('keeps it for a component that is hidden while it is answered', async () => {
    const { Button, show, click, answer, doing } = setupShared();
    const page = (mode: 'hidden' | 'visible') => (
      <Activity mode={mode}>
        <Button />
      </Activity>
    );
    const { rerender } = await show(page('visible'));
    await click();
    await doing(() => {
      rerender(page('hidden'));
    });
    await answer('POST /todos', ok('new'));

    await doing(() => {
      rerender(page('visible'));
    });

    expect(screenText()).toBe('fulfilled');
  });

  it('of another name, of another endpoint or in another store is another', async () => {
    const { Button, Status, show, click, answer } = setupShared();
    const other = setupShared();
    await show(
      <>
        <Button />
        <Status fixedKey="old" />
        <Status of={TodoResource.getList.unshift} />
      </>,
    );
    await other.show(<other.Status />);

    await click();
    await answer('POST /todos', ok('new'));

    expect(screenText()).toBe('fulfillednonenonenone');
  });

  it('keeps the call for as long as a component shows it, also in StrictMode', async () => {
    const { Button, Status, show, click, answer, doing } = setupShared();
    const page = (isButton: boolean) => (
      <StrictMode>
        {isButton && <Button />}
        <Status />
      </StrictMode>
    );
    const { rerender } = await show(page(true));
    await click();
    rerender(page(false));
    await answer('POST /todos', ok('new'));
    expect(screenText()).toBe('new');

    rerender(<p />);
    await doing(() => undefined);
    rerender(page(true));

    expect(screenText()).toBe('uninitializednone');
  });

  it('tells nobody of a call that all have left', async () => {
    const { Button, Status, show, click, answer } = setupShared();
    const { rerender } = await show(<Button />);
    await click();

    rerender(<p />);
    await answer('POST /todos', ok('new'));
    rerender(<Status />);

    expect(screenText()).toBe('none');
  });
});

describe('its trigger', () => {
  it('returns the promise of the request, as dispatch does', async () => {
    const { Form, show, update, answer, actions } = setupUpdate();
    await show(<Form />);

    const { promise } = await update('new');
    await answer('PATCH /todos/1', ok('new'));

    expect(promise.arg).toMatchObject({ endpointName: 'Todo/partialUpdate', args: [{ id: 1 }, { title: 'new' }] });
    expect(await promise).toBe(actions.at(-1));
    expect((await promise.unwrap()).title).toBe('new');
  });

  it('returns a promise that unwraps to the error', async () => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(<Form />);

    const { promise } = await update('new');
    await answer('PATCH /todos/1', { status: 500 });

    await expect(promise.unwrap()).rejects.toBe(state().error);
  });

  it('returns a promise that can be aborted, which leaves neither data nor error', async () => {
    const { Form, show, state, update, doing, actions } = setupUpdate();
    await show(<Form />);
    const { promise } = await update('new');
    await server.holding('PATCH /todos/1');

    await doing(() => {
      promise.abort('changed my mind');

      return promise;
    });
    await server.hungUp('PATCH /todos/1');

    expect(state()).toMatchObject({ isLoading: false, data: undefined, error: undefined });
    expect(typesOf(actions)).toEqual(['Todo/partialUpdate/pending', 'Todo/partialUpdate/rejected']);
  });

  it('is the same function in every render, and so is reset', async () => {
    const { Form, show, seen, update, answer } = setupUpdate();
    const { rerender } = await show(<Form />);
    await update('new');
    await answer('PATCH /todos/1', ok('new'));
    rerender(<Form />);

    expect(new Set(seen.map(([trigger]) => trigger)).size).toBe(1);
    expect(new Set(seen.map(([, { reset }]) => reset)).size).toBe(1);
  });

  it('of a member of a list is the same function in every render', async () => {
    const { show } = setupScreen(server);
    const triggers = new Set<unknown>();
    const Add = () => {
      triggers.add(useMutation(TodoResource.getList.push)[0]);

      return null;
    };
    const { rerender } = await show(<Add />);
    rerender(<Add />);

    expect(triggers.size).toBe(1);
  });

  it('takes the body alone where nothing else is needed', async () => {
    const { show, answer } = setupScreen(server);
    const Add = () => {
      const [add, { data }] = useMutation(TodoResource.getList.push);

      return <button onClick={() => void add({ title: 'new' })}>{data?.title}</button>;
    };
    await show(<Add />);

    fireEvent.click(screen.getByRole('button'));
    await answer('POST /todos', ok('new'));

    expect(screenText()).toBe('new');
    expect(server.received[0]?.body).toEqual({ title: 'new' });
  });

  it('takes nothing where nothing is needed', async () => {
    const { show, answer } = setupScreen(server);
    const Ping = TodoResource.get.extend({ path: '/ping', method: 'POST', body: undefined, name: 'ping' });
    const Pinger = () => {
      const [ping, { isLoading, data }] = useMutation(Ping);

      return <button onClick={() => void ping()}>{isLoading ? 'Loading' : data?.title}</button>;
    };
    await show(<Pinger />);

    fireEvent.click(screen.getByRole('button'));

    expect(screenText()).toBe('Loading');

    await answer('POST /ping', ok('pong'));

    expect(screenText()).toBe('pong');
  });
});

describe('the last call', () => {
  it('is the one that is shown, when an earlier one is answered later', async () => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(<Form />);
    await update('first');
    await update('second');

    await answer(/PATCH .*second/, ok('second'));

    expect(state()).toMatchObject({ isLoading: false, data: { title: 'second' } });

    await answer(/PATCH .*first/, { status: 500 });

    expect(state()).toMatchObject({ isLoading: false, data: { title: 'second' }, error: undefined });
  });

  it('is the one that is waited for, when an earlier one is answered earlier', async () => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(<Form />);
    await update('first');
    await update('second');

    await answer(/PATCH .*first/, { status: 500 });

    expect(state()).toMatchObject({ isLoading: true, error: undefined });

    await answer(/PATCH .*second/, ok('second'));

    expect(state()).toMatchObject({ isLoading: false, data: { title: 'second' } });
  });
});

describe('reset', () => {
  it('forgets data', async () => {
    const { Form, show, state, update, answer, doing } = setupUpdate();
    await show(<Form />);
    await update('new');
    await answer('PATCH /todos/1', ok('new'));

    await doing(() => {
      state().reset();
    });

    expect(state()).toMatchObject({ isLoading: false, data: undefined, error: undefined });
  });

  it('forgets an error', async () => {
    const { Form, show, state, update, answer, doing } = setupUpdate();
    await show(<Form />);
    await update('new');
    await answer('PATCH /todos/1', { status: 500 });

    await doing(() => {
      state().reset();
    });

    expect(state().error).toBeUndefined();
  });

  it('forgets a call that is under way, which goes on unseen', async () => {
    const { Form, show, state, update, answer, doing, read } = setupUpdate();
    await show(<Form />);
    await update('new');

    await doing(() => {
      state().reset();
    });

    expect(state().isLoading).toBe(false);

    await answer('PATCH /todos/1', ok('new'));

    expect(state()).toMatchObject({ isLoading: false, data: undefined });
    expect(read(TodoResource.get.select({ id: 1 }))?.title).toBe('new');
  });
});

describe('a component that is gone while its call is under way', () => {
  it.each([
    ['is answered', ok('new')],
    ['fails', { status: 500 }],
  ] as const)('is not missed when it %s, and the call ends all the same', async (_, reply) => {
    const { Form, show, update, answer } = setupUpdate();
    const { unmount } = await show(<Form />);
    const { promise } = await update('new');

    unmount();
    await answer('PATCH /todos/1', reply);

    expect((await promise).meta.requestId).toBe(promise.requestId);
  });

  it('for a moment, as in StrictMode, shows its answer', async () => {
    const { Form, show, state, update, answer } = setupUpdate();
    await show(
      <StrictMode>
        <Form />
      </StrictMode>,
    );
    await update('new');
    await answer('PATCH /todos/1', ok('new'));

    expect(state().data?.title).toBe('new');
  });
});

it('has types that follow the endpoint', () => {
  type State = ReturnType<typeof useMutation<typeof TodoResource.update>>[1];
  expectTypeOf<State['data']>().toEqualTypeOf<Todo | undefined>();
  expectTypeOf<NonNullable<State['error']>['status']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<State['error']>().toExtend<Error | undefined>();
  expectTypeOf<State['error']>().toExtend<ReturnType<typeof useResource<typeof TodoResource.get>>['error']>();
});
