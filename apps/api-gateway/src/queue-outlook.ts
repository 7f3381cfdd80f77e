import type { Queryable } from '@capture/database/database';
import { type QueueState, readQueueState } from '@capture/database/read-outlook';
import { coalesce } from '@capture/runtime/coalesce';

/** How long what was read of the queue is good for, milliseconds. */
const freshMs = 500;

/** What a capture takes when none has ended lately, milliseconds: an ordinary page. */
const usualDurationMs = 1_500;

/** What a capture that comes in now has before it. */
export interface Outlook {
  /** Captures that are taken before it, if nothing else comes in. */
  position: number;
  /** Milliseconds until a worker takes it, from what the last captures took; null while there is no worker. */
  waitMs: number | null;
  /** Milliseconds until it is likely to have ended. */
  etaMs: number | null;
}

/** Tells captures how long their turn will take to come, from one look at the queue twice a second at most. */
export class QueueOutlook {
  readonly #refresh: () => Promise<void>;
  #state: QueueState | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Captures that came in since that look, by account. */
  #cameIn = new Map<string, number>();

  constructor(database: Queryable) {
    this.#refresh = coalesce(async () => {
      this.#state = await readQueueState(database);
      this.#readAt = performance.now();
      this.#cameIn = new Map();
    });
  }

  /** The outlook of an account's next single capture. */
  async next(accountId: string): Promise<Outlook> {
    if (performance.now() - this.#readAt > freshMs) await this.#refresh();
    if (!this.#state) throw new Error('the state of the queue was never read');
    return outlookOf(this.#state, accountId, this.#cameIn);
  }

  /** A capture of this account was recorded. */
  note(accountId: string): void {
    this.#cameIn.set(accountId, (this.#cameIn.get(accountId) ?? 0) + 1);
  }
}

/**
 * Accounts take turns, so before an account's nth capture there are at most n of every other account; batch items take a
 * quarter of the places while any wait.
 */
export function outlookOf(
  state: QueueState,
  accountId: string,
  cameIn: ReadonlyMap<string, number> = new Map(),
): Outlook {
  const counts = new Map(state.waiting);
  for (const [account, count] of cameIn) counts.set(account, (counts.get(account) ?? 0) + count);
  const own = counts.get(accountId) ?? 0;
  let singles = own;
  for (const [account, count] of counts) if (account !== accountId) singles += Math.min(count, own + 1);
  const position = state.enqueued + singles + (state.itemsWait ? Math.floor(singles / 3) : 0);
  const duration = state.meanDurationMs ?? usualDurationMs;
  if (state.pages === 0) return { position, waitMs: null, etaMs: null };
  const waitMs = Math.ceil((position / state.pages) * duration);
  return { position, waitMs, etaMs: waitMs + Math.ceil(duration) };
}

/** Whole seconds that somebody is told to wait who cannot be served now, within bounds that a client can work with. */
export function retryAfterS(outlook: Outlook, patienceMs: number): number {
  const overMs = outlook.waitMs === null ? patienceMs : outlook.waitMs - patienceMs;
  return Math.min(300, Math.max(1, Math.ceil(overMs / 1_000)));
}
