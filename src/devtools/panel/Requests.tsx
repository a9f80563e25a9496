import { useState } from 'react';
import { findLists } from '../../schema/ListsSchema.js';
import { createSliceActions } from '../../store/actions.js';
import { explain } from '../explain/explain.js';
import { argsOf, statusOf } from '../explain/requests.js';
import { quoted, timeOf } from '../explain/sentences.js';
import { messageTold } from '../record/Names.js';
import { CopyButton } from './CopyButton.js';
import { entriesOf } from './entries.js';
import { answerInFull } from './inFull.js';
import { freshness } from './freshness.js';
import { useLooking } from './looking.js';
import { Rows } from './Rows.js';
import { seedOf } from './seed.js';
import { Why, WhyButton } from './Why.js';

/** Requests by key: how they stand, how fresh they are, their pages and failures. */
export function Requests() {
  const { the, now } = useLooking();
  const [name, setName] = useState<string>();
  const entries = entriesOf(the.slice.requests);
  if (entries.count === 0) return <p className="problem">No request was made yet.</p>;
  const chosen = entries.at(name);
  return (
    <>
      <div className="tools">
        <CopyButton name="Copy as seed" make={() => seedOf(the)} />
      </div>
      <div className="halves">
        <Rows
          label="Requests"
          count={entries.count}
          chosen={chosen < 0 ? undefined : chosen}
          choose={(at) => {
            setName(entries.pk(at));
          }}
          cells={(at) => {
            const record = the.record(entries.pk(at));
            return [
              <code key="name">{the.keyOf(entries.pk(at))}</code>,
              statusOf(the, entries.pk(at), record),
              freshness(record, now),
              record?.pages ? `${record.pages.all.length} pages` : '',
            ];
          }}
        />
        {name !== undefined && chosen >= 0 && <RequestDetails key={name} name={name} />}
      </div>
    </>
  );
}

function RequestDetails({ name }: { readonly name: string }) {
  const { the, now, recorder, say } = useLooking();
  const record = the.record(name);
  const told = the.names.name(name, the.slice);
  const endpoint = the.endpointOf(name);
  const { answer, failure, pending = [], pages } = record ?? {};
  const actions = createSliceActions(recorder.path);
  const target = endpoint && { name: endpoint.name, key: name.slice(endpoint.name.length + 1) };
  const args = argsOf(the, name);
  const list = endpoint && !endpoint.sideEffect && findLists(endpoint.schema) ? endpoint.name : undefined;
  return (
    <section className="details" aria-label={the.keyOf(name)} tabIndex={0}>
      <h2 className="mono">{told}</h2>
      <p>
        {statusOf(the, name, record)}, {freshness(record, now)}
        {answer &&
          `, answered ${Math.round((now - answer.fulfilledTimeStamp) / 1_000)} s ago (${timeOf(answer.fulfilledTimeStamp)})`}
        {pending.length > 0 && `, ${pending.length} under way`}
        {pages && `, ${pages.all.length} pages${pages.next ? ' and more' : ''}`}
      </p>
      {failure && <p role="note">Failed: {messageTold(failure.error.message, name, the.keyOf(name))}</p>}
      <div>
        {target && (
          <>
            <button
              type="button"
              onClick={() => {
                recorder.store.dispatch(actions.expire(target));
                say('Made stale.');
              }}
            >
              Expire
            </button>{' '}
            <button
              type="button"
              onClick={() => {
                recorder.store.dispatch(actions.invalidate(target));
                say('Invalidated.');
              }}
            >
              Invalidate
            </button>{' '}
          </>
        )}
        {endpoint && answer && <CopyButton name="Copy JSON" make={() => answerInFull(the, endpoint, answer.result)} />}{' '}
        <WhyButton question={{ request: name }} about={told} />
      </div>
      {list !== undefined && <Members list={list} args={args} />}
    </section>
  );
}

/** Why a list is as it is, and why a row is in it, or not. */
function Members({ list, args }: { readonly list: string; readonly args: readonly unknown[] }) {
  const { the } = useLooking();
  const [pk, setPk] = useState('');
  const [asked, setAsked] = useState<string>();
  const value = explain({ list, args }, the).value;
  return (
    <>
      <h3>The list</h3>
      <p className="mono">{quoted(value)}</p>
      <div>
        <WhyButton question={{ list, args }} about="the list" />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(pk);
        }}
      >
        <label>
          Row with the pk{' '}
          <input
            value={pk}
            onChange={({ target }) => {
              setPk(target.value);
            }}
          />
        </label>{' '}
        <button type="submit">Why in it, or not?</button>
      </form>
      {asked !== undefined && asked !== '' && <Why question={{ list, args, pk: asked }} />}
    </>
  );
}
