import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@capture/database/database';
import { hasResponse } from '@capture/database/idempotency';
import type { KeyExchange } from '../http/exchange.ts';
import { type BodyReader, collectBody, mayBeLarge } from '../http/read-body.ts';
import type { KeyRoute } from '../http/route.ts';
import type { Admission } from './admission.ts';
import { rateLimited, type TokenDependencies, tokenWaitMs } from './take-token.ts';

/** A body of more bytes is large: parsing and checking it takes milliseconds. An ordinary capture has less than 1 kB. */
const largeBytes = 64 * 1024;

/** A batch of more bytes is large: 4 kB are some 100 items, each of which takes 0.1 ms to check and store. */
const largeBatchBytes = 4 * 1024;

/** After a large body the account's next body waits as long as this one took, at most this long, milliseconds. */
const longestRestMs = 1_000;

/** How long reading and writing a megabyte of a record occupy the event loop, milliseconds. */
const perMegabyteMs = 13;

interface LargeBodyDependencies extends TokenDependencies {
  admission: Admission;
  database: Database;
}

/**
 * Reads the body of an account's request into `req.body`, as its reader parses it. Large bodies of one account are parsed one
 * at a time, for at most half of the time. A body that the rate limit would refuse is not parsed, unless it repeats a request
 * that has a stored response.
 *
 * @param cost how the request counts against the account's limits.
 * @returns a function to call once the request is parsed, checked and admitted; further calls do nothing.
 * @throws {ApiError} `RATE_LIMITED`, and the errors of `collectBody` and the reader.
 */
export async function readBodyOfAccount(
  dependencies: LargeBodyDependencies,
  exchange: KeyExchange,
  cost: KeyRoute['cost'],
  reader: BodyReader,
): Promise<() => void> {
  const { admission } = dependencies;
  const { req, caller } = exchange;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0)) each();
  };
  try {
    if (mayBeLarge(req, largeBytes)) releases.push(await admission.take('largeBody', caller.accountId));
    const bytes = await collectBody(req, reader);
    if (bytes.length > (cost === 'batch' ? largeBatchBytes : largeBytes) || reader.takesLong) {
      const next = await admission.take('parsing', caller.accountId);
      const startedAt = performance.now();
      releases.push(() => setTimeout(next, Math.min(longestRestMs, performance.now() - startedAt)).unref());
      if (cost !== 'none') await requireToken(dependencies, exchange);
    }
    req.body = await reader.parse(bytes, req.headers['content-type']);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Delays an account after a large JSON response: a record with all options may have 5 MB, and reading and writing it occupies
 * the event loop. The request keeps its slot meanwhile, so that such responses of the account take at most half of the time.
 */
export async function restAfterResponse(
  { admission }: Pick<LargeBodyDependencies, 'admission'>,
  { res, caller }: KeyExchange,
): Promise<void> {
  const bytes = Number(res.getHeader('Content-Length') ?? 0);
  if (bytes <= largeBytes || !/json/.test(String(res.getHeader('Content-Type')))) return;
  await admission.run('largeResponse', caller.accountId, () => sleep(2 * (bytes / 1e6) * perMegabyteMs));
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
