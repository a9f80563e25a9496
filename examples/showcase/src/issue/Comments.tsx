import { useState, type SubmitEvent } from 'react';
import { isTemporary, keyOf } from 'rtk-resource';
import { Waits } from '../outbox/Waits';
import { Comment, CommentResource } from '../resources/comments';
import type { Issue } from '../resources/issues';
import type { Me } from '../resources/session';
import { Avatar } from '../shell/Avatar';
import { useAppDispatch } from '../store';

interface Props {
  readonly issue: Issue;
  readonly me: Me;
  /** Whether they are still to come. */
  readonly isPartial: boolean;
}

/** The comments came with the issue. A new one is pushed to their list, which is this one. */
export function Comments({ issue: { id, comments }, me, isPartial }: Props) {
  const [text, setText] = useState('');
  const dispatch = useAppDispatch();

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    setText('');
    void dispatch(CommentResource.getList.push({ issueId: id }, { text, author: me.id }));
  };

  return (
    <section className="comments" aria-label="Comments">
      <h2>{isPartial ? 'Comments: loading…' : countOf(comments.length)}</h2>
      <ul>
        {comments.map((comment) => (
          <li key={keyOf(comment)} aria-busy={isTemporary(comment.id)}>
            <Avatar person={comment.author} />
            <span>{comment.text}</span>
            <Waits entity={Comment} id={comment.id} />
            {comment.author.id === me.id && (
              <button
                aria-label={`Delete comment: ${comment.text}`}
                onClick={() => void dispatch(CommentResource.delete({ issueId: id, id: comment.id }))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <input
          aria-label="New comment"
          placeholder="Say something"
          autoComplete="off"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
          }}
        />
        <button>Comment</button>
      </form>
    </section>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}
