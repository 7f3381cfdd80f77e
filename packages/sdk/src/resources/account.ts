import type {
  Account as AccountRecord,
  GetSigningSecretResponse,
  GetUsageQuery,
  GetUsageResponse,
  RotateSigningSecretResponse,
} from '../generated/api-types.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

const secretPath = '/api/v1/account/signing-secret';

/** The account that the key belongs to. */
export class Account {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the account, its plan and this month's usage. */
  get(request?: RequestOptions): Promise<AccountRecord> {
    return this.#transport.json({ method: 'GET', path: '/api/v1/account', repeat: 'safe' }, request);
  }

  /** Returns the usage by day, oldest first. */
  async usage(query: GetUsageQuery = {}, request?: RequestOptions): Promise<GetUsageResponse['days']> {
    const call = { method: 'GET', path: '/api/v1/usage', query, repeat: 'safe' } as const;
    return (await this.#transport.json<GetUsageResponse>(call, request)).days;
  }

  /** Returns the secret that signs events to the `webhook_url` of requests. API profile B. */
  signingSecret(request?: RequestOptions): Promise<GetSigningSecretResponse> {
    return this.#transport.json({ method: 'GET', path: secretPath, repeat: 'safe' }, request);
  }

  /** Rotates the signing secret. The new secret signs at once, and the old secret also signs for 24 hours. API profile B. */
  rotateSigningSecret(request?: RequestOptions): Promise<RotateSigningSecretResponse> {
    return this.#transport.json({ method: 'POST', path: secretPath, repeat: 'once' }, request);
  }
}
