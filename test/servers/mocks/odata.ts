import { mockServer } from 'rtk-resource/mock';
import { ProductResource } from '../models/odata.js';

export const server = mockServer([ProductResource], {
  seed: { Product: 45 },
  make: { Product: (n) => ({ ProductID: n, Name: `Product ${n}`, Category: 'Ants', Discontinued: false }) },
  pages: { 'Product/getList': '$skip' },
});
