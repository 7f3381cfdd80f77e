import { ApiError } from '@capture/contract/errors';
import type { Dependencies } from '../dependencies.ts';
import type { Exchange } from '../http/exchange.ts';

/**
 * What is answered to a key or a session that is none. Only such ones count, by client address: a good key is never
 * refused for what a neighbour behind the same address does.
 *
 * @param error what says that it is none.
 * @returns `error`, or `RATE_LIMITED` where too many have come from the address within a minute.
 */
export async function refusedKey(
  { keyFailures }: Pick<Dependencies, 'keyFailures'>,
  { req }: Exchange,
  error: ApiError,
): Promise<ApiError> {
  const waitMs = await keyFailures.take(req.ip ?? '');
  if (waitMs === 0) return error;
  return new ApiError('RATE_LIMITED', `Too many requests from this address without a valid key. ${error.message}`, {
    retryAfterS: Math.ceil(waitMs / 1_000),
  });
}
