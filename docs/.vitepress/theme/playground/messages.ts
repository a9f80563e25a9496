/** What the page of the playground and the frame that runs the code tell each other. */

/** What the page sends, once, when the frame is ready. */
export interface RunMessage {
  readonly entry: string;
  readonly files: Readonly<Record<string, string>>;
  readonly theme: 'light' | 'dark';
}

/** What the frame sends: that it is ready, that the code has run to its end, or what went wrong, and where. */
export type FrameMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly text: string; readonly file?: string; readonly line?: number };
