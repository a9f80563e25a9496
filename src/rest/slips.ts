/** Tells, in development, of slips that only the server would notice, or nobody. */
import { warnOnce } from '../errors.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { ObjectSchema } from '../schema/Object.js';
import { isRecord, resolved, type Definition } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { entityIn, type Write } from './about.js';
import { withoutNames } from './hooks.js';
import { optionsOf, takesBody } from './internal.js';
import { compilePath } from './path.js';

/** Tells of an answer to a read that has its data under other names than its schema. */
export function warnOfShape(
  { name, schema, sideEffect }: { readonly name: string; readonly schema: Definition; readonly sideEffect: boolean },
  answer: unknown,
): void {
  warnOnce(() => {
    const shape = schemaOf(resolved(schema));
    if (sideEffect || !isRecord(answer) || !(shape instanceof ObjectSchema)) return undefined;
    const { fields } = shape;
    const wanted = Object.keys(fields).filter((field) => schemaOf(fields[field]));
    const others = Object.keys(answer).filter(
      (field) => !Object.hasOwn(fields, field) && typeof (answer[field] ?? 0) === 'object',
    );
    if (wanted.length === 0 || others.length === 0 || wanted.some((field) => Object.hasOwn(answer, field)))
      return undefined;
    return [
      `shape ${name}`,
      `The answer to ${name} has no "${wanted.join('", "')}", which its schema describes; it has "${others.join('", "')}", which is not normalized. Name the fields in the schema as the server does.`,
    ];
  });
}

/** Tells of a read with options of a hook where its parameters stand: they go into the address. */
export function warnOfOptions(endpoint: Write, params: unknown): void {
  warnOnce(() => {
    const { name, path } = endpoint;
    // Those of RTK Query and TanStack Query, too.
    const isOption =
      /^(?:poll(?:Frequency|ingInterval)|refetch(?:On[A-Z]\w*|Interval)|skipPolling\w+|keepPreviousData|selectFromResult|staleTime|gcTime)$/;
    const slips = Object.keys(withoutNames(params, compilePath(path).names)).filter((one) => isOption.test(one));
    return slips.length === 0 || 'searchParams' in optionsOf(endpoint)
      ? undefined
      : [
          `options ${name}`,
          `"${slips.join('", "')}" went into the address of ${name}, as parameters. Options of a hook stand behind a request: useResource(endpoint(params), { … }). If they belong into the address, declare them as searchParams.`,
        ];
  });
}

/** Tells of a write whose fields stand where its parameters do, as in one argument for both: they go into the address, and nothing is sent. */
export function warnOfNoBody(endpoint: Write, params: unknown, body: unknown): void {
  warnOnce(() => {
    const { method, name, path, schema } = endpoint;
    const isEdit = /^(?:PUT|PATCH)$/.test(method) || schemaOf(schema) instanceof CollectionOperation;
    if (body !== undefined || !isEdit || !takesBody(endpoint) || 'searchParams' in optionsOf(endpoint))
      return undefined;
    const entity = entityIn(schema);
    const fields = Object.keys(withoutNames(params, compilePath(path).names)).filter((field) =>
      entity?.declares(field),
    );
    return fields.length === 0
      ? undefined
      : [
          `no body ${name}`,
          `${name} was called without a body, so "${fields.join('", "')}" went into the address. The body is the second argument: write (params, { ${fields.join(', ')} }). If they belong into the address, declare them as searchParams.`,
        ];
  });
}
