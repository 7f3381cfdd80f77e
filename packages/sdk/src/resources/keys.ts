import type {
  AddKeyBody,
  IssuedKey,
  Key,
  ListKeysQuery,
  RotateKeyBody,
  RotateKeyResponse,
} from '../generated/api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** The keys of the account. Requests that return a key are never retried after a lost response. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query?: ListKeysQuery, request?: RequestOptions): Listing<Key> {
    return listingOf(this.#transport, '/api/v1/keys', 'keys', query, request);
  }

  /** Creates a key. Its `apiKey` is shown only once. */
  create(key: AddKeyBody = {}, request?: RequestOptions): Promise<IssuedKey> {
    return this.#transport.json({ method: 'POST', path: '/api/v1/keys', body: key, repeat: 'once' }, request);
  }

  /** Revokes a key within a second. @throws {LastKeyError} for the last key. */
  revoke(keyId: string, request?: RequestOptions): Promise<void> {
    return this.#transport.delete(pathOf(keyId), request);
  }

  /** Replaces a key, which keeps working for `overlap_s` seconds. */
  rotate(keyId: string, rotation: RotateKeyBody = {}, request?: RequestOptions): Promise<RotateKeyResponse> {
    const path = `${pathOf(keyId)}/rotate`;
    return this.#transport.json({ method: 'POST', path, body: rotation, repeat: 'once' }, request);
  }
}

function pathOf(keyId: string): string {
  return `/api/v1/keys/${encodeURIComponent(keyId)}`;
}
