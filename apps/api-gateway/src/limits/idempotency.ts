import { ApiError, invalidRequest } from '@capture/contract/errors';
import { type KeyedHash, requestFingerprint } from '@capture/contract/options/fingerprint';
import { type Database, type Queryable, transaction } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import {
  findResponse,
  type IdempotencyResult,
  runIdempotently,
  type StoredResponse,
} from '@capture/database/idempotency';
import type { KeyExchange } from '../http/exchange.ts';

/** Longest `Idempotency-Key`, characters: the contract's figure. */
const maxKeyLength = 255;

interface IdempotencyDependencies {
  database: Database;
  encryptor: Encryptor;
}

/** How a request creates something, and the response to store for its `Idempotency-Key`. */
export interface Creation<Created> {
  /** Throws to refuse the request before anything is created. A replayed request skips it. */
  check?(): Promise<void>;
  /** Whether `create` runs several statements. With an `Idempotency-Key` it runs in a transaction anyway. */
  needsTransaction: boolean;
  create(connection: Queryable): Promise<Created>;
  /** Replaces `create` without an `Idempotency-Key`, where it may then take several transactions. */
  createAlone?(): Promise<Created>;
  /** The body of an acceptance, or the id of the capture whose outcome is the response. */
  responseOf(created: Created): StoredResponse;
}

export type CreationResult<Created> =
  | { replayed: false; created: Created; response: StoredResponse }
  | { replayed: true; response: StoredResponse };

/**
 * Creates something once per `Idempotency-Key`: a repeated request with the same body gets the response of the first one
 * and costs neither a token nor quota.
 *
 * @param body the parsed request; a different one under the same key is refused.
 * @throws {ApiError} `IDEMPOTENCY_CONFLICT`, and whatever `creation` throws; then nothing was created or stored.
 */
export async function createIdempotently<Created>(
  dependencies: IdempotencyDependencies,
  exchange: KeyExchange,
  body: unknown,
  creation: Creation<Created>,
): Promise<CreationResult<Created>> {
  try {
    return await createOrReplay(dependencies, exchange, body, creation);
  } finally {
    exchange.bodyDone();
  }
}

async function createOrReplay<Created>(
  { database, encryptor }: IdempotencyDependencies,
  exchange: KeyExchange,
  body: unknown,
  creation: Creation<Created>,
): Promise<CreationResult<Created>> {
  const { req, res, caller, facts } = exchange;
  const key = req.method === 'POST' ? idempotencyKeyOf(exchange) : null;
  let result: CreationResult<Created> | undefined;
  const finish = (created: Created) => {
    const response = creation.responseOf(created);
    result = { replayed: false, created, response };
    return response;
  };
  const create = async (connection: Queryable) => finish(await creation.create(connection));
  if (key === null) {
    await creation.check?.();
    if (creation.createAlone) finish(await creation.createAlone());
    else await (creation.needsTransaction ? transaction(database.pool, create) : create(database.pool));
  } else {
    const fingerprint = (keyedHash: KeyedHash) => requestFingerprint(req.method, req.path, body, keyedHash);
    const request = {
      accountId: caller.accountId,
      key,
      fingerprint: fingerprint(encryptor.keyedHash),
      previousFingerprint: encryptor.previousKeyedHash && fingerprint(encryptor.previousKeyedHash),
    };
    const stored = await findResponse(database.pool, request);
    if (!stored) await creation.check?.();
    const outcome: IdempotencyResult = stored ?? (await runIdempotently(database.pool, request, create));
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

function idempotencyKeyOf({ req }: KeyExchange): string | null {
  const key = req.get('Idempotency-Key');
  if (key === undefined) return null;
  if (key === '' || key.length > maxKeyLength) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: `must be 1 to ${maxKeyLength} characters` }]);
  }
  return key;
}
