import { Board } from '../board/Board';
import { ConflictDialog } from '../issue/ConflictDialog';
import { IssuePane } from '../issue/IssuePane';
import { IssueList } from '../list/IssueList';
import { Outbox } from '../outbox/Outbox';
import type { Me } from '../resources/session';
import { panes, hrefOfPane, useRoute } from '../route';
import { Stories } from '../story/Stories';
import { TimelinePane } from '../timeline/TimelinePane';
import { Header } from './Header';
import { Notices } from './Notices';

/** The app of somebody who is signed in. */
export function Tracker({ me }: { readonly me: Me }) {
  const { pane, issueId } = useRoute();

  return (
    <div className="tracker" data-pane={pane}>
      <Header me={me} />
      <Stories />
      <Outbox />
      <main id="main" tabIndex={-1}>
        <Board />
        <IssueList me={me} />
        <IssuePane id={issueId} me={me} />
        <TimelinePane />
      </main>
      <nav className="tabs" aria-label="Panes">
        {panes.map((one) => (
          <a key={one} href={hrefOfPane(one)} aria-current={one === pane ? 'page' : undefined}>
            {one}
          </a>
        ))}
      </nav>
      <ul id="flights" aria-hidden="true" inert />
      <Notices />
      <ConflictDialog />
    </div>
  );
}
