import { isWebhookEventName, type WebhookEvent } from './events.ts';
import { type ReceivedHeaders, receivedHeader, requiredHeader } from './webhook-headers.ts';
import {
  checkedSecrets,
  equalInConstantTime,
  hmacSha256,
  publishedKey,
  standardKey,
  toBase64,
  toHex,
} from './webhook-signature.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

export type { WebhookEvent } from './events.ts';
export { WebhookVerificationError } from './webhook-verification-error.ts';

export interface ReceivedWebhook {
  /** The raw body as received. A parsed and re-serialized body has other bytes. */
  body: string | Uint8Array;
  headers: ReceivedHeaders;
  /** The signing secret; during a rotation, the new and the old one. */
  secret: string | readonly string[];
}

export interface TimedVerification {
  /** The default: `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks). */
  signature?: 'timed';
  /** The allowed difference between the signing time and now, in both directions, seconds. Default: 300. */
  toleranceS?: number;
  /** The current time; default: the system clock. */
  now?: Date;
}

export interface PublishedVerification {
  /**
   * Only `X-Service-Signature`, which signs the body but no time: an attacker who has seen a delivery can replay it forever,
   * so deduplicate by the content of the body. For receivers behind a proxy that drops the `webhook-*` headers.
   */
  signature: 'published';
}

export interface VerifiedWebhook {
  /** The ID of the event, the same for retries and replays: deduplicate by it. */
  id: string;
  /** The time when this attempt was signed, to the second. `event.timestamp` is the time of the event. */
  signedAt: Date;
  event: WebhookEvent;
}

/** ID and time are null, because this signature does not cover them, so their headers could be forged. */
export interface VerifiedBody {
  id: null;
  signedAt: null;
  event: WebhookEvent;
}

/**
 * Verifies a webhook and returns its event. The timed signature is required and sufficient: a request without it is rejected
 * even if `X-Service-Signature` matches. Otherwise, omitting headers would bypass the check of the time.
 *
 * @throws {WebhookVerificationError} with a `reason`; respond with 401.
 * @throws {TypeError RangeError} if the receiver is misconfigured.
 */
export function verifyWebhook(received: ReceivedWebhook & TimedVerification): Promise<VerifiedWebhook>;
export function verifyWebhook(received: ReceivedWebhook & PublishedVerification): Promise<VerifiedBody>;
export async function verifyWebhook(
  received: ReceivedWebhook & (TimedVerification | PublishedVerification),
): Promise<VerifiedWebhook | VerifiedBody> {
  const body = toBytes(received.body);
  const secrets = checkedSecrets(received.secret);
  if (received.signature !== 'published') {
    const { id, signedAt } = await verifyTimed(received, body, secrets);
    return { id, signedAt, event: parseEvent(body) };
  }
  await verifyPublished(received, body, secrets);
  return { id: null, signedAt: null, event: parseEvent(body) };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Event IDs contain no full stop, because a full stop would make the signed text ambiguous. */
const eventId = /^[A-Za-z0-9_-]{1,255}$/;
const unixSeconds = /^[1-9][0-9]{0,11}$/;

async function verifyTimed(
  { headers, toleranceS = 300, now = new Date() }: ReceivedWebhook & TimedVerification,
  body: Bytes,
  secrets: readonly string[],
): Promise<{ id: string; signedAt: Date }> {
  const id = requiredHeader(headers, 'webhook-id');
  const timestamp = requiredHeader(headers, 'webhook-timestamp');
  const received = requiredHeader(headers, 'webhook-signature').split(' ');
  if (!eventId.test(id)) throw malformed('webhook-id');
  if (!unixSeconds.test(timestamp)) throw malformed('webhook-timestamp');
  checkTime(Number(timestamp), toleranceS, now);

  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const expected = await Promise.all(
    secrets.map(async (secret) => `v1,${toBase64(await hmacSha256(standardKey(secret), signed))}`),
  );
  requireMatch(received, expected);
  return { id, signedAt: new Date(Number(timestamp) * 1_000) };
}

function checkTime(timestampS: number, toleranceS: number, now: Date): void {
  if (!(toleranceS >= 0)) throw new RangeError('toleranceS must be a number of seconds, 0 or more.');
  const ageS = Math.floor(now.getTime() / 1_000) - timestampS;
  if (Number.isNaN(ageS)) throw new RangeError('now is not a valid date.');
  if (ageS > toleranceS) {
    throw new WebhookVerificationError('timestamp_too_old', `The request was signed ${ageS} seconds ago.`);
  }
  if (ageS < -toleranceS) {
    throw new WebhookVerificationError('timestamp_in_future', `The request was signed ${-ageS} seconds in the future.`);
  }
}

/** Matches a signature with or without the prefix of API profile A. */
const publishedSignature = /^(?:sha256=)?([0-9a-f]{64})$/;

async function verifyPublished({ headers }: ReceivedWebhook, body: Bytes, secrets: readonly string[]): Promise<void> {
  requiredHeader(headers, 'x-service-signature');
  const received = ['x-service-signature', 'x-service-signature-previous'].flatMap((name) => {
    const value = receivedHeader(headers, name);
    if (value === undefined) return [];
    const hex = publishedSignature.exec(value)?.[1];
    if (hex === undefined) throw malformed(name);
    return hex;
  });
  const expected = await Promise.all(
    secrets.map(async (secret) => toHex(await hmacSha256(publishedKey(secret), body))),
  );
  requireMatch(received, expected);
}

function requireMatch(received: readonly string[], expected: readonly string[]): void {
  if (expected.some((match) => received.some((signature) => equalInConstantTime(signature, match)))) return;
  throw new WebhookVerificationError('no_matching_signature', 'No signature of the request matches the secret.');
}

function malformed(header: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${header} is malformed.`);
}

function toBytes(body: string | Uint8Array): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new TypeError('The body must be the raw text or a Uint8Array, before any parsing.');
}

function parseEvent(body: Bytes): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is signed but is not JSON.');
  }
  if (typeof event === 'object' && event !== null && 'event' in event && isWebhookEventName(event.event)) {
    return event as WebhookEvent;
  }
  throw new WebhookVerificationError('unknown_event', 'The body is signed but is not an event that this SDK knows.');
}
