import { ApiEndpoint } from './ApiEndpoint';
import { connection } from './connection';
import { gate } from './Gate';

/** Requests that wait while there is no connection, and that the timeline may hold. */
export class GatedEndpoint extends ApiEndpoint {
  override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
    await connection.back(init.signal);
    return gate.pass({
      requestId: this.api?.requestId ?? '',
      method: init.method ?? 'GET',
      url: input,
      isWrite: this.sideEffect,
      signal: init.signal,
      send: () => super.fetchResponse(input, init),
    });
  }
}
