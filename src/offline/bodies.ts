import { isRecord } from '../schema/Schema.js';
import { isForm, isOf } from '../schema/json.js';
import { assertSendable, isFile } from '../store/running/plain.js';

/** The bytes of a file, as they lie in a store of their own. */
export interface StoredFile {
  readonly bytes: ArrayBuffer;
  readonly type: string;
  /** Absent for what is no file, but a Blob or bytes. */
  readonly name?: string | undefined;
  readonly lastModified?: number | undefined;
}

/** Arguments as they are stored. */
export interface Packed {
  readonly args: readonly unknown[];
  readonly files: readonly StoredFile[];
}

/** Marks what stands for a body that is no JSON. */
const KIND = '$body';

/** Whether some arguments have to be read before they can be stored. */
export function hasFiles(args: readonly unknown[]): boolean {
  return args.some(
    (arg) => isBlob(arg) || isBytes(arg) || (isForm(arg) && [...arg.values()].some((value) => isBlob(value))),
  );
}

/** Arguments as JSON makes them, at once; throws for what cannot be kept. */
export function packPlain(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => packOne(arg, refuseFile));
}

/** Arguments as JSON makes them, forms as entries, files as bytes; rejects for what cannot be kept. */
export async function pack(args: readonly unknown[]): Promise<Packed> {
  const blobs: (Blob | ArrayBuffer | ArrayBufferView)[] = [];
  const packed = args.map((arg) => packOne(arg, (blob) => blobs.push(blob) - 1));
  return { args: packed, files: await Promise.all(blobs.map(fileOf)) };
}

type NoteFile = (blob: Blob | ArrayBuffer | ArrayBufferView) => number;

function packOne(arg: unknown, note: NoteFile): unknown {
  if (isOf(arg, 'FormData')) {
    const entries = [...arg].map(([name, value]) => [name, isBlob(value) ? { [KIND]: note(value) } : value]);
    return { [KIND]: 'form', entries };
  }
  if (isOf(arg, 'URLSearchParams')) return { [KIND]: 'search', text: arg.toString() };
  if (isBlob(arg)) return { [KIND]: 'file', file: note(arg) };
  if (isBytes(arg)) return { [KIND]: 'bytes', file: note(arg) };
  if (isFile(arg)) throw new TypeError('a stream, or a file inside of an object');
  // JSON makes another value of a Set or a Map, without a word.
  assertSendable(arg, 'The outbox');
  // What is undefined is no JSON, and is as it is.
  const json = arg === undefined ? undefined : (JSON.parse(JSON.stringify(arg)) as unknown);
  return isRecord(json) && KIND in json ? { [KIND]: 'json', json } : json;
}

function refuseFile(): never {
  throw new TypeError('a file');
}

async function fileOf(blob: Blob | ArrayBuffer | ArrayBufferView): Promise<StoredFile> {
  if (!isBlob(blob)) {
    const [buffer, at, length] = ArrayBuffer.isView(blob)
      ? [blob.buffer, blob.byteOffset, blob.byteLength]
      : [blob, 0, blob.byteLength];
    // A copy: whoever has it may go on writing to it.
    return { bytes: new Uint8Array(buffer, at, length).slice().buffer, type: '' };
  }
  const { name, lastModified } = blob as Blob & Partial<File>;
  return { bytes: await blob.arrayBuffer(), type: blob.type, name, lastModified };
}

/** Arguments as hooks get them, of those that were stored. */
export function unpack({ args, files }: Packed): readonly unknown[] {
  return args.map((arg) => {
    if (!isRecord(arg) || !(KIND in arg)) return arg;
    const { [KIND]: kind, entries, text, file, json } = arg;
    if (kind === 'json') return json;
    if (kind === 'search') return new URLSearchParams(String(text));
    if (kind === 'file') return blobOf(files[Number(file)]);
    if (kind === 'bytes') return files[Number(file)]?.bytes;
    const form = new FormData();
    for (const [name, value] of entries as readonly (readonly [string, unknown])[])
      if (isRecord(value)) form.append(name, blobOf(files[Number(value[KIND])]));
      else form.append(name, String(value));
    return form;
  });
}

function blobOf(file: StoredFile | undefined): Blob {
  if (!file) throw new TypeError('A file of a stored write is missing.');
  const { bytes, type, name, lastModified } = file;
  return name === undefined
    ? new Blob([bytes], { type })
    : new File([bytes], name, { type, lastModified } as FilePropertyBag);
}

/** The names and values that an argument is made of. */
export function fieldsOf(arg: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (isForm(arg)) return [...arg];
  return isRecord(arg) ? Object.entries(arg) : [];
}

function isBlob(value: unknown): value is Blob {
  return isOf(value, 'Blob');
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}
