import { quoted, timeOf } from '../explain/sentences.js';
import type { News, RowNews } from '../record/events.js';
import { redactArgs, redactRow, type Redact } from '../record/redact.js';
import { labelOf, type Bar } from './bars.js';
import { useLooking } from './looking.js';

/** So many rows are named one by one. */
const FEW = 20;

function rowsIn(rows: readonly RowNews[], redact: Redact): readonly string[] {
  return rows.flatMap(({ table, pks, rows: all }) =>
    pks.map((pk, i) => {
      const row = redactRow(all[i] ?? null, `${table}/${pk}`, redact);
      const fields = Object.entries(row ?? {}).map(([field, value]) => `${field} ${quoted(value)}`);
      return `${table} ${pk}: ${row ? fields.join(', ') : 'gone'}`;
    }),
  );
}

/** Changes in words. */
function wordsOf(news: News | undefined, redact: Redact): readonly string[] {
  if (!news) return [];
  const lists = news.lists.map(({ table, pk, come, gone }) => {
    const what = [come.length > 0 ? `${come.join(', ')} came` : '', gone.length > 0 ? `${gone.join(', ')} went` : ''];
    return `${table} ${pk}: ${what.filter(Boolean).join('; ') || 'begun'}`;
  });
  return [...rowsIn(news.rows, redact), ...lists];
}

function Part({ name, lines }: { readonly name: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {lines.slice(0, FEW).map((line, i) => (
          <li key={i} className="mono">
            {line}
          </li>
        ))}
        {lines.length > FEW && <li className="quiet">and {lines.length - FEW} more</li>}
      </ul>
    </>
  );
}

/** What a request was asked with, what it showed, and what it brought. */
export function BarDetails({ bar }: { readonly bar: Bar }) {
  const { redact } = useLooking().the;
  const { events } = bar;
  const begun = events.find(({ meta }) => meta.requestStatus === 'pending');
  const ended = events.find((event) => event !== begun);
  const { arg, cause, startedTimeStamp } = (begun ?? ended)?.meta ?? {};
  const { error, rebased = {}, expires = [], passedOver = [], waits, target, collected = [] } = ended?.meta ?? {};
  return (
    <section className="details" aria-label="Details" tabIndex={0}>
      <h2 className="mono">{labelOf(bar)}</h2>
      <p className="quiet">
        {arg?.endpointName} {startedTimeStamp !== undefined && `made at ${timeOf(startedTimeStamp)}`}
        {cause !== undefined && `, cause: ${cause}`}
        {waits && ', some of its answer waits'}
      </p>
      {error && <p role="note">It failed: {[error.status, error.message].filter(Boolean).join(' ')}</p>}
      {arg && arg.args.length > 0 && (
        <Part name="Arguments" lines={[JSON.stringify(redactArgs(arg.args, arg.endpointName, redact))]} />
      )}
      <Part name="Showed" lines={wordsOf(begun?.meta.changes, redact)} />
      <Part name="Brought" lines={wordsOf(ended?.meta.changes, redact)} />
      <Part name="Passed over" lines={rowsIn(passedOver, redact)} />
      <Part name="Guesses found anew" lines={Object.values(rebased).flatMap((news) => wordsOf(news, redact))} />
      <Part name="Made stale" lines={[...expires, ...(target ? [`${target.name} ${target.key ?? ''}`] : [])]} />
      <Part name="Collected" lines={collected} />
    </section>
  );
}
