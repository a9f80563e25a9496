/** What to try, while no issue is open. */
export function Welcome() {
  return (
    <div className="welcome">
      <h2>Try this</h2>
      <ol>
        <li>
          <strong>One issue, three places.</strong> Choose <em>Hold writes</em> in the timeline below, open an issue,
          and give it another title. The request waits in the timeline: answer it <em>now</em>, or have it <em>fail</em>
          .
        </li>
        <li>
          <strong>Two edits, any order.</strong> Edit a title twice, and answer the second edit first. The title stays
          right.
        </li>
        <li>
          <strong>Edit what does not exist yet.</strong> Create an issue, open its card, and change it before the server
          has answered.
        </li>
        <li>
          <strong>Move.</strong> Drag a card, or press ← and → on it. The columns, their counts and the list follow.
        </li>
        <li>
          <strong>Offline.</strong> Press <em>Go offline</em>, change something, and close the tab. Open it again: all
          is there. Go online, and it is sent in order.
        </li>
        <li>
          <strong>Not alone.</strong> Switch <em>Grace works</em> on, and watch her move, comment and create.
        </li>
        <li>
          <strong>Compare.</strong> Play the same scene <em>beside RTK Query</em>, in the timeline.
        </li>
      </ol>
    </div>
  );
}
