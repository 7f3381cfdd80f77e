import type {
  GetLinkPolicyResponse,
  GetLinkSecretResponse,
  PutLinkPolicyBody,
  PutLinkPolicyResponse,
  RotateLinkSecretBody,
  RotateLinkSecretResponse,
} from '../generated/api-types.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

const secretPath = '/api/v1/links/secret';
const policyPath = '/api/v1/links/policy';

/** What signs the account's render links, and what they may do. `signLink` of `@capture-platform/sdk/sign-link` signs one. */
export class Links {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates or rotates the link secret, which is shown only once. Never retried after a lost response. */
  rotateSecret(rotation: RotateLinkSecretBody = {}, request?: RequestOptions): Promise<RotateLinkSecretResponse> {
    return this.#transport.json({ method: 'POST', path: secretPath, body: rotation, repeat: 'once' }, request);
  }

  /** When the link secret was created. @throws {NotFoundError} without one. */
  secret(request?: RequestOptions): Promise<GetLinkSecretResponse> {
    return this.#transport.json({ method: 'GET', path: secretPath, repeat: 'safe' }, request);
  }

  /** Deletes the link secret: all links of the account stop at once. */
  deleteSecret(request?: RequestOptions): Promise<void> {
    return this.#transport.delete(secretPath, request);
  }

  policy(request?: RequestOptions): Promise<GetLinkPolicyResponse> {
    return this.#transport.json({ method: 'GET', path: policyPath, repeat: 'safe' }, request);
  }

  /** Replaces the whole policy. */
  setPolicy(policy: PutLinkPolicyBody, request?: RequestOptions): Promise<PutLinkPolicyResponse> {
    return this.#transport.json({ method: 'PUT', path: policyPath, body: policy, repeat: 'safe' }, request);
  }
}
