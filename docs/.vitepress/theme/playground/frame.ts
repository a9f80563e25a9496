/** The document in which a program runs: its output, and the devtools below. */

const style = `
  :root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; }
  :root.dark { color-scheme: dark; background: #1b1b1f; color: #dfdfd6; }
  body { display: grid; grid-template-rows: minmax(0, 2fr) minmax(0, 3fr); height: 100vh; margin: 0; }
  main { overflow: auto; padding: 12px 16px; }
  #log { margin: 0; padding: 0; list-style: none; font: 13px/1.6 ui-monospace, monospace; white-space: pre-wrap; }
  #log li { border-bottom: 1px solid #8884; padding: 2px 0; }
  #root label { display: block; }
  #devtools { min-height: 0; border-top: 1px solid #8886; }
`;

export function documentOf(script: string, theme: 'light' | 'dark'): string {
  return `<!doctype html>
<html lang="en" class="${theme}">
<meta charset="utf-8">
<title>Output of the snippet</title>
<style>${style}</style>
<main tabindex="0" aria-label="Output"><div id="root"></div><ol id="log"></ol></main>
<div id="devtools"></div>
<script src="${script}"></script>
</html>`;
}
