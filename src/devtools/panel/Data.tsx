import { useState } from 'react';
import { own } from '../../schema/Schema.js';
import { tablesOfLists } from '../../schema/listKey.js';
import { holdsNotes } from '../../tables/aliases.js';
import { rowIn } from '../../tables/changes.js';
import { rowFrom, tableOf } from '../../tables/tables.js';
import type { Case } from '../explain/Case.js';
import { guesserTold, quoted, timeOf } from '../explain/sentences.js';
import { stateTold } from '../explain/waits.js';
import { redactRow } from '../record/redact.js';
import { CopyButton } from './CopyButton.js';
import { entriesOf } from './entries.js';
import { useLooking } from './looking.js';
import { freshness } from './freshness.js';
import { Rows } from './Rows.js';
import { WhyButton } from './Why.js';

function namesOf({ shown, slice }: Case): readonly string[] {
  return [...new Set([...Object.keys(slice.tables), ...Object.keys(shown)])].filter((name) => !holdsNotes(name)).sort();
}

/** The confirmed rows that a guess hides. */
function hiddenIn(the: Case, table: string): readonly string[] {
  const changed = the.slice.intents.flatMap(({ changes }) => changes.rows.filter((change) => change.table === table));
  const pks = changed.flatMap((change) => change.pks);
  return [...new Set(pks)].filter((pk) => rowFrom(the.slice.tables, table, pk) && !rowFrom(the.shown, table, pk));
}

/** Tables and lists, as they are confirmed and as they are shown. */
export function Data() {
  const { the } = useLooking();
  const names = namesOf(the);
  const [name, setName] = useState<string>();
  const [pk, setPk] = useState<string>();
  const table = name !== undefined && names.includes(name) ? name : names[0];
  if (table === undefined) return <p className="problem">There is no data yet.</p>;
  const entries = entriesOf(tableOf(the.shown, table));
  const hidden = hiddenIn(the, table);
  const count = entries.count + hidden.length;
  const pkAt = (at: number): string => (at < entries.count ? entries.pk(at) : (hidden[at - entries.count] ?? ''));
  const place = entries.at(pk);
  const gone = pk === undefined ? -1 : hidden.indexOf(pk);
  const chosen = place >= 0 ? place : gone < 0 ? undefined : entries.count + gone;
  const isLists = tablesOfLists(table).length > 0;
  return (
    <>
      <div className="tools">
        <label>
          Table{' '}
          <select
            value={table}
            onChange={({ target }) => {
              setName(target.value);
              setPk(undefined);
            }}
          >
            {names.map((one) => (
              <option key={one} value={one}>
                {one} ({entriesOf(tableOf(the.shown, one)).count})
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="halves">
        <Rows
          label={`Rows of ${table}`}
          count={count}
          chosen={chosen}
          choose={(at) => {
            setPk(pkAt(at));
          }}
          cells={(at) => [
            <code key="pk">{the.names.pk(table, pkAt(at))}</code>,
            <Summary key="row" table={table} pk={pkAt(at)} />,
          ]}
        />
        {pk !== undefined &&
          chosen !== undefined &&
          (isLists ? <ListDetails table={table} pk={pk} /> : <RowDetails table={table} pk={pk} />)}
      </div>
    </>
  );
}

/** A row in few words. */
function Summary({ table, pk }: { readonly table: string; readonly pk: string }) {
  const { the } = useLooking();
  if (tablesOfLists(table).length > 0) return <>{the.members(table, pk)?.length ?? 0} members</>;
  const row = rowFrom(the.shown, table, pk);
  if (!row) return <>hidden by a guess</>;
  return <>{JSON.stringify(redactRow(row, `${table}/${pk}`, the.redact)).slice(0, 160)}</>;
}

function RowDetails({ table, pk }: { readonly table: string; readonly pk: string }) {
  const { the, now } = useLooking();
  const [confirmed, shown] = [the.wireRow(table, pk, the.slice.tables), the.wireRow(table, pk)];
  const told = the.names.pk(table, pk);
  const fields = [...new Set([...Object.keys(confirmed ?? {}), ...Object.keys(shown ?? {})])];
  const bringer = the.bringer(table, pk);
  const guesses = the.slice.intents.filter(({ changes }) => rowIn(changes, table, pk) !== undefined);
  const cell = (value: unknown, field: string): string =>
    quoted(the.redact(value, `${table}/${pk}/${field}`)).slice(1, -1);
  return (
    <section className="details" aria-label={`${table} ${told}`} tabIndex={0}>
      <h2>
        {table} <code>{told}</code>
      </h2>
      <p className="quiet">
        {bringer
          ? `The newest answer that shows it is that of ${the.keyOf(bringer.name)} (${timeOf(bringer.at)}), ${freshness(the.record(bringer.name), now)}.`
          : 'No answer that is kept shows it.'}
      </p>
      <div>
        <CopyButton name="Copy JSON" make={() => redactRow(shown ?? confirmed ?? null, `${table}/${pk}`, the.redact)} />{' '}
        <WhyButton question={{ entity: table, pk }} about={`${table} ${told}`} />
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Confirmed</th>
            <th scope="col">Shown</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const [was, is] = [own(confirmed, field), own(shown, field)];
            const isOther = JSON.stringify(was) !== JSON.stringify(is);
            return (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td className="mono">{cell(was, field)}</td>
                <td className={isOther ? 'mono differs' : 'mono'}>{cell(is, field)}</td>
                <td>
                  <WhyButton question={{ entity: table, pk, field }} about={`${table} ${told} ${field}`} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {guesses.length > 0 && (
        <>
          <h3>Guesses, in order</h3>
          <ol>
            {guesses.map((intent) => (
              <li key={intent.requestId}>
                {guesserTold(the, intent)} {stateTold(the, intent)}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function ListDetails({ table, pk }: { readonly table: string; readonly pk: string }) {
  const { the } = useLooking();
  const [confirmed, shown] = [the.members(table, pk, the.slice.tables) ?? [], the.members(table, pk) ?? []];
  const told = the.names.pk(table, pk);
  const isThere = rowFrom(the.slice.tables, table, pk) !== undefined;
  return (
    <section className="details" aria-label={`${table} ${told}`} tabIndex={0}>
      <h2>
        {table} <code>{told}</code>
      </h2>
      <p>
        <CopyButton name="Copy JSON" make={() => shown} />
      </p>
      <h3>Shown ({shown.length})</h3>
      <p className="mono">{shown.slice(0, 500).join(', ')}</p>
      <h3>{isThere ? `Confirmed (${confirmed.length})` : 'Not confirmed'}</h3>
      <p className="mono">{confirmed.slice(0, 500).join(', ')}</p>
    </section>
  );
}
