/** Shows the type of the name under the pointer, in code. One element serves all; it stands outside of the code, which scrolls. */
export function listenForTypes(): void {
  const popup = document.createElement('pre');
  popup.className = 'type-popup';
  popup.setAttribute('role', 'tooltip');
  popup.hidden = true;
  document.addEventListener('pointerover', ({ target }) => {
    const name = target instanceof Element ? target.closest('[data-type]') : null;
    popup.hidden = name === null;
    if (name === null) return;
    if (!popup.isConnected) document.body.append(popup);
    popup.textContent = name.getAttribute('data-type');
    const { left, top, bottom } = name.getBoundingClientRect();
    const { width, height } = popup.getBoundingClientRect();
    const above = top - height - 6;
    popup.style.left = `${String(Math.max(8, Math.min(left, innerWidth - width - 8)))}px`;
    popup.style.top = `${String(above < 8 ? bottom + 6 : above)}px`;
  });
  document.addEventListener('scroll', () => (popup.hidden = true), { capture: true, passive: true });
}
