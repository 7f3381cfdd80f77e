import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far a `webhook-timestamp` may be from now, seconds: what Standard Webhooks' libraries allow. */
const toleranceS = 300;

/**
 * Whether a request carries the signatures that the contract promises, as a receiver computes them: this is not the
 * platform's own code. One of them being right is not enough: both kinds must be.
 *
 * @param secret begins with `whsec_`.
 */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof signatures !== 'string' || Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceS) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const service = createHmac('sha256', secret).update(body).digest('hex');
  const given = String(headers['x-service-signature']).replace('sha256=', '');
  return signatures.split(' ').includes(`v1,${standard}`) && given === service;
}
