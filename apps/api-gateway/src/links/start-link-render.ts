import { setTimeout as sleep } from 'node:timers/promises';
import { monthOf } from '@capture/contract/api/month';
import { ApiError } from '@capture/contract/errors';
import { transaction } from '@capture/database/database';
import { countLinkRender, type LinkBound } from '@capture/database/links/link-bounds';
import { claimLinkRender } from '@capture/database/links/link-renders';
import type { Response } from 'express';
import { admitCapture } from '../captures/admit.ts';
import type { CaptureDependencies } from '../captures/capture.ts';
import { isOverloaded, overloaded } from '../captures/respond-capture.ts';
import type { KeyExchange } from '../http/exchange.ts';
import type { Link } from './read-link.ts';

/**
 * Starts the render of a link, unless any gateway has started the render of an equal link.
 *
 * @param rateWaitMs how long the render may wait for the account's rate limit.
 * @returns the capture to wait for, and a function that enqueues it and does nothing for an earlier capture.
 * @throws {ApiError} `LINK_NOT_ALLOWED` beyond the daily number of renders; `RATE_LIMITED`, `QUOTA_EXCEEDED`, `OVERLOADED`.
 */
export async function startLinkRender(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  link: Link,
  rateWaitMs: number,
): Promise<{ captureId: string; enqueue(): void }> {
  const { accountId } = exchange.caller;
  if (await isOverloaded(dependencies, exchange)) throw await overloaded(dependencies, exchange);
  const deadline = Date.now() + rateWaitMs;
  for (;;) {
    try {
      return await dependencies.admission.run('transaction', accountId, () => claim(dependencies, exchange, link));
    } catch (error) {
      const waitMs = error instanceof ApiError && error.code === 'RATE_LIMITED' ? (error.retryAfterS ?? 1) * 1_000 : 0;
      if (waitMs === 0 || Date.now() + waitMs > deadline) throw error;
      await sleep(waitMs);
    }
  }
}

function claim(
  dependencies: CaptureDependencies,
  exchange: KeyExchange,
  { target, requested, parameters, policy }: Link,
) {
  const { database, queueEstimate, enqueue, cacheResults } = dependencies;
  const { requestId: captureId } = exchange;
  const { accountId } = exchange.caller;
  return transaction(database.pool, async (connection) => {
    const earlier = await claimLinkRender(connection, target, { captureId, ttlS: parameters.ttl_s });
    if (earlier !== null) return { captureId: earlier, enqueue: () => {} };
    const nothing = { store: async () => {} };
    const admitted = await admitCapture(dependencies, unseen(exchange), requested, nothing, connection);
    const month = monthOf(admitted.createdAt);
    const { hostname: host } = new URL(requested.url);
    const exceeded = await countLinkRender(connection, { target, host, month, policy });
    if (exceeded !== null) {
      const allowed = `${policy[exceeded]} renders a day${ofBound[exceeded]}`;
      const message = `The link policy of this account allows ${allowed}, and today's are used up.`;
      throw new ApiError('LINK_NOT_ALLOWED', message);
    }
    return {
      captureId,
      enqueue() {
        cacheResults.note('link', 'render');
        queueEstimate.note(accountId);
        enqueue(admitted);
      },
    };
  });
}

const ofBound: Record<LinkBound, string> = {
  renders_per_day: '',
  renders_per_link: ' of one link',
  renders_per_host: ' of the pages of one host',
};

/** Returns the exchange without its response, because viewers of a link must not see the account's quota and rate. */
function unseen(exchange: KeyExchange): KeyExchange {
  return { ...exchange, res: { setHeader: () => {} } as unknown as Response };
}
