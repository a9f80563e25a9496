import { createResource, Entity } from 'rtk-resource';
import { ApiEndpoint } from '../network/ApiEndpoint';

/** Grace, whom the server simulates; there is one. She works elsewhere: neither the gate nor a lost connection stops her. */
class Colleague extends Entity {
  id = 'grace';
  isWorking = false;
  static key = 'Colleague';
}

export const ColleagueResource = createResource({
  path: '/api/colleague',
  schema: Colleague,
  optimistic: true,
  Endpoint: ApiEndpoint,
});

/** Has her do one thing. */
export const act = new ApiEndpoint({ path: '/api/colleague/act', method: 'POST', name: 'Colleague/act' });
