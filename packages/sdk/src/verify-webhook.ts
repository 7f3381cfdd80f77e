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
  /** The raw body as it came: a body that was parsed and serialised again has other bytes. */
  body: string | Uint8Array;
  headers: ReceivedHeaders;
  /** The signing secret; while you change it on your side, the new one and the one before. */
  secret: string | readonly string[];
}

export interface TimedVerification {
  /** The default: `webhook-id`, `webhook-timestamp` and `webhook-signature` (Standard Webhooks). */
  signature?: 'timed';
  /** How far the time of signing may be from now, in both directions, seconds. 300 unless given. */
  toleranceS?: number;
  /** The clock to compare with; the machine's unless given. */
  now?: Date;
}

export interface PublishedVerification {
  /**
   * `X-Service-Signature` alone, which signs the body and no time: whoever saw a delivery once can send it again for
   * ever, so deduplicate by what is in the body. For receivers behind something that drops the `webhook-*` headers.
   */
  signature: 'published';
}

export interface VerifiedWebhook {
  /** The event's id, constant over retries and replays: deduplicate by it. */
  id: string;
  /** When this attempt was signed, to the second; `event.timestamp` says when it happened. */
  signedAt: Date;
  event: WebhookEvent;
}

/** Id and time are null: nothing signs them here, so whatever a header said of them could be anybody's. */
export interface VerifiedBody {
  id: null;
  signedAt: null;
  event: WebhookEvent;
}

/**
 * Verifies a webhook and hands back its event. The timed signature is required and suffices; a request without it is
 * refused however well the untimed `X-Service-Signature` fits, or leaving headers out would get round the time.
 *
 * @throws {WebhookVerificationError} with a `reason`; answer 401.
 * @throws {TypeError | RangeError} when the receiver itself is set up wrongly.
 */
export function verifyWebhook(received: ReceivedWebhook & TimedVerification): Promise<VerifiedWebhook>;
export function verifyWebhook(received: ReceivedWebhook & PublishedVerification): Promise<VerifiedBody>;
export async function verifyWebhook(
  received: ReceivedWebhook & (TimedVerification | PublishedVerification),
): Promise<VerifiedWebhook | VerifiedBody> {
  const body = bytesOf(received.body);
  const secrets = checkedSecrets(received.secret);
  if (received.signature !== 'published') {
    const { id, signedAt } = await verifyTimed(received, body, secrets);
    return { id, signedAt, event: parseEvent(body) };
  }
  await verifyPublished(received, body, secrets);
  return { id: null, signedAt: null, event: parseEvent(body) };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Ours have no full stop: with one, the same signed text could be read as another id, time and body. */
const eventId = /^[A-Za-z0-9_-]{1,255}$/;
const unixSeconds = /^[1-9][0-9]{0,11}$/;

async function verifyTimed(
  { headers, toleranceS = 300, now = new Date() }: ReceivedWebhook & TimedVerification,
  body: Bytes,
  secrets: readonly string[],
): Promise<{ id: string; signedAt: Date }> {
  const id = requiredHeader(headers, 'webhook-id');
  const timestamp = requiredHeader(headers, 'webhook-timestamp');
  const given = requiredHeader(headers, 'webhook-signature').split(' ');
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
  requireMatch(given, expected);
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

/** With the prefix of form A or without it. */
const publishedSignature = /^(?:sha256=)?([0-9a-f]{64})$/;

async function verifyPublished({ headers }: ReceivedWebhook, body: Bytes, secrets: readonly string[]): Promise<void> {
  requiredHeader(headers, 'x-service-signature');
  const given = ['x-service-signature', 'x-service-signature-previous'].flatMap((name) => {
    const value = receivedHeader(headers, name);
    if (value === undefined) return [];
    const hex = publishedSignature.exec(value)?.[1];
    if (hex === undefined) throw malformed(name);
    return hex;
  });
  const expected = await Promise.all(
    secrets.map(async (secret) => toHex(await hmacSha256(publishedKey(secret), body))),
  );
  requireMatch(given, expected);
}

function requireMatch(given: readonly string[], expected: readonly string[]): void {
  if (expected.some((ours) => given.some((theirs) => equalInConstantTime(theirs, ours)))) return;
  throw new WebhookVerificationError('no_matching_signature', 'No signature of the request was made with the secret.');
}

function malformed(header: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${header} is malformed.`);
}

function bytesOf(body: string | Uint8Array): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new TypeError('The body must be the raw text or a Uint8Array, from before anything parsed it.');
}

function parseEvent(body: Bytes): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is signed, and no JSON.');
  }
  if (typeof event === 'object' && event !== null && 'event' in event && isWebhookEventName(event.event)) {
    return event as WebhookEvent;
  }
  throw new WebhookVerificationError('unknown_event', 'The body is signed, and no event that this SDK knows.');
}
