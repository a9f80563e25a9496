// stripe.ts
import { Collection, createResource, Entity, RestEndpoint, type HookApi, type Row } from 'rtk-resource';

/** What is sent is a form: `address[city]=Paris`. */
function formOf(value: unknown, name: string): string[][] {
  if (value === undefined) return [];
  if (value === null) return [[name, '']]; // which takes it away
  if (value instanceof Date) return [[name, String(value.getTime() / 1_000)]]; // Stripe counts seconds
  if (typeof value !== 'object') return [[name, `${value as string | number | boolean}`]];
  return Object.entries(value).flatMap(([key, inner]) => formOf(inner, name === '' ? key : `${name}[${key}]`));
}

class StripeEndpoint extends RestEndpoint {
  override getRequestInit(body: unknown, api?: HookApi) {
    // A file is sent in a form of its own.
    const isForm = body instanceof FormData;
    return super.getRequestInit(body && !isForm ? new URLSearchParams(formOf(body, '')) : body, api);
  }
  override getHeaders(headers: Record<string, string>, api?: HookApi) {
    return { ...headers, 'Idempotency-Key': api?.idempotencyKey ?? api?.requestId ?? '' }; // a write that is sent twice is done once
  }
}
const shared = {
  urlPrefix: 'https://api.stripe.com/v1',
  Endpoint: StripeEndpoint,
  optimistic: true,
  retry: { times: 2, writes: true },
} as const;

export class Customer extends Entity {
  id = '';
  email: string | null = null;
  name: string | null = null;
  balance = 0;
  static override key = 'Customer';
  static override process(input: Row) {
    return input['deleted'] === true ? undefined : input;
  }
}
const found = new Collection([Customer], { name: 'found', belongs: () => undefined });

export const CustomerResource = createResource({
  ...shared,
  path: '/customers/:id',
  schema: Customer,
  searchParams: {} as { email?: string; limit?: number; starting_after?: string },
  body: {} as { email?: string; name?: string; balance?: number },
  errorData: {} as { error: { type: string; code?: string; param?: string; message: string } },
})
  .extend({
    getList: { schema: { data: new Collection([Customer]), has_more: false } },
    partialUpdate: { method: 'POST' },
  })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: ({ data, has_more }, params) => (has_more ? { ...params, starting_after: data.at(-1)?.id } : undefined),
    }),
  }))
  .extend('search', {
    path: '/customers/search',
    searchParams: {} as { query: string },
    schema: { data: found, has_more: false },
  });
