/** Compiles the files of a program, and runs them as modules. Lines stay where they are, so that an error tells its line. */
import { transform } from 'sucrase';
import { withChecks } from '../claims.js';
import type { RunMessage } from '../theme/playground/messages.js';
import { packageOf } from './packages.js';

/** An error of a snippet whose place is known. */
export class SnippetError extends Error {
  readonly file: string;
  readonly line: number | undefined;

  constructor(message: string, file: string, line?: number) {
    super(message);
    this.file = file;
    this.line = line;
  }
}

type Exports = Record<string, unknown>;
type Run = (require: (name: string) => object, exports: Exports) => unknown;

declare global {
  interface Window {
    /** Where compiled files put themselves. */
    defineFile?: (run: Run) => void;
  }
}

/** Runs the file that a program begins with; the promise is rejected with what it throws. */
export async function runProgram({ entry, files }: RunMessage): Promise<void> {
  const compiled = new Map(Object.entries(files).map(([file, code]) => [file, compile(file, code, file === entry)]));
  const loaded = new Map<string, Exports>();
  const load = (file: string): unknown => {
    const exports: Exports = {};
    loaded.set(file, exports);
    return evaluate(file, compiled.get(file) ?? '')((name) => find(name, file), exports);
  };
  const find = (name: string, from: string): object => {
    if (!name.startsWith('.')) return packageOf(name);
    const base = name.replace(/^\.\//, '').replace(/\.[jt]sx?$/, '');
    const file = [`${base}.ts`, `${base}.tsx`].find((one) => compiled.has(one));
    if (file === undefined)
      throw new SnippetError(`There is no file '${name}' here. There is ${[...compiled.keys()].join(', ')}.`, from);
    if (!loaded.has(file)) load(file);
    return loaded.get(file) ?? {};
  };
  await load(entry);
}

/** The JavaScript of a file. The file that a program begins with may await, and shows its values. */
function compile(file: string, code: string, isEntry: boolean): string {
  try {
    const compiled = transform(isEntry ? withChecks(code) : code, {
      transforms: ['typescript', 'jsx', 'imports'],
      jsxRuntime: 'automatic',
      production: true,
      disableESTransforms: true,
    });
    return `defineFile(${isEntry ? 'async ' : ''}function (require, exports) { ${compiled.code}\n});\n//# sourceURL=${file}`;
  } catch (error) {
    const { message, loc } = error as { readonly message: string; readonly loc?: { readonly line: number } };
    throw new SnippetError(message.replace(/ \(\d+:\d+\)$/, ''), file, loc?.line);
  }
}

/** The function of a compiled file. A script element tells the line of a mistake that the compiler let pass; `eval` does not. */
function evaluate(file: string, code: string): Run {
  let run: Run | undefined;
  let mistake: SnippetError | undefined;
  const hear = (event: ErrorEvent): void => {
    mistake = new SnippetError(event.message.replace(/^Uncaught SyntaxError: /, ''), file, event.lineno);
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  window.defineFile = (given) => {
    run = given;
  };
  window.addEventListener('error', hear, { capture: true });
  const script = document.createElement('script');
  script.textContent = code;
  document.body.append(script);
  script.remove();
  window.removeEventListener('error', hear, { capture: true });
  if (!run) throw mistake ?? new SnippetError('The file could not be read.', file);
  return run;
}
