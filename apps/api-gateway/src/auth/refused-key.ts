import { ApiError } from '@capture/contract/errors';
import type { Exchange } from '../http/exchange.ts';
import type { ClientLimit, ClientSlots } from '../limits/client-limit.ts';

export interface RefusedKeyDependencies {
  keyFailures: ClientLimit;
  /** From `createClientSlots`. */
  clientSlots: ClientSlots;
}

/**
 * The response to an invalid key or session. Only invalid ones count, per client address: a valid key is never refused for
 * the requests of another client behind the same address.
 *
 * @param error the refusal itself.
 * @returns `error`, or `RATE_LIMITED` where too many came from the address within a minute.
 */
export async function refusedKey(
  { keyFailures, clientSlots }: RefusedKeyDependencies,
  { req }: Exchange,
  error: ApiError,
): Promise<ApiError> {
  const address = req.ip ?? '';
  const waitMs = await clientSlots.run(address, () => keyFailures.take(address));
  if (waitMs === 0) return error;
  return new ApiError('RATE_LIMITED', `Too many requests from this IP address without a valid key. ${error.message}`, {
    retryAfterS: Math.ceil(waitMs / 1_000),
  });
}
