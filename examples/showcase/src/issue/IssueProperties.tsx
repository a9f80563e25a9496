import { useResource } from 'rtk-resource/react';
import { IssueResource, statuses, type Issue } from '../resources/issues';
import { LabelResource } from '../resources/labels';
import { PersonResource } from '../resources/people';
import { useAppDispatch } from '../store';

/** What is chosen for an issue: its column, who does it, its labels. */
export function IssueProperties({ issue: { id, status, assignee, labels } }: { readonly issue: Issue }) {
  const { data: people = [] } = useResource(PersonResource.getList);
  const { data: allLabels = [] } = useResource(LabelResource.getList);
  const dispatch = useAppDispatch();
  const chosen = labels.map((label) => label.id);

  const toggle = (label: string): void => {
    const next = chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
    void dispatch(IssueResource.partialUpdate({ id }, { labels: next }));
  };

  return (
    <div className="properties">
      <label>
        Status
        <select
          value={status}
          onChange={({ target }) => {
            const next = statuses.find((one) => one === target.value);
            if (next) void dispatch(IssueResource.partialUpdate({ id }, { status: next }));
          }}
        >
          {statuses.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Assignee
        <select
          value={assignee?.id ?? ''}
          onChange={({ target }) => {
            const next = target.value === '' ? null : Number(target.value);
            void dispatch(IssueResource.partialUpdate({ id }, { assignee: next }));
          }}
        >
          <option value="">nobody</option>
          {people.map((person) => (
            <option key={person.id} value={person.id}>
              {person.name}
            </option>
          ))}
        </select>
      </label>
      <div role="group" aria-label="Labels" className="labels">
        {allLabels.map((label) => (
          <button
            key={label.id}
            className="label"
            aria-pressed={chosen.includes(label.id)}
            onClick={() => {
              toggle(label.id);
            }}
          >
            <i style={{ background: label.color }} />
            {label.id}
          </button>
        ))}
      </div>
    </div>
  );
}
