import { createResource, Entity } from 'rtk-resource';
import { GatedEndpoint } from '../network/GatedEndpoint';

/** A label is known by its name. */
export class Label extends Entity {
  id = '';
  color = '';
  static key = 'Label';
}

export const LabelResource = createResource({ path: '/api/labels/:id', schema: Label, Endpoint: GatedEndpoint });
