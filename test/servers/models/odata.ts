// odata.ts
import { Collection, createResource, Entity } from 'rtk-resource';

const origin = 'https://example.com'; // of links, too, that do not name it

export class Product extends Entity {
  ProductID = 0;
  Name = '';
  Category = '';
  Discontinued = false;
  static override key = 'Product';
  override pk() {
    return String(this.ProductID);
  }
}
const products = new Collection([Product], {
  belongs: (product, { $filter, $search }) => {
    const [, quoted] = /^Category eq '((?:[^']|'')*)'$/.exec($filter ?? '') ?? [];
    const category = quoted?.replaceAll("''", "'");
    if ($search || ($filter && (category === undefined || !product.Category))) return undefined; // only the server knows
    return category === undefined || category === product.Category;
  },
});
interface Query {
  readonly $filter?: string;
  readonly $search?: string;
  readonly $orderby?: string;
  readonly $count?: boolean;
  readonly $top?: number;
  readonly $skip?: number;
  readonly $skiptoken?: string;
}
export const ProductResource = createResource({
  urlPrefix: `${origin}/odata`,
  path: '/Products\\(:ProductID\\)',
  schema: Product,
  searchParams: {} as Query,
  errorData: {} as { error: { message: string; details?: readonly { target: string; message: string }[] } },
  optimistic: true,
})
  .extend({
    getList: {
      schema: { '@odata.count': products.total, '@odata.nextLink': null as string | null, value: products },
    },
  })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: ({ '@odata.nextLink': link }, params) => {
        const query = link && new URL(link, origin).searchParams;
        if (!query) return undefined;
        const [token, skip] = [query.get('$skiptoken'), query.get('$skip')];
        return token === null ? { ...params, $skip: Number(skip) } : { ...params, $skiptoken: token };
      },
    }),
  }));
