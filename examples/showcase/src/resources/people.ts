import { createResource, Entity } from 'rtk-resource';
import { ApiEndpoint } from '../network/ApiEndpoint';

export class Person extends Entity {
  id = 0;
  name = '';
  color = '';
  static key = 'Person';
}

export const PersonResource = createResource({ path: '/api/people/:id', schema: Person, Endpoint: ApiEndpoint });
