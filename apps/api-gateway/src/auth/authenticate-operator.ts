import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@capture/contract/errors';
import { holdsOperatorSession } from '@capture/database/accounts/sessions';
import type { Database } from '@capture/database/database';
import type { Exchange } from '../http/exchange.ts';
import { bearerOf } from './authenticate.ts';
import { type RefusedKeyDependencies, refusedKey } from './refused-key.ts';
import { keepToOwnPage, type SessionDependencies, sessionOfRequest, triesSession } from './session-of-request.ts';

export interface OperatorDependencies extends SessionDependencies, RefusedKeyDependencies {
  operatorKey: string;
  database: Database;
}

/** @throws {ApiError} `UNAUTHORIZED` without the operator's key or session; `RATE_LIMITED` after many wrong keys. */
export async function authenticateOperator(dependencies: OperatorDependencies, exchange: Exchange): Promise<void> {
  const { req } = exchange;
  const key = bearerOf(req.headers);
  if (key !== null && isOperatorKey(key, dependencies.operatorKey)) return;
  if (await isOperatorSession(dependencies, exchange)) return;
  const error = new ApiError('UNAUTHORIZED', 'This path needs the operator key, as Authorization: Bearer.');
  const tries = key !== null || triesSession(dependencies, req);
  throw tries ? await refusedKey(dependencies, exchange, error) : error;
}

async function isOperatorSession(dependencies: OperatorDependencies, { req, res, facts }: Exchange): Promise<boolean> {
  const claims = sessionOfRequest(dependencies, req, false);
  if (claims?.of !== 'operator') return false;
  const operatorFingerprint = fingerprintOf(dependencies.operatorKey);
  if (!(await holdsOperatorSession(dependencies.database.pool, { id: claims.sessionId, operatorFingerprint }))) {
    return false;
  }
  facts.session_id = claims.sessionId;
  keepToOwnPage(res);
  return true;
}

/** Compares hashes, which have one length, so the comparison takes the same time for every input. */
export function isOperatorKey(key: string, operatorKey: string): boolean {
  return timingSafeEqual(sha256(key), sha256(operatorKey));
}

/** Binds an operator's session to the operator key: changing the key ends the session. */
export function fingerprintOf(operatorKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', operatorKey, '', 'capture-platform operator sessions', 32));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
