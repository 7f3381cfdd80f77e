import { ApiError } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { inSpan } from '@capture/runtime/tracing/trace';
import { type Caller, type KeyExchange, passed } from '../http/exchange.ts';
import type { RateLimiter } from './rate-limit.ts';
import { setRetryAfterHeader } from './rate-limit-headers.ts';

export interface TokenDependencies {
  form: ContractForm;
  rateLimiter: RateLimiter;
}

/** Takes a token of the account's rate limit. @throws {ApiError} `RATE_LIMITED`, with the seconds to wait. */
export async function takeToken({ form, rateLimiter }: TokenDependencies, exchange: KeyExchange): Promise<void> {
  const { caller, res } = exchange;
  passed(exchange, 'understood');
  const rate = await inSpan('take token', {}, () => rateLimiter.take(caller.accountId, caller.plan, 1));
  setRetryAfterHeader(res, form, rate.waitMs);
  passed(exchange, 'rate');
  if (!rate.allowed) throw rateLimited(caller, rate.waitMs);
}

/** Returns the milliseconds until the account's next token; 0 if a token is available. Takes no token. */
export async function tokenWaitMs({ rateLimiter }: TokenDependencies, { caller }: KeyExchange): Promise<number> {
  return (await rateLimiter.take(caller.accountId, caller.plan, 0)).waitMs;
}

export function rateLimited({ planName, plan }: Caller, waitMs: number): ApiError {
  const requests = plan.perSecond === 1 ? '1 request' : `${plan.perSecond} requests`;
  return new ApiError('RATE_LIMITED', `The plan ${planName} allows ${requests} a second.`, {
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
