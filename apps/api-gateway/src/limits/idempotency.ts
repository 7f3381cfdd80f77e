import { ApiError, invalidRequest } from '@capture/contract/errors';
import { requestFingerprint, type StandIn } from '@capture/contract/options/fingerprint';
import { type Queryable, transaction } from '@capture/database/database';
import { findResponse, type MadeResponse, type Remembered, storeResponse } from '@capture/database/idempotency';
import type { Dependencies } from '../dependencies.ts';
import type { KeyExchange } from '../http/exchange.ts';

/** A published limit. */
const longestKey = 255;

/** What a request makes, and how it is made. `answer` is the body of an acceptance; a capture's own end has none. */
export interface Making<Made> {
  /** What may refuse it before it is made; a request that comes again is not asked. */
  check?(): Promise<void>;
  /** Whether `make` takes more than one statement; with an `Idempotency-Key` it runs in a transaction anyway. */
  needsTransaction: boolean;
  make(connection: Queryable): Promise<Made>;
  /** How it is made where there is no `Idempotency-Key`, if then it may take several transactions. */
  makeAlone?(): Promise<Made>;
  /** What is remembered of what was made. */
  remember(made: Made): MadeResponse;
}

export type Once<Made> =
  | { replayed: false; made: Made; answer: MadeResponse }
  | { replayed: true; answer: MadeResponse };

/**
 * Makes something, and only once for an `Idempotency-Key`: a request that comes again with the same
 * body is told what the first one made, for no token and no quota.
 *
 * @param body the request as it was understood; another one under the same key is refused.
 * @throws {ApiError} `IDEMPOTENCY_CONFLICT`, and what making it throws; then nothing was made or remembered.
 */
export async function once<Made>(
  { database, encryptor }: Pick<Dependencies, 'database' | 'encryptor'>,
  exchange: KeyExchange,
  body: unknown,
  making: Making<Made>,
): Promise<Once<Made>> {
  const { req, res, caller, facts } = exchange;
  const key = req.method === 'POST' ? idempotencyKeyOf(exchange) : null;
  let made: { value: Made; answer: MadeResponse } | undefined;
  const note = (value: Made) => {
    made = { value, answer: making.remember(value) };
    return made.answer;
  };
  const run = async (connection: Queryable) => note(await making.make(connection));
  if (key === null) {
    await making.check?.();
    if (making.makeAlone) note(await making.makeAlone());
    else await (making.needsTransaction ? transaction(database.pool, run) : run(database.pool));
  } else {
    const fingerprint = (standIn: StandIn) => requestFingerprint(req.method, req.path, body, standIn);
    const request = {
      accountId: caller.accountId,
      key,
      fingerprint: fingerprint(encryptor.standIn),
      formerFingerprint: encryptor.formerStandIn && fingerprint(encryptor.formerStandIn),
    };
    const known = await findResponse(database.pool, request);
    if (!known) await making.check?.();
    const remembered: Remembered = known ?? (await storeResponse(database.pool, request, run));
    if (remembered.outcome === 'conflict') {
      throw new ApiError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used for another request within 24 hours.');
    }
    if (remembered.outcome === 'replayed') {
      res.setHeader('Idempotency-Replayed', 'true');
      facts.replayed = true;
      return { replayed: true, answer: remembered.made };
    }
  }
  if (!made) throw new Error('the transaction ended without what it was to make');
  return { replayed: false, made: made.value, answer: made.answer };
}

function idempotencyKeyOf({ req }: KeyExchange): string | null {
  const key = req.get('Idempotency-Key');
  if (key === undefined) return null;
  if (key === '' || key.length > longestKey) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: `must be 1 to ${longestKey} characters` }]);
  }
  return key;
}
