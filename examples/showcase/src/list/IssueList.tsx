import { useCallback, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { IssueFilter } from '../resources/issues';
import type { Me } from '../resources/session';
import { Filters } from './Filters';
import { FoundIssues } from './FoundIssues';
import { NewIssue } from './NewIssue';

/** All issues, or those that are looked for, newest first. */
export function IssueList({ me }: { readonly me: Me }) {
  const [filter, setFilter] = useState<IssueFilter>({});
  const [isCreating, setCreating] = useState(false);
  const virtualizer = useRef<VirtualizerHandle>(null);

  const close = useCallback(() => {
    setCreating(false);
  }, []);

  const change = (fields: IssueFilter): void => {
    setFilter((current) => ({ ...current, ...fields }));
    virtualizer.current?.scrollTo(0);
  };

  return (
    <section className="list pane" data-name="list" aria-label="List">
      <Filters filter={filter} change={change}>
        <button
          className="main"
          aria-expanded={isCreating}
          onClick={() => {
            setCreating(!isCreating);
          }}
        >
          New issue
        </button>
      </Filters>
      {isCreating && <NewIssue me={me} close={close} />}
      <FoundIssues filter={filter} virtualizer={virtualizer} />
    </section>
  );
}
