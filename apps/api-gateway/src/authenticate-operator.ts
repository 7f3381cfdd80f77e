import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@capture/contract/errors';
import { bearerOf } from './authenticate.ts';
import type { Exchange } from './exchange.ts';

/** @throws {ApiError} `UNAUTHORIZED` unless the request carries the operator's key. */
export function authenticateOperator(operatorKey: string, { req }: Exchange): void {
  const given = bearerOf(req.headers);
  // Hashes have one length, so the comparison takes one time whatever was given.
  if (given === null || !timingSafeEqual(sha256(given), sha256(operatorKey))) {
    throw new ApiError('UNAUTHORIZED', 'The operator key is needed, as Authorization: Bearer.');
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
