import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far a `webhook-timestamp` may be from now, seconds: what Standard Webhooks' libraries allow. */
const toleranceS = 300;

/** Which of the secrets that a receiver knows signed a request, by their place in its list. */
export interface Signers {
  /** Of `X-Service-Signature`, and of `X-Service-Signature-Previous`; null if it is none of them. */
  service: number | null;
  previous: number | null;
  /** Of `webhook-signature`, which may carry several. */
  standard: number[];
}

/**
 * Finds out who signed a request, as a receiver computes it: this is not the platform's own code.
 *
 * @param secrets each begins with `whsec_`.
 */
export function signersOf(headers: IncomingHttpHeaders, body: Buffer, secrets: readonly string[]): Signers {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const signatures = String(headers['webhook-signature']).split(' ');
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceS;
  const service = (given: unknown) => {
    const digest = String(given).replace('sha256=', '');
    const index = secrets.findIndex((secret) => createHmac('sha256', secret).update(body).digest('hex') === digest);
    return index < 0 ? null : index;
  };
  const standard = secrets.flatMap((secret, index) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return isFresh && signatures.includes(`v1,${digest}`) ? [index] : [];
  });
  return {
    service: service(headers['x-service-signature']),
    previous: service(headers['x-service-signature-previous']),
    standard,
  };
}

/** Whether a request carries the signatures that the contract promises: both kinds, of one secret. */
export function isSigned({ service, standard }: Signers): boolean {
  return service !== null && standard.includes(service);
}
