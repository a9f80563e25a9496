/** All that the panel looks like. Nothing is told by colour alone: what is guessed is hollow, what waits is hatched, what failed is crossed. */
const css = `
:host { all: initial }
.root { --ground: light-dark(#fff, #18191b); --text: light-dark(#1c2024, #edeef0); --quiet: light-dark(#60646c, #b0b4ba); --line: light-dark(#d9d9e0, #3a3d42); --tint: light-dark(#f0f0f3, #25272b); --accent: light-dark(#0b63c5, #8ec5ff); --onaccent: light-dark(#fff, #10243a); --bad: light-dark(#b3261e, #ff9d92); --bar: light-dark(#cfe3ff, #1d3d63); color: var(--text); font: 12px/1.5 ui-sans-serif, system-ui, sans-serif; text-align: start; color-scheme: light dark }
.root[data-theme=light] { color-scheme: light }
.root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
h2, h3, p, ul, ol { margin: 0; padding: 0 }
ul, ol { list-style: none }
button, input { font: inherit; color: inherit }
button { min-height: 24px; padding: 1px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--ground); cursor: pointer }
button:hover { border-color: var(--text) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
code, .mono { font: 11px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap }
.quiet { color: var(--quiet) }
.open { position: fixed; z-index: 2147483000; margin: 9px; padding: 6px 12px; border-radius: 16px; background: var(--text); color: var(--ground) }
.dock { position: fixed; inset: 0; max-width: 100vw; max-height: 100vh; z-index: 2147483000; display: flex; flex-direction: column; background: var(--ground); box-shadow: 0 0 12px #0004 }
.grip { position: absolute; inset: 0; cursor: move }
.panel { display: flex; flex: 1; flex-direction: column; min-height: 0; height: 100%; overflow: hidden; background: var(--ground) }
.bar-top, .tools { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; padding: 4px 8px; border-bottom: 1px solid var(--line) }
.tabs { display: flex; flex-wrap: wrap; gap: 2px }
[role=tab] { border-color: transparent }
[role=tab][aria-selected=true] { background: var(--accent); color: var(--onaccent); font-weight: 600 }
.end { margin-inline-start: auto }
.body { display: flex; flex: 1; flex-direction: column; min-height: 0; overflow: auto }
.halves { display: flex; flex: 1; flex-wrap: wrap; min-height: 0; overflow: auto }
.halves > * { flex: 1 1 280px; min-width: 0; min-height: 120px; height: 100%; overflow: auto }
.details { padding: 6px 10px; border-inline-start: 1px solid var(--line) }
.details h3 { margin-top: 8px; font-size: 12px }
.tools [aria-pressed=true] { background: var(--tint); font-weight: 600 }
.lanes { position: relative; flex: 2 1 280px; overflow: hidden auto }
.axis { position: relative; height: 18px; border-bottom: 1px solid var(--line); color: var(--quiet); overflow: hidden }
.axis span { position: absolute; padding-inline-start: 3px; border-inline-start: 1px solid var(--line); white-space: nowrap }
.event { position: absolute; margin-top: 1px; height: 22px; min-height: 0; min-width: 0; padding: 0; border: 1px solid var(--accent); border-radius: 2px; background: var(--bar); text-align: start; overflow: hidden; white-space: nowrap; line-height: 18px }
.event span { padding-inline: 3px }
.event[data-guess] { background: transparent; border-width: 2px }
.event[data-waits] { background: repeating-linear-gradient(45deg, var(--bar) 0 4px, transparent 4px 8px) }
.event[data-state=pending] { border-inline-end-style: dotted }
.event[data-state=rejected] { border-style: dashed; border-color: var(--bad) }
.event[data-before] { border-inline-start-style: none; border-start-start-radius: 0; border-end-start-radius: 0 }
.event[aria-pressed=true] { outline: 2px solid var(--text) }
.mark { border-radius: 50%; background: var(--ground); text-align: center }
.rows { position: relative; flex: 1 1 280px; overflow: auto }
.row { position: absolute; inset-inline: 0; display: flex; gap: 8px; align-items: center; height: 24px; padding: 0 8px; white-space: nowrap; cursor: default }
.row > * { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis }
.row[aria-selected=true] { background: var(--tint); font-weight: 600 }
table { width: 100%; border-collapse: collapse } th, td { padding: 2px 6px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
th { font-weight: 600 } .differs { font-weight: 600; text-decoration: underline }
.why li { padding: 2px 0 2px 8px; border-inline-start: 3px solid var(--line) } .why button { min-height: 20px; padding: 0 6px }
.problem { padding: 12px } .item { padding: 6px 10px; border-bottom: 1px solid var(--line) }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (max-width: 480px) { .halves { display: block } .halves > * { height: auto; max-height: 60vh } .details { border-inline-start: 0; border-top: 1px solid var(--line) } }
`;

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Gives a shadow root its styles: one sheet for all of a document, which no policy for inline styles forbids. */
export function adoptStyles(root: ShadowRoot, nonce: string | undefined): void {
  const { ownerDocument: document } = root;
  const Sheet = document.defaultView?.CSSStyleSheet;
  if (Sheet && 'replaceSync' in Sheet.prototype && 'adoptedStyleSheets' in root) {
    let sheet = sheets.get(document);
    if (!sheet) {
      sheet = new Sheet();
      sheet.replaceSync(css);
      sheets.set(document, sheet);
    }
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const style = document.createElement('style');
  if (nonce !== undefined) style.nonce = nonce;
  style.textContent = css;
  root.append(style);
}
