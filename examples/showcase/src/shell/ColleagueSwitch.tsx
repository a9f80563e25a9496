import { useResource } from 'rtk-resource/react';
import { act, ColleagueResource } from '../resources/colleague';
import { useAppDispatch } from '../store';

/** Has a second user, whom the server simulates, change issues. */
export function ColleagueSwitch() {
  const { data: grace } = useResource(ColleagueResource.get);
  const dispatch = useAppDispatch();
  const isWorking = grace?.isWorking ?? false;

  return (
    <span className="group">
      <button
        role="switch"
        aria-checked={isWorking}
        onClick={() => void dispatch(ColleagueResource.partialUpdate({ isWorking: !isWorking }))}
      >
        Grace works
      </button>
      <button title="Has Grace do one thing" onClick={() => void dispatch(act())}>
        once
      </button>
    </span>
  );
}
