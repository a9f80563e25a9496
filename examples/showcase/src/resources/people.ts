import { createResource, Entity } from 'rtk-resource';
import { GatedEndpoint } from '../network/GatedEndpoint';

export class Person extends Entity {
  id = 0;
  name = '';
  color = '';
  static key = 'Person';
}

export const PersonResource = createResource({ path: '/api/people/:id', schema: Person, Endpoint: GatedEndpoint });
