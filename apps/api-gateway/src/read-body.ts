import { ApiError } from '@capture/contract/errors';
import express, { type Request, type Response } from 'express';

/** The published limit of a body. */
const largestBody = '5mb';

const parseJson = express.json({ limit: largestBody, type: 'application/json', strict: false });

/**
 * Reads a JSON body into `req.body`; without a body that stays undefined.
 *
 * @throws {ApiError} `UNSUPPORTED_MEDIA_TYPE` for a body that is not said to be JSON; what the parser throws is told
 * apart in `errors.ts`.
 */
export async function readJsonBody(req: Request, res: Response): Promise<void> {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  if (!req.is('application/json')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON, with Content-Type: application/json.');
  }
  await new Promise<void>((resolve, reject) => {
    parseJson(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
