import { mockServer } from 'rtk-resource/mock';
import { CustomerResource } from '../models/stripe.js';

export const server = mockServer([CustomerResource], {
  seed: { Customer: 45 },
  make: { Customer: (n) => ({ id: `cus_${n}`, email: 'ada@example.com', name: `Customer ${n}` }) },
});
