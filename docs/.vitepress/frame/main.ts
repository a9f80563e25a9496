/** The frame of the playground: it gets a program, runs it, and shows its output with the devtools below. It has no network. */
import { getResponse } from 'msw';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { ResourceDevtoolsPanel } from 'rtk-resource/devtools/production';
import { makeServer } from '../../../test/support/docsServer.js';
import type { FrameMessage, RunMessage } from '../theme/playground/messages.js';
import { failureOf, placeIn } from './failures.js';
import { runProgram } from './modules.js';
import { made } from './packages.js';
import { print } from './printing.js';

/** How long the server takes for an answer, in ms: long enough to see what a component shows meanwhile. */
const DELAY = 300;

let program: RunMessage = { entry: '', files: {}, theme: 'light' };

function tell(message: FrameMessage): void {
  parent.postMessage(message, '*');
}

function fail(error: unknown): void {
  tell(failureOf(error, Object.keys(program.files)));
}

/** Adds a line to the output. */
function write(text: string): void {
  const line = document.createElement('li');
  line.textContent = text;
  document.getElementById('log')?.append(line);
}

/** The code before the arrow of the line that is running. */
function codeHere(): string {
  const { file = '', line = 0 } = placeIn(new Error(), Object.keys(program.files));
  const code = program.files[file]?.split('\n')[line - 1] ?? '';
  return code.replace(/;? \/\/ → .*$/, '').trim();
}

globalThis.shows = (value) => {
  write(`${codeHere()} → ${print(value)}`);
};
globalThis.throws = async (run) => {
  const code = codeHere();
  const error: unknown = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  write(`${code} → ${error === undefined ? 'throws nothing' : `throws ${print(error)}`}`);
};
const { log } = console;
console.log = (...values: readonly unknown[]) => {
  log(...values);
  write(values.map((value) => (typeof value === 'string' ? value : print(value))).join(' '));
};

const handlers = makeServer();
window.fetch = async (input, init) => {
  const request = new Request(typeof input === 'string' ? new URL(input, 'https://example.com') : input, init);
  await new Promise((resolve) => setTimeout(resolve, DELAY));
  const response = await getResponse(handlers, request);
  if (response) return response;
  throw new TypeError(`The playground has no server for ${request.method} ${request.url}.`);
};

function showDevtools(): void {
  const place = document.getElementById('devtools');
  const { store, server } = made;
  if (!place || !store) return;
  const panel = { store, theme: program.theme, style: { height: '100%' }, ...(server && { server }) };
  createRoot(place).render(createElement(ResourceDevtoolsPanel, panel));
}

window.addEventListener('error', ({ error, message }) => {
  fail(error ?? message);
});
window.addEventListener('unhandledrejection', ({ reason }) => {
  fail(reason);
});
window.addEventListener(
  'message',
  ({ data }: MessageEvent<RunMessage>) => {
    program = data;
    runProgram(program)
      .catch(fail)
      .finally(() => {
        showDevtools();
        tell({ type: 'done' });
      });
  },
  { once: true },
);
tell({ type: 'ready' });
