import type { Store } from '@reduxjs/toolkit';
import { useId, useState, type ReactNode } from 'react';
import { warnOnce } from '../../errors.js';
import type { MockServer } from '../../mock/options.js';
import { safely } from '../record/redact.js';
import { recorderOf } from '../record/recordResources.js';
import type { RecorderOptions, StoreRecorder } from '../record/Recorder.js';
import { Data } from './Data.js';
import { LookingContext, useNow } from './looking.js';
import { remember, remembered } from './memory.js';
import { Pending } from './Pending.js';
import { Requests } from './Requests.js';
import { Tabs } from './Tabs.js';
import { Timeline } from './Timeline.js';

/** Stores by name; one that has no name is alone. */
export type Stores = Readonly<Record<string, Store>>;

const tabs = ['Timeline', 'Data', 'Pending', 'Requests'] as const;
type Tab = (typeof tabs)[number];

const NO_STORE = 'There is no store: render the devtools inside of a Provider of react-redux, or give them a store.';

export interface PanelProps {
  readonly stores: Stores;
  readonly options: RecorderOptions;
  readonly server: MockServer | undefined;
  readonly onClose: (() => void) | undefined;
  /** What makes it larger and smaller. */
  readonly grip?: ReactNode;
}

/** All of the panel, for one store or several. */
export function Panel({ stores, options, server, onClose, grip }: PanelProps) {
  const names = Object.keys(stores);
  const [name, setName] = useState<string>();
  const chosen = name !== undefined && names.includes(name) ? name : (names[0] ?? '');
  const id = useId();
  const store = stores[chosen];
  if (!store) warnOnce(() => ['devtools store', NO_STORE]);
  const close = onClose && (
    <button type="button" className="end" aria-label="Close rtk-resource devtools" onClick={onClose}>
      ✕
    </button>
  );
  return (
    <section className="panel" aria-label="rtk-resource devtools">
      {grip}
      {names.length > 1 && (
        <div className="bar-top">
          <Tabs label="Stores" names={names} chosen={chosen} choose={setName} controls={`${id}-store`} />
        </div>
      )}
      <div
        className="panel"
        id={`${id}-store`}
        {...(names.length > 1 && { role: 'tabpanel', 'aria-labelledby': `${id}-store-${names.indexOf(chosen)}` })}
      >
        {store ? (
          <StorePanel
            key={chosen}
            recorder={recorderOf(store, options)}
            redact={options.redact}
            server={server}
            close={close}
          />
        ) : (
          <>
            <div className="bar-top">{close}</div>
            <p className="problem" role="note">
              {NO_STORE}
            </p>
          </>
        )}
      </div>
    </section>
  );
}

interface StorePanelProps {
  readonly recorder: StoreRecorder;
  /** What the panel was told to redact; the recording may have begun without. */
  readonly redact: RecorderOptions['redact'];
  readonly server: MockServer | undefined;
  readonly close: ReactNode;
}

function StorePanel({ recorder, redact, server, close }: StorePanelProps) {
  const now = useNow(recorder);
  const [tab, setTab] = useState<Tab>(() => tabs.find((one) => one === remembered().tab) ?? 'Timeline');
  const [wanted, setWanted] = useState<{ readonly eventId: string; readonly times: number }>();
  const [said, setSaid] = useState('');
  const id = useId();
  const the = recorder.look(safely(redact));
  const choose = (next: Tab): void => {
    setTab(next);
    remember({ tab: next });
  };
  const show = (eventId: string): void => {
    choose('Timeline');
    setWanted((last) => ({ eventId, times: (last?.times ?? 0) + 1 }));
  };
  return (
    <>
      <div className="bar-top">
        <Tabs label="rtk-resource devtools" names={tabs} chosen={tab} choose={choose} controls={id} />
        {close}
      </div>
      <div className="body" role="tabpanel" id={id} aria-labelledby={`${id}-${tabs.indexOf(tab)}`}>
        {the ? (
          <LookingContext.Provider value={{ recorder, the, now, server, show, say: setSaid }}>
            {tab === 'Timeline' && <Timeline wanted={wanted} />}
            {tab === 'Data' && <Data />}
            {tab === 'Pending' && <Pending />}
            {tab === 'Requests' && <Requests />}
          </LookingContext.Provider>
        ) : (
          <p className="problem" role="note">
            {recorder.problem ?? `There is no slice of rtk-resource at state.${recorder.path} yet.`}
          </p>
        )}
      </div>
      <p className="said" role="status">
        {said}
      </p>
    </>
  );
}
