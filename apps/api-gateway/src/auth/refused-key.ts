import { ApiError } from '@capture/contract/errors';
import type { Exchange } from '../http/exchange.ts';
import type { Admission } from '../limits/admission.ts';
import { type ClientLimits, subscriberOf } from '../limits/client-limit.ts';

export interface RefusedKeyDependencies {
  admission: Admission;
  clientLimits: Pick<ClientLimits, 'failedKeys'>;
}

/**
 * Returns the response to an invalid key or session. Only invalid keys and sessions count, per client address: the gateway
 * never refuses a valid key because of another client at the same address.
 *
 * @param error the refusal itself.
 * @returns `error`, or `RATE_LIMITED` where too many came from the address within a minute.
 */
export async function refusedKey(
  { admission, clientLimits }: RefusedKeyDependencies,
  { req }: Exchange,
  error: ApiError,
): Promise<ApiError> {
  const address = req.ip ?? '';
  const waitMs = await admission.run('client', subscriberOf(address), () => clientLimits.failedKeys.take(address));
  if (waitMs === 0) return error;
  return new ApiError('RATE_LIMITED', `Too many requests from this IP address without a valid key. ${error.message}`, {
    retryAfterS: Math.ceil(waitMs / 1_000),
  });
}
