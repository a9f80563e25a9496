/** How long a card flies, in ms. */
const duration = 400;

/** Where the cards were that go from a column in this very moment. */
const gone = new Map<string, DOMRect>();

/** A card has appeared. Where it was in another column until now, it is seen to move. The function that it gives is called when the card goes. */
export function appear(key: string, card: HTMLElement): () => void {
  const from = gone.get(key);
  if (from) fly(card, from);
  return () => {
    gone.set(key, seenRect(card));
    // Where it appears, it does so in the same render.
    queueMicrotask(() => gone.delete(key));
  };
}

/** Columns scroll, and cut what is outside of them: a copy of the card flies over all of them, and the card is shown when that has landed. */
function fly(card: HTMLElement, from: DOMRect): void {
  const to = seenRect(card);
  const layer = document.getElementById('flights');
  const isSeen = from.width > 0 && to.width > 0 && from.x !== to.x;
  if (!layer || !isSeen || matchMedia('(prefers-reduced-motion: reduce)').matches) return;

  // A copy of an element is of the same kind.
  const copy = card.cloneNode(true) as HTMLElement;
  Object.assign(copy.style, { left: `${to.x}px`, top: `${to.y}px`, width: `${to.width}px` });
  layer.append(copy);
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  const flight = copy.animate({ transform: [start, 'none'] }, { duration, easing: 'ease-in-out' });
  flight.onfinish = () => {
    copy.remove();
  };
  card.animate({ opacity: [0, 0] }, duration);
}

/** Where a card is, or the edge of its column beyond which it is. */
function seenRect(card: HTMLElement): DOMRect {
  const { x, y, width, height } = card.getBoundingClientRect();
  const column = card.parentElement?.getBoundingClientRect();
  if (!column) return new DOMRect();
  return new DOMRect(x, Math.max(column.top, Math.min(y, column.bottom - height)), width, height);
}
