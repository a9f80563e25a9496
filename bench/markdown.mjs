import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** A table in Markdown; the first column is text, the others are figures. @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
export function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

/** A count of rows, as titles and tables show it. @param {number} size */
export function rowCount(size) {
  return size.toLocaleString('en').replaceAll(',', ' ');
}

/** Writes a page of the documentation as it is to be committed. @param {string} page @param {string} text */
export async function writePage(page, text) {
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}
