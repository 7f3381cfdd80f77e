import type { Response } from 'express';
import type { Admission, Limited } from './admission.ts';

/** A smaller response fits into the buffers of its socket, bytes. */
const smallBytes = 64 * 1024;

/**
 * Waits for one of the account's slots, and releases it when the client has read the response or is disconnected: until then
 * the response is in memory. Does not wait for a client that has already read the response or disconnected.
 *
 * @throws {ApiError} `RATE_LIMITED` if too much work of the account waits already.
 */
export async function holdUntilRead(
  admission: Admission,
  limited: Extract<Limited, 'unreadResponse' | 'agentResult'>,
  accountId: string,
  res: Response,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (res.closed) resolve();
    else res.once('close', () => resolve());
  });
  const taken = admission.take(limited, accountId);
  taken.then(
    (release) => closed.then(release),
    () => {},
  );
  await Promise.race([taken, closed]);
}

/** Does the same for a large JSON response that was sent at once. */
export async function holdLargeUntilRead(admission: Admission, accountId: string, res: Response): Promise<void> {
  if (res.closed || Number(res.getHeader('Content-Length') ?? 0) <= smallBytes) return;
  if (/json/.test(String(res.getHeader('Content-Type'))))
    await holdUntilRead(admission, 'unreadResponse', accountId, res);
}
