/** What to try, while no issue is open. */
export function Welcome() {
  return (
    <div className="welcome">
      <h2>Try this</h2>
      <ol>
        <li>
          <strong>One issue, three places.</strong> Hold <em>writes</em> in the timeline, open an issue, and give it
          another title. Then answer, fail or lose the request.
        </li>
        <li>
          <strong>Two edits, any order.</strong> Edit twice, and answer the second first. What you see stays right.
        </li>
        <li>
          <strong>Edit what does not exist yet.</strong> Create an issue, open its card, and type while the server
          thinks.
        </li>
        <li>
          <strong>Move.</strong> Drag a card, or press ← and → on it. Columns, list and counts follow one edited field.
        </li>
        <li>
          <strong>Not alone.</strong> Let Grace work. Go offline, edit, and come back.
        </li>
        <li>
          <strong>Compare.</strong> Play the same scene <em>beside RTK Query</em>.
        </li>
      </ol>
    </div>
  );
}
