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

/** Arguments as JSON makes them, forms as entries, and the files that are to be read of them; throws for what cannot be kept. */
export function pack(args: readonly unknown[]): Pick<Packed, 'args'> & { readonly blobs: readonly Blob[] } {
  const blobs: Blob[] = [];
  const packed = args.map((arg) => packOne(arg, (blob) => blobs.push(blob) - 1));
  return { args: packed, blobs };
}

/** The bytes of files. */
export function readAll(blobs: readonly Blob[]): Promise<readonly StoredFile[]> {
  return Promise.all(
    blobs.map(async (blob: Blob & Partial<File>) => {
      const { name, lastModified, type } = blob;
      return { bytes: await blob.arrayBuffer(), type, name, lastModified };
    }),
  );
}

function packOne(arg: unknown, note: (blob: Blob) => number): unknown {
  if (isOf(arg, 'FormData')) {
    const entries = [...arg].map(([name, value]) => [name, isBlob(value) ? { [KIND]: note(value) } : value]);
    return { [KIND]: 'form', entries };
  }
  if (isOf(arg, 'URLSearchParams')) return { [KIND]: 'search', text: arg.toString() };
  if (isBlob(arg)) return { [KIND]: 'file', file: note(arg) };
  // A copy: whoever has the bytes may go on writing to them.
  if (isBytes(arg)) return { [KIND]: 'bytes', file: note(new Blob([arg])), isView: ArrayBuffer.isView(arg) };
  if (isFile(arg)) throw new TypeError('a stream, or a file inside of an object');
  // JSON makes another value of a Set or a Map, without a word.
  assertSendable(arg, 'The outbox');
  // What is undefined is no JSON, and is as it is.
  const json = arg === undefined ? undefined : (JSON.parse(JSON.stringify(arg)) as unknown);
  return isRecord(json) && KIND in json ? { [KIND]: 'json', json } : json;
}

/** Arguments as hooks get them, of those that were stored. */
export function unpack({ args, files }: Packed): readonly unknown[] {
  return args.map((arg) => {
    if (!isRecord(arg) || !(KIND in arg)) return arg;
    const { [KIND]: kind, entries, text, file, json, isView } = arg;
    if (kind === 'json') return json;
    if (kind === 'search') return new URLSearchParams(String(text));
    if (kind === 'file') return blobOf(files[Number(file)]);
    if (kind === 'bytes') {
      const { bytes } = files[Number(file)] ?? {};
      return isView && bytes ? new Uint8Array(bytes) : bytes;
    }
    const form = new FormData();
    for (const [name, value] of entries as readonly (readonly [string, unknown])[])
      if (isRecord(value)) form.append(name, blobOf(files[Number(value[KIND])]));
      else form.append(name, String(value));
    return form;
  });
}

/** Arguments with what was read in place of files, forms and bytes: those may be others by the time they are sent. */
export function withRead(args: readonly unknown[], packed: Packed): readonly unknown[] {
  const read = unpack(packed);
  return args.map((arg, i) => (isFile(arg) ? read[i] : arg));
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

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView<ArrayBuffer> {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}
