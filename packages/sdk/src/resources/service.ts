import type { GetHealthResponse, GetReadinessResponse } from '../generated/api-types.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** The service itself. */
export class Service {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns whether the process is alive. */
  health(request?: RequestOptions): Promise<GetHealthResponse> {
    return this.#transport.json({ method: 'GET', path: '/healthz', repeat: 'safe' }, request);
  }

  /** Returns whether requests can be served. @throws {CaptureError} with status 503 if not. */
  readiness(request?: RequestOptions): Promise<GetReadinessResponse> {
    return this.#transport.json({ method: 'GET', path: '/readyz', repeat: 'safe' }, { maxRetries: 0, ...request });
  }

  /** Returns the OpenAPI document. */
  document(request?: RequestOptions): Promise<Record<string, unknown>> {
    return this.#transport.json({ method: 'GET', path: '/openapi.json', repeat: 'safe' }, request);
  }
}
