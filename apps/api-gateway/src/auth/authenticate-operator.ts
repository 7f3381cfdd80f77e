import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@capture/contract/errors';
import { holdsOperatorSession } from '@capture/database/accounts/sessions';
import type { Dependencies } from '../dependencies.ts';
import type { Exchange } from '../http/exchange.ts';
import { bearerOf } from './authenticate.ts';
import { refusedKey } from './refused-key.ts';
import { keepToOwnPage, sessionOfRequest, triesSession } from './session-of-request.ts';

type OperatorDependencies = Pick<Dependencies, 'operatorKey' | 'database' | 'sessionTokens' | 'links' | 'keyFailures'>;

/**
 * @throws {ApiError} `UNAUTHORIZED` unless the request carries the operator's key, or a session stands in for it;
 * `RATE_LIMITED` after many that did not.
 */
export async function authenticateOperator(dependencies: OperatorDependencies, exchange: Exchange): Promise<void> {
  const { req } = exchange;
  const given = bearerOf(req.headers);
  if (given !== null && isOperatorKey(given, dependencies.operatorKey)) return;
  if (await isOperatorSession(dependencies, exchange)) return;
  const error = new ApiError('UNAUTHORIZED', 'The operator key is needed, as Authorization: Bearer.');
  const tries = given !== null || triesSession(dependencies, req);
  throw tries ? await refusedKey(dependencies, exchange, error) : error;
}

async function isOperatorSession(dependencies: OperatorDependencies, { req, res, facts }: Exchange): Promise<boolean> {
  const claims = sessionOfRequest(dependencies, req, false);
  if (claims?.keyId !== null) return false;
  const operatorFingerprint = fingerprintOf(dependencies.operatorKey);
  if (!(await holdsOperatorSession(dependencies.database.pool, { id: claims.sessionId, operatorFingerprint }))) {
    return false;
  }
  facts.session_id = claims.sessionId;
  keepToOwnPage(res);
  return true;
}

/** Hashes have one length, so the comparison takes one time whatever was given. */
export function isOperatorKey(given: string, operatorKey: string): boolean {
  return timingSafeEqual(sha256(given), sha256(operatorKey));
}

/** What a session of the operator is held against: with another key it is over. */
export function fingerprintOf(operatorKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', operatorKey, '', 'capture-platform operator sessions', 32));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
