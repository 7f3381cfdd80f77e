import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { type KeyedHash, requestFingerprint } from '@capture/contract/options/fingerprint';
import { type Database, type Queryable, transaction } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import {
  findResponse,
  type IdempotencyResult,
  runIdempotently,
  runSliceIdempotently,
  type StoredResponse,
} from '@capture/database/idempotency';
import type { KeyExchange } from '../http/exchange.ts';
import type { Admission } from './admission.ts';

/** Longest `Idempotency-Key`, characters: the contract sets this number. */
const maxKeyLength = 255;

export interface IdempotencyDependencies {
  database: Database;
  encryptor: Encryptor;
  admission: Admission;
}

/** How long and how often a request waits for another gateway's request with its `Idempotency-Key`, milliseconds. */
const otherGateway = { withinMs: 60_000, firstPauseMs: 20, longestPauseMs: 500 };

interface AnyCreation<Created> {
  /** Throws to refuse the request before anything is created. A replayed request skips it. */
  check?(): Promise<void>;
  /** Returns the body of an acceptance, or the id of the capture whose outcome is the response. */
  responseOf(created: Created): StoredResponse;
}

/** How a request creates something at once, and the response to store for its `Idempotency-Key`. */
export interface Creation<Created> extends AnyCreation<Created> {
  /** Whether `create` runs several statements. With an `Idempotency-Key` it runs in a transaction anyway. */
  needsTransaction: boolean;
  create(connection: Queryable): Promise<Created>;
  /** Replaces `create` in a request without an `Idempotency-Key`, which may share a statement with other requests. */
  createAlone?(): Promise<Created>;
}

/** How a request does its work in many transactions. A request with the same key continues interrupted work. */
export interface SlicedCreation<Created, Progress extends object> extends AnyCreation<Created> {
  first: Progress;
  /** Does the next part. @returns `created` when no part is left, and null before. */
  slice(connection: Queryable, progress: Progress): Promise<{ progress: Progress; created: Created | null }>;
}

export type CreationResult<Created> =
  | { replayed: false; created: Created; response: StoredResponse }
  | { replayed: true; response: StoredResponse };

/**
 * Creates a resource once per `Idempotency-Key`: a repeated request with the same body gets the first response and costs
 * neither a token nor quota.
 *
 * @param body the parsed request; a different body with the same key is refused.
 * @throws {ApiError} `IDEMPOTENCY_CONFLICT`, and the errors of `creation`; then nothing was created or stored, except by slices
 * that are done.
 */
export async function createIdempotently<Created, Progress extends object = never>(
  dependencies: IdempotencyDependencies,
  exchange: KeyExchange,
  body: unknown,
  creation: Creation<Created> | SlicedCreation<Created, Progress>,
): Promise<CreationResult<Created>> {
  try {
    return await createOrReplay(dependencies, exchange, body, creation);
  } finally {
    exchange.onlyWaits();
  }
}

async function createOrReplay<Created, Progress extends object>(
  { database, encryptor, admission }: IdempotencyDependencies,
  exchange: KeyExchange,
  body: unknown,
  creation: Creation<Created> | SlicedCreation<Created, Progress>,
): Promise<CreationResult<Created>> {
  const { req, res, caller, facts } = exchange;
  const key = req.method === 'POST' ? idempotencyKeyOf(exchange) : null;
  let result: CreationResult<Created> | undefined;
  const finish = (created: Created) => {
    const response = creation.responseOf(created);
    result = { replayed: false, created, response };
    return response;
  };
  const inSlot = <T>(work: () => Promise<T>) => admission.run('transaction', caller.accountId, work);
  if (key === null) {
    await creation.check?.();
    if ('slice' in creation) {
      let { first: progress } = creation;
      for (let created: Created | null = null; created === null; ) {
        const next = () => transaction(database.pool, (connection) => creation.slice(connection, progress));
        ({ progress, created } = await inSlot(next));
        if (created !== null) finish(created);
      }
    } else if (creation.createAlone) finish(await creation.createAlone());
    else {
      const create = async (connection: Queryable) => finish(await creation.create(connection));
      await inSlot(() => (creation.needsTransaction ? transaction(database.pool, create) : create(database.pool)));
    }
  } else {
    const fingerprint = (keyedHash: KeyedHash) => requestFingerprint(req.method, req.path, body, keyedHash);
    const request = {
      accountId: caller.accountId,
      key,
      fingerprint: fingerprint(encryptor.keyedHash),
      previousFingerprint: encryptor.previousKeyedHash && fingerprint(encryptor.previousKeyedHash),
    };
    const attempt = async () => {
      const stored = await findResponse(database.pool, request);
      if (stored) return stored;
      await creation.check?.();
      if (!('slice' in creation)) {
        return inSlot(() =>
          runIdempotently(database.pool, request, async (connection) => finish(await creation.create(connection))),
        );
      }
      const slice = async (connection: Queryable, progress: Progress) => {
        const next = await creation.slice(connection, progress);
        return { progress: next.progress, response: next.created === null ? null : finish(next.created) };
      };
      for (;;) {
        const done = await inSlot(() => runSliceIdempotently(database.pool, request, creation.first, slice));
        if (done !== 'more') return done;
      }
    };
    const outcome = await admission.run('idempotencyKey', `${caller.accountId} ${key}`, () => untilFree(attempt));
    if (outcome.outcome === 'conflict') {
      throw new ApiError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request within 24 hours.');
    }
    if (outcome.outcome === 'replayed') {
      res.setHeader('Idempotency-Replayed', 'true');
      facts.replayed = true;
      return { replayed: true, response: outcome.response };
    }
  }
  if (!result) throw new Error('the transaction ended without creating anything');
  return result;
}

/** Repeats `attempt` while another gateway runs a request with the same key. No slot or connection is held between attempts. */
async function untilFree(attempt: () => Promise<IdempotencyResult | null>): Promise<IdempotencyResult> {
  const startedAt = performance.now();
  for (let pauseMs = otherGateway.firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, otherGateway.longestPauseMs)) {
    const result = await attempt();
    if (result) return result;
    if (performance.now() - startedAt > otherGateway.withinMs) {
      throw new ApiError('OVERLOADED', 'A request with this Idempotency-Key is still in progress.', { retryAfterS: 5 });
    }
    await sleep(pauseMs);
  }
}

function idempotencyKeyOf({ req }: KeyExchange): string | null {
  const key = req.get('Idempotency-Key');
  if (key === undefined) return null;
  if (key === '' || key.length > maxKeyLength) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: `must be 1 to ${maxKeyLength} characters` }]);
  }
  return key;
}
