import { createHmac } from 'node:crypto';
import type { ContractForm } from './forms.ts';
import { standardWebhooksKey } from './signing-secret.ts';

export interface SignedDelivery {
  /** The event's id, which is the same for retries and replays, so that receivers can deduplicate. */
  eventId: string;
  /** The exact bytes of the request. */
  body: Buffer;
  /** When this attempt is signed. */
  at: Date;
  /** The current secret and, during the overlap of a rotation, the previous secret. */
  secrets: readonly [current: string, previous?: string];
}

/**
 * Returns the headers that let a receiver check a delivery: the published `X-Service-Signature` (over the body) and the headers
 * of Standard Webhooks (over id, time and body, so that a receiver can refuse a replay). During the overlap of a rotation the
 * headers also contain the signatures of the previous secret.
 */
export function signatureHeaders(form: ContractForm, delivery: SignedDelivery): Record<string, string> {
  const [current, previous] = delivery.secrets;
  const timestamp = Math.floor(delivery.at.getTime() / 1_000).toString();
  const headers: Record<string, string> = {
    'X-Service-Signature': form.signature.prefix + hexDigest(current, delivery.body),
    'webhook-id': delivery.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(current, timestamp, delivery),
  };
  if (previous !== undefined) {
    headers['X-Service-Signature-Previous'] = form.signature.prefix + hexDigest(previous, delivery.body);
    headers['webhook-signature'] += ` ${standardSignature(previous, timestamp, delivery)}`;
  }
  return headers;
}

/** Returns the HMAC-SHA256 with the secret's whole text as the key, as 64 hex digits. */
function hexDigest(secret: string, body: Buffer): string {
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
}

function standardSignature(secret: string, timestamp: string, { eventId, body }: SignedDelivery): string {
  const mac = createHmac('sha256', standardWebhooksKey(secret)).update(`${eventId}.${timestamp}.`).update(body);
  return `v1,${mac.digest('base64')}`;
}
