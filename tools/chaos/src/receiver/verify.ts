import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The maximum age of a `webhook-timestamp` in seconds, in both directions, as in the Standard Webhooks libraries. */
const toleranceS = 300;

/** The secrets that signed a request, by their index in the receiver's list. */
export interface Signers {
  /** The signers of `X-Service-Signature`, and of `X-Service-Signature-Previous`; null for an unknown secret. */
  service: number | null;
  previous: number | null;
  /** The signers of `webhook-signature`, which may contain several signatures. */
  standard: number[];
}

/**
 * Finds the signers of a request as a receiver would, without the platform's own code.
 *
 * @param secrets each begins with `whsec_`.
 */
export function findSigners(headers: IncomingHttpHeaders, body: Buffer, secrets: readonly string[]): Signers {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const signatures = String(headers['webhook-signature']).split(' ');
  const isFresh = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceS;
  const service = (header: unknown) => {
    const digest = String(header).replace('sha256=', '');
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

/** Whether a request has both signatures of the contract, by one secret. */
export function isSigned({ service, standard }: Signers): boolean {
  return service !== null && standard.includes(service);
}
