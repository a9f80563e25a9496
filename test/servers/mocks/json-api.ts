import { mockServer } from 'rtk-resource/mock';
import { ArticleResource } from '../models/json-api.js';

interface Row {
  readonly id: string;
  readonly author: { readonly id: string; readonly name: string } | null;
}
const itemOf = ({ id, author, ...attributes }: Row) => ({
  ...{ type: 'articles', id, attributes },
  relationships: { author: { data: author && { type: 'people', id: author.id } } },
});
const included = (rows: readonly Row[]) =>
  rows.flatMap(({ author }) => author ?? []).map(({ id, name }) => ({ type: 'people', id, attributes: { name } }));
const one = (row: unknown) => ({ data: itemOf(row as Row), included: included([row as Row]) });
const made = (answer: unknown) => one((answer as { readonly data: Row }).data); // in the envelope of what was sent
const list = (answer: unknown) => {
  const { data, ...rest } = answer as { readonly data: readonly Row[] };
  return { ...rest, data: data.map(itemOf), included: included(data) };
};

export const server = mockServer([ArticleResource], {
  seed: { Article: 45 },
  make: {
    Article: (n) => ({ id: String(n), title: `Article ${n}`, status: 'draft', author: { id: '8', name: 'Ada' } }),
  },
  pages: { 'Article/getList': 'page[number]' },
  shape: { 'Article/get': one, 'Article/getList': list, 'Article/getList/push': made, 'Article/partialUpdate': one },
  write: {
    Article({ type: _, attributes, relationships, ...row }) {
      const { author } = (relationships ?? {}) as {
        readonly author?: { readonly data: { readonly id: string } | null };
      };
      return { ...row, ...(attributes as object), ...(author && { author: author.data?.id ?? null }) };
    },
  },
});
