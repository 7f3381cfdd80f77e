import type {
  ChangeWebhookBody,
  GetWebhookResponse,
  ListWebhooksQuery,
  RegisterWebhookBody,
  RegisterWebhookResponse,
  RegisterWebhookResponse201,
  ReplayWebhookBody,
  ReplayWebhookResponse,
  RotateWebhookSecretBody,
  RotateWebhookSecretResponse,
  TestRegisteredWebhookBody,
} from '../api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { MakingOptions, RequestOptions, Transport } from '../http/transport.ts';

export type Webhook = GetWebhookResponse;
export type RegisteredWebhook = RegisterWebhookResponse201;
export type WebhookRegistration = Extract<RegisterWebhookBody, { url: string }>;
export type ConnectivityTest = Extract<RegisterWebhookBody, { webhook_url: string }>;
export type TestOutcome = RegisterWebhookResponse;

/** Endpoints that are told of captures. All but `test` is of form B: in form A it throws a `NotFoundError`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Registers an endpoint. A `secret` that is made by the service is shown this once. */
  register(registration: WebhookRegistration, request?: RequestOptions): Promise<RegisteredWebhook> {
    return this.#post('/api/v1/webhooks', registration, request);
  }

  /** Posts a sample event to any URL and says what came of it: stores nothing, subscribes nothing. Forms A and B. */
  test(test: ConnectivityTest, request?: RequestOptions): Promise<TestOutcome> {
    return this.#post('/api/v1/webhooks', test, request);
  }

  list(query?: ListWebhooksQuery, request?: RequestOptions): Listing<Webhook> {
    return listingOf(this.#transport, '/api/v1/webhooks', 'webhooks', query, request);
  }

  get(webhookId: string, request?: RequestOptions): Promise<Webhook> {
    return this.#transport.json({ method: 'GET', path: pathOf(webhookId), repeat: 'safe' }, request);
  }

  /** Changes, pauses or resumes an endpoint. */
  update(webhookId: string, change: ChangeWebhookBody, request?: RequestOptions): Promise<Webhook> {
    const call = { method: 'PATCH', path: pathOf(webhookId), body: change, repeat: 'safe' } as const;
    return this.#transport.json(call, request);
  }

  /** Deletes an endpoint; its open deliveries end as `failed`. */
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

  /** The new secret signs at once, the former one beside it for 24 hours. It is shown this once. */
  rotateSecret(
    webhookId: string,
    secret: RotateWebhookSecretBody = {},
    request?: RequestOptions,
  ): Promise<RotateWebhookSecretResponse> {
    return this.#post(`${pathOf(webhookId)}/rotate-secret`, secret, request);
  }

  /** Sends an endpoint's deliveries again: those that failed since then, unless `status` says others. */
  replay(webhookId: string, which: ReplayWebhookBody, request?: MakingOptions): Promise<ReplayWebhookResponse> {
    const path = `${pathOf(webhookId)}/replay`;
    return this.#transport.json({ method: 'POST', path, body: which, repeat: 'keyed' }, request);
  }

  /** What shows a secret, or knocks at somebody's door, is sent once. */
  #post<Answer>(path: string, body: object, request: RequestOptions | undefined): Promise<Answer> {
    return this.#transport.json({ method: 'POST', path, body, repeat: 'once' }, request);
  }
}

function pathOf(webhookId: string): string {
  return `/api/v1/webhooks/${encodeURIComponent(webhookId)}`;
}
