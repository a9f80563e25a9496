import type { LiveMessage } from '../../server/events';
import { CommentResource } from '../resources/comments';
import { Issue, IssueResource } from '../resources/issues';
import { resources, store } from '../store';
import { client } from './ApiEndpoint';
import { connection } from './connection';
import { isLiveMessage } from './liveMessage';

/** Listens to what others change, as long as somebody is signed in and there is a connection. */
export function startLive(): void {
  let source: EventSource | undefined;
  // What a page without a connection shows when it is opened is of another time.
  let wasOpen = !connection.isOnline;

  const check = (): void => {
    const isSignedIn = Boolean(store.getState().session.person);
    const isWanted = isSignedIn && connection.isOnline;
    if (!isSignedIn) wasOpen = false;
    if (isWanted && !source) source = open();
    if (!isWanted) {
      source?.close();
      source = undefined;
    }
  };

  const open = (): EventSource => {
    const opened = new EventSource(`/api/events?client=${client}`);
    opened.onopen = () => {
      // Messages may have been missed meanwhile: what is shown is fetched again.
      if (wasOpen) store.dispatch(resources.expireAll(IssueResource.getList));
      if (wasOpen) store.dispatch(resources.expireAll(IssueResource.get));
      wasOpen = true;
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      const message: unknown = JSON.parse(data);
      if (isLiveMessage(message)) take(message);
    };
    return opened;
  };

  store.subscribe(check);
  connection.subscribe(check);
  check();
}

function take(message: LiveMessage): void {
  switch (message.type) {
    case 'changed':
      store.dispatch(resources.set(Issue, message.issue));
      break;
    case 'created':
      // As if this browser had created it: it goes into every list it belongs to.
      store.dispatch(resources.setResponse(IssueResource.getList.unshift, message.issue, message.issue));
      break;
    case 'deleted':
      store.dispatch(resources.setResponse(IssueResource.delete, { id: message.id }, null));
      break;
    case 'uncommented': {
      const { issueId, id } = message;
      store.dispatch(resources.setResponse(CommentResource.delete, { issueId, id }, null));
      break;
    }
    case 'commented': {
      const { comment } = message;
      store.dispatch(
        resources.setResponse(CommentResource.getList.push, { issueId: comment.issueId }, comment, comment),
      );
    }
  }
}
