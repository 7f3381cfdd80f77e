import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@capture/database/database';
import { hasResponse } from '@capture/database/idempotency';
import type { Rests } from '@capture/runtime/rests';
import type { KeyExchange } from '../http/exchange.ts';
import { type BodyReader, collectBody, mayBeLarge } from '../http/read-body.ts';
import type { KeyRoute } from '../http/route.ts';
import { type AccountSlots, createAccountSlots } from './account-slots.ts';
import { costs } from './request-costs.ts';
import { rateLimited, type TokenDependencies, tokenWaitMs } from './take-token.ts';

/** Large bodies of one account that one process receives at once: 8 of 5 MB are 40 MB. The rest stays in its socket. */
const receivedAtOnce = 8;

/** A body of more than this is large: it takes milliseconds to parse and check, bytes. An ordinary capture has less than 1 kB. */
const largeBytes = 64 * 1024;

/**
 * The same for a batch: each item is a capture, which takes 0.1 ms to check and store. This is some 100 items, which take as
 * long as three other requests.
 */
const largeBatchBytes = 4 * 1024;

/** After a large body the account's next one waits as long as this one took, at most this long, milliseconds. */
const longestRestMs = 1_000;

export interface LargeBodies {
  receiving: AccountSlots;
  /** One at a time: parsing occupies the event loop that all accounts share. */
  parsing: AccountSlots;
  /** Rests after large responses, one at a time. */
  resting: AccountSlots;
}

export function createLargeBodies(rests: Rests): LargeBodies {
  return {
    receiving: createAccountSlots(receivedAtOnce, undefined, rests),
    parsing: createAccountSlots(1),
    resting: createAccountSlots(1),
  };
}

interface LargeBodyDependencies extends TokenDependencies {
  database: Database;
  largeBodies: LargeBodies;
  rests: Rests;
}

/**
 * Reads the body of an account's request into `req.body`, as its reader parses it. Large bodies of one account are parsed
 * one at a time, for at most half of the time. One that the rate limit would refuse is not parsed at all, unless it repeats
 * a request that has a stored response. While the account rests, a large body stays in its socket.
 *
 * @param cost the request's share of the account's limits.
 * @returns a function to call once the request is parsed, checked and admitted; further calls do nothing.
 * @throws {ApiError} `RATE_LIMITED`, and what `collectBody` and the reader throw.
 */
export async function readBodyOfAccount(
  dependencies: LargeBodyDependencies,
  exchange: KeyExchange,
  cost: KeyRoute['cost'],
  reader: BodyReader,
): Promise<() => void> {
  const { receiving, parsing } = dependencies.largeBodies;
  const { req, caller } = exchange;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0)) each();
  };
  try {
    if (mayBeLarge(req, largeBytes)) releases.push(await receiving.take(caller.accountId));
    const bytes = await collectBody(req, reader);
    if (bytes.length > (cost === 'batch' ? largeBatchBytes : largeBytes) || reader.takesLong) {
      const next = await parsing.take(caller.accountId);
      const startedAt = performance.now();
      releases.push(() => setTimeout(next, Math.min(longestRestMs, performance.now() - startedAt)).unref());
      if (cost !== 'none') await requireToken(dependencies, exchange);
    }
    dependencies.rests.charge(caller.accountId, (bytes.length / 1e6) * costs.perMegabyte);
    req.body = await reader.parse(bytes, req.headers['content-type']);
    if (cost === 'batch') dependencies.rests.charge(caller.accountId, itemsOf(req.body) * costs.perItem);
    return release;
  } catch (error) {
    dependencies.rests.charge(caller.accountId, costs.refusedBody);
    release();
    throw error;
  }
}

/**
 * Lets an account rest after a large response in JSON: a record with all options may have 5 MB, and reading and writing it
 * occupies the event loop. The request keeps its slot meanwhile, so that such responses of the account take at most half of
 * the time.
 */
export async function restAfterResponse(
  { largeBodies, rests }: Pick<LargeBodyDependencies, 'largeBodies' | 'rests'>,
  { res, caller }: KeyExchange,
): Promise<void> {
  const bytes = Number(res.getHeader('Content-Length') ?? 0);
  if (bytes <= largeBytes || !/json/.test(String(res.getHeader('Content-Type')))) return;
  const costMs = (bytes / 1e6) * costs.perMegabyteSent;
  rests.charge(caller.accountId, costMs);
  await largeBodies.resting.run(caller.accountId, () => sleep(2 * costMs));
}

/** How many items a batch has. It is not checked yet. */
function itemsOf(body: unknown): number {
  const items = (body as { items?: unknown } | null | undefined)?.items;
  return Array.isArray(items) ? items.length : 0;
}

async function requireToken(dependencies: LargeBodyDependencies, exchange: KeyExchange): Promise<void> {
  const waitMs = await tokenWaitMs(dependencies, exchange);
  if (waitMs === 0) return;
  const { req, caller } = exchange;
  const key = req.get('Idempotency-Key');
  const request = { accountId: caller.accountId, key: key ?? '' };
  if (key !== undefined && (await hasResponse(dependencies.database.pool, request))) return;
  throw rateLimited(caller, waitMs);
}
