declare global {
  interface Window {
    /** What a control is called in the table of journeys; nothing for what is no control. */
    readonly controlNames: (element: Element) => readonly string[];
  }
}

/** Tells a page what its controls are called: their place, their kind, and what stands on them, as in `List: button Create`. */
export function nameControls(): void {
  const textOf = (nodes: Iterable<Node>): string =>
    [...nodes]
      .map(({ textContent }) => textContent)
      .join(' ')
      .trim()
      .replaceAll(/\s+/g, ' ');
  const isText = ({ nodeType }: Node): boolean => nodeType === Node.TEXT_NODE;

  const placeOf = (element: Element): string => {
    const place = element.closest('form[aria-label], section, dialog, header, nav, .menu, .notices, main');
    if (place?.matches('.menu, .notices')) return place.className;
    return place?.getAttribute('aria-label') ?? place?.localName ?? 'page';
  };
  const labelOf = (element: Element): string => {
    const [label] = 'labels' in element && element.labels instanceof NodeList ? element.labels : [];
    return element.getAttribute('aria-label') ?? textOf(label ? [...label.childNodes].filter(isText) : [element]);
  };
  const kindsOf = (element: Element): string[] => {
    if (element.matches('[draggable=true]')) return ['drag'];
    if (element.matches('button')) return ['button'];
    if (element.matches('input, select, textarea')) return ['field'];
    if (!element.matches('a[href]')) return [];
    return element.hasAttribute('aria-keyshortcuts') ? ['link', 'keys'] : ['link'];
  };

  const controlNames = (element: Element): string[] =>
    kindsOf(element).map((kind) => `${placeOf(element)}: ${kind} ${labelOf(element)}`);
  Object.assign(window, { controlNames });
}

/** Has a control do nothing: nobody hears of what is done with it, and what is entered is gone again. */
export function killControl(pattern: string): void {
  const dead = new RegExp(`^(?:${pattern})$`);
  const isDead = (element: EventTarget, type: string): boolean =>
    element instanceof Element &&
    window
      .controlNames(element)
      .some((name) => dead.test(name) && name.includes(': keys ') === (type === 'keydown' && element.matches('a')));

  const swallow = (event: Event): void => {
    const control = event.composedPath().find((one) => isDead(one, event.type));
    if (!control) return;
    event.stopImmediatePropagation();
    if (['click', 'dragstart', 'keydown'].includes(event.type)) event.preventDefault();
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
      control.value = control.defaultValue;
    if (control instanceof HTMLSelectElement)
      for (const option of control.options) option.selected = option.defaultSelected;
  };
  for (const type of ['click', 'input', 'change', 'keydown', 'dragstart']) window.addEventListener(type, swallow, true);
}
