/** The sidebar of VitePress has a button inside each button that opens a group. The inner one does the same, so it is made a mere picture. */
export function mendSidebar(): void {
  const mend = (): void => {
    for (const caret of document.querySelectorAll('.VPSidebarItem .item[role="button"] > .caret[role]')) {
      for (const name of ['role', 'tabindex', 'aria-label']) caret.removeAttribute(name);
      caret.setAttribute('aria-hidden', 'true');
    }
  };
  // The sidebar comes with the first page that has one.
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
  mend();
}
