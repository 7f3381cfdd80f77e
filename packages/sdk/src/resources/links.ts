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

/** The secret and policy of the account's render links. `signLink` of `@capture-platform/sdk/sign-link` signs a link. */
export class Links {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates or rotates the link secret, which is shown only once. The request is never retried after a lost response. */
  rotateSecret(rotation: RotateLinkSecretBody = {}, request?: RequestOptions): Promise<RotateLinkSecretResponse> {
    return this.#transport.json({ method: 'POST', path: secretPath, body: rotation, repeat: 'once' }, request);
  }

  /** Returns when the link secret was created. @throws {NotFoundError} without a secret. */
  secret(request?: RequestOptions): Promise<GetLinkSecretResponse> {
    return this.#transport.json({ method: 'GET', path: secretPath, repeat: 'safe' }, request);
  }

  /** Deletes the link secret. All links of the account stop at once. */
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
