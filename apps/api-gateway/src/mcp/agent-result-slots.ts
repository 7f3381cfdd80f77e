import type { Response } from 'express';
import { type AccountSlots, createAccountSlots } from '../limits/account-slots.ts';

/**
 * Results with files that the agents of one account have not read yet, at most. Each takes some 10 MB until its client has
 * read it, or is disconnected because it reads too slowly. The others wait before they load their files.
 */
export const unreadResultsAtOnce = 16;

export const createAgentResultSlots = () => createAccountSlots(unreadResultsAtOnce);

/** Waits for one of the account's slots, which is released when the client has read the response or has gone. */
export async function holdUntilRead(slots: AccountSlots, accountId: string, res: Response): Promise<void> {
  const release = await slots.take(accountId);
  if (res.closed) release();
  else res.once('close', release);
}
