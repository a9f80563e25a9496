/** What went wrong in a snippet, in words, with its file and line. */
import type { FrameMessage } from '../theme/playground/messages.js';
import { SnippetError } from './modules.js';

type Failure = Extract<FrameMessage, { readonly type: 'error' }>;

export function failureOf(error: unknown, files: readonly string[]): Failure {
  const text = textOf(error);
  const place = error instanceof SnippetError ? { file: error.file, line: error.line } : placeIn(error, files);
  return {
    type: 'error',
    text,
    ...(place.file !== undefined && { file: place.file }),
    ...(place.line !== undefined && { line: place.line }),
  };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `The code threw ${String(error)}.`;
  return error instanceof SnippetError || error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}

/** The first place of a stack that is in a file of the program. */
export function placeIn(error: unknown, files: readonly string[]): { readonly file?: string; readonly line?: number } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, file = '', line] of stack.matchAll(/([\w-]+\.tsx?):(\d+):\d+/g))
    if (files.includes(file)) return { file, line: Number(line) };
  return {};
}
