import { ApiError } from '@capture/contract/errors';
import { lookEveryMs, type Rests } from '@capture/runtime/rests';
import type { Exchange } from '../http/exchange.ts';

/** Bounds how much work of one account this process does at once. The rest of its work waits, and delays no other account. */
export interface AccountSlots {
  /**
   * Waits for a free slot. The caller must release it, once.
   *
   * @throws {ApiError} `RATE_LIMITED` if too much work of the account waits already.
   */
  take(accountId: string): Promise<() => void>;
  /** Runs `work` in a slot. */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Most work of one account that waits for a slot: the largest burst of a plan, whose requests must not be refused. What
 * waits holds a socket and a body of up to 64 kB (more only in one of the slots for large bodies).
 */
const waitingAtMost = 1_000;

/** A client that sends this much at once is not slowed down by a second. */
const retryAfterS = 1;

/** Requests of one account that are handled at once: fewer than half of the connections, so that others never wait for one. */
const requestsAtOnce = 8;

/** Requests of an account, from their parsed body until they only wait, and look-ups until their response. */
export const createRequestSlots = (rests: Rests) => createAccountSlots(requestsAtOnce, waitingAtMost, rests);

/**
 * Requests without a key for the links of one account, and for one file, that are handled at once. The account's own
 * requests have slots of their own: they do not wait for those who view its pages.
 */
export const createViewerSlots = () => createAccountSlots(4);

/** Large bodies of one client that are held before it is known whose they are: 8 of 5 MB are 40 MB. The rest stays in its socket. */
export const createUnknownBodySlots = () => createAccountSlots(8);

/**
 * Requests of one account that wait for their captures at once, repeated ones included: a quarter of what a process holds,
 * so that no account keeps those of others out. They wait long, so the others are refused.
 */
export const createWaitSlots = () => createAccountSlots(500, 0);

/**
 * Files of one account's captures that are loaded at once for results of agents: an image has up to 32 MB, and cutting it
 * into parts keeps a core busy. The others wait a moment: nothing in such a slot waits for a capture or a client.
 */
export const createAgentFileSlots = () => createAccountSlots(2);

/**
 * Files that are sent at once to those who have links of one account, and as many to its own requests for captures. A
 * client may read slowly, and a process has 1,000 connections to a bucket.
 */
export const createDownloadSlots = () => createAccountSlots(250);

/** Archives of batches that one account downloads at once. A client may read slowly, so the others are refused instead of waiting. */
export const createArchiveSlots = () => createAccountSlots(8, 0);

/**
 * @param slots how much work of one account runs at once.
 * @param waiters how much of it waits; more is refused.
 * @param rests lets the work of an account rest; without it, work waits for slots only.
 */
export function createAccountSlots(
  slots: number,
  waiters = waitingAtMost,
  rests?: Pick<Rests, 'restMs'>,
): AccountSlots {
  /** By account; no entry for an account without work. Waiters start in the order of their arrival. */
  const accounts = new Map<string, { running: number; waiting: (() => void)[]; rest?: NodeJS.Timeout }>();

  function startWaiting(accountId: string): void {
    const account = accounts.get(accountId);
    if (!account) return;
    clearTimeout(account.rest);
    while (account.running < slots && account.waiting.length > 0) {
      if (rests && rests.restMs(accountId) > 0) {
        account.rest = setTimeout(() => startWaiting(accountId), lookEveryMs);
        return;
      }
      account.running += 1;
      account.waiting.shift()?.();
    }
    if (account.running === 0) accounts.delete(accountId);
  }

  async function take(accountId: string): Promise<() => void> {
    const account = accounts.get(accountId) ?? { running: 0, waiting: [] };
    if (account.running + account.waiting.length >= slots + waiters) {
      throw new ApiError('RATE_LIMITED', 'Too many requests are in progress for this account or IP address.', {
        retryAfterS,
      });
    }
    accounts.set(accountId, account);
    await new Promise<void>((start) => {
      account.waiting.push(start);
      startWaiting(accountId);
    });
    return () => {
      account.running -= 1;
      startWaiting(accountId);
    };
  }

  return {
    take,
    async run(accountId, work) {
      const release = await take(accountId);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** Waits for one of the account's slots, which is released with the others that the request has. */
export async function holdSlot(slots: AccountSlots, accountId: string, exchange: Pick<Exchange, 'onlyWaits'>) {
  const releaseOthers = exchange.onlyWaits;
  let release: (() => void) | undefined = await slots.take(accountId);
  exchange.onlyWaits = () => {
    release?.();
    release = undefined;
    releaseOthers();
  };
}
