import { ApiEndpoint } from './ApiEndpoint';
import { connection } from './connection';
import { gate } from './Gate';

/** Requests that wait while there is no connection, and that the timeline may hold. */
export class GatedEndpoint extends ApiEndpoint {
  override async fetch(...args: Parameters<ApiEndpoint['fetch']>): Promise<unknown> {
    await connection.back(this.api?.signal);
    return super.fetch(...args);
  }

  override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
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
