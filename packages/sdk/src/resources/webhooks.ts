import type {
  ChangeWebhookBody,
  GetWebhookResponse,
  GetWebhookStatisticsQuery,
  GetWebhookStatisticsResponse,
  ListWebhooksQuery,
  RegisterWebhookBody,
  RegisterWebhookResponse,
  RegisterWebhookResponse201,
  ReplayWebhookBody,
  ReplayWebhookResponse,
  RotateWebhookSecretBody,
  RotateWebhookSecretResponse,
  TestRegisteredWebhookBody,
} from '../generated/api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { MakingOptions, RequestOptions, Transport } from '../http/transport.ts';

export type Webhook = GetWebhookResponse;
export type RegisteredWebhook = RegisterWebhookResponse201;
export type WebhookRegistration = Extract<RegisterWebhookBody, { url: string }>;
export type ConnectivityTest = Extract<RegisterWebhookBody, { webhook_url: string }>;
export type TestOutcome = RegisterWebhookResponse;

/** Webhook endpoints. Except for `test`, API profile B only: API profile A throws a `NotFoundError`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Registers an endpoint. A generated `secret` is shown only once. */
  register(registration: WebhookRegistration, request?: RequestOptions): Promise<RegisteredWebhook> {
    return this.#post('/api/v1/webhooks', registration, request);
  }

  /** Posts a sample event to any URL and returns the outcome. Stores nothing. Both API profiles. */
  test(test: ConnectivityTest, request?: RequestOptions): Promise<TestOutcome> {
    return this.#post('/api/v1/webhooks', test, request);
  }

  list(query?: ListWebhooksQuery, request?: RequestOptions): Listing<Webhook> {
    return listingOf(this.#transport, '/api/v1/webhooks', 'webhooks', query, request);
  }

  get(webhookId: string, request?: RequestOptions): Promise<Webhook> {
    return this.#transport.json({ method: 'GET', path: pathOf(webhookId), repeat: 'safe' }, request);
  }

  /** Returns the outcomes of an endpoint's deliveries, by day. */
  statistics(
    webhookId: string,
    query?: GetWebhookStatisticsQuery,
    request?: RequestOptions,
  ): Promise<GetWebhookStatisticsResponse> {
    const path = `${pathOf(webhookId)}/statistics`;
    return this.#transport.json({ method: 'GET', path, query, repeat: 'safe' }, request);
  }

  /** Changes, pauses or resumes an endpoint. */
  update(webhookId: string, change: ChangeWebhookBody, request?: RequestOptions): Promise<Webhook> {
    const call = { method: 'PATCH', path: pathOf(webhookId), body: change, repeat: 'safe' } as const;
    return this.#transport.json(call, request);
  }

  /** Deletes an endpoint. Its pending deliveries end as `failed`. */
  delete(webhookId: string, request?: RequestOptions): Promise<void> {
    return this.#transport.delete(pathOf(webhookId), request);
  }

  /** Posts a sample event to a registered endpoint. */
  testEndpoint(
    webhookId: string,
    test: TestRegisteredWebhookBody = {},
    request?: RequestOptions,
  ): Promise<TestOutcome> {
    return this.#post(`${pathOf(webhookId)}/test`, test, request);
  }

  /** Rotates the secret, which is shown only once. The new secret signs at once, and the old secret also signs for 24 hours. */
  rotateSecret(
    webhookId: string,
    secret: RotateWebhookSecretBody = {},
    request?: RequestOptions,
  ): Promise<RotateWebhookSecretResponse> {
    return this.#post(`${pathOf(webhookId)}/rotate-secret`, secret, request);
  }

  /** Replays deliveries of an endpoint: by default, those that failed since the given time. */
  replay(webhookId: string, which: ReplayWebhookBody, request?: MakingOptions): Promise<ReplayWebhookResponse> {
    const path = `${pathOf(webhookId)}/replay`;
    return this.#transport.json({ method: 'POST', path, body: which, repeat: 'keyed' }, request);
  }

  /** Posts without retries, because these requests return a secret or contact a receiver. */
  #post<Body>(path: string, body: object, request: RequestOptions | undefined): Promise<Body> {
    return this.#transport.json({ method: 'POST', path, body, repeat: 'once' }, request);
  }
}

function pathOf(webhookId: string): string {
  return `/api/v1/webhooks/${encodeURIComponent(webhookId)}`;
}
