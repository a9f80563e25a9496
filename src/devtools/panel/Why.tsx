import { useState } from 'react';
import { explain } from '../explain/explain.js';
import type { Question } from '../explain/question.js';
import { quoted } from '../explain/sentences.js';
import { useLooking } from './looking.js';

/** A button that answers why something is as it is. */
export function WhyButton({ question, about }: { readonly question: Question; readonly about: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`Why: ${about}`}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        Why?
      </button>
      {isOpen && <Why question={question} />}
    </>
  );
}

/** What is shown, and why, sentence by sentence; each leads to what happened. */
export function Why({ question }: { readonly question: Question }) {
  const { the, show } = useLooking();
  const { value, because } = explain(question, the);
  const ids = new Set(the.events.map(({ id }) => id));
  return (
    <div className="why">
      <p>
        <code>{quoted(value)}</code>
      </p>
      <ol aria-label="Why">
        {because.map(({ kind, text, eventId }, i) => (
          <li key={i} data-kind={kind}>
            {text}{' '}
            {eventId !== undefined && ids.has(eventId) && (
              <button
                type="button"
                aria-label={`Show on the timeline: ${text}`}
                onClick={() => {
                  show(eventId);
                }}
              >
                Show
              </button>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
