/** Snippets that run whole, with a link that opens them in the playground. */
import type { MarkdownRenderer } from 'vitepress';
import type { Program } from './programs.js';

export function withPlayground(markdown: MarkdownRenderer, programs: readonly Program[]): void {
  const fence = markdown.renderer.rules.fence;
  if (!fence) return;
  markdown.renderer.rules.fence = (tokens, i, options, env: { readonly relativePath?: string }, self) => {
    const html = fence(tokens, i, options, env, self);
    const page = env.relativePath?.replace(/\.md$/, '') ?? '';
    const code = tokens[i]?.content ?? '';
    const program = programs.find(({ id, files }) => id.startsWith(`${page}/`) && Object.values(files).includes(code));
    const isWhole = program && (code === program.files[program.entry] || code === Object.values(program.files)[0]);
    if (!isWhole) return html;
    return `${html}<p class="to-playground"><a href="/playground#${program.id}">Open in the playground</a></p>`;
  };
}
