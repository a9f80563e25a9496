import { useRef, type ReactNode } from 'react';
import { useResource } from 'rtk-resource/react';
import { statuses, type IssueFilter } from '../resources/issues';
import { LabelResource } from '../resources/labels';

interface Props {
  readonly filter: IssueFilter;
  readonly change: (fields: IssueFilter) => void;
  readonly children: ReactNode;
}

/** How long the user pauses before a search is sent, in ms. */
const pause = 250;

export function Filters({ filter, change, children }: Props) {
  const { data: labels = [] } = useResource(LabelResource.getList);
  const typing = useRef<number>(undefined);

  const search = (q: string): void => {
    clearTimeout(typing.current);
    typing.current = window.setTimeout(change, pause, { q: q.trim() || undefined });
  };

  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <input
        type="search"
        aria-label="Search"
        placeholder="Search titles"
        onChange={({ target }) => {
          search(target.value);
        }}
      />
      <select
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={({ target }) => {
          change({ status: statuses.find((status) => status === target.value) });
        }}
      >
        <option value="">any status</option>
        {statuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </select>
      <select
        aria-label="Label"
        value={filter.label ?? ''}
        onChange={({ target }) => {
          change({ label: target.value || undefined });
        }}
      >
        <option value="">any label</option>
        {labels.map(({ id }) => (
          <option key={id}>{id}</option>
        ))}
      </select>
      {children}
    </form>
  );
}
