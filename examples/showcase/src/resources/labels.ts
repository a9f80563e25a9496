import { createResource, Entity } from 'rtk-resource';
import { ApiEndpoint } from '../network/ApiEndpoint';

/** A label is known by its name. */
export class Label extends Entity {
  id = '';
  color = '';
  static key = 'Label';
}

export const LabelResource = createResource({ path: '/api/labels/:id', schema: Label, Endpoint: ApiEndpoint });
