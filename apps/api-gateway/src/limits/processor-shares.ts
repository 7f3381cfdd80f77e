import { readFileSync } from 'node:fs';

/** Bounds the processor time of each account in this process while there are too few processors. */
export interface ProcessorShares {
  /** A request of the account is handled from now on. The caller must call the result when that ends, once. */
  use(accountId: string): () => void;
  /** How long the account's next request must wait, milliseconds; ask again after `lookEveryMs`. 0 if it may start. */
  restMs(accountId: string): number;
}

/** What this process has had so far, milliseconds. */
export interface ProcessorTime {
  /** On processors, by all of its threads. */
  ranMs: number;
  /** In which its main thread could have run, but waited for a processor. */
  waitedMs: number;
}

/** Between two looks at the processor time, milliseconds. */
export const lookEveryMs = 100;

/**
 * There are too few processors when the main thread waits for one for more than this share of the time. On two cores it
 * waits for 1 to 3 % while pages are rendered, and for 20 to 40 % beside an account that sends as much as it can.
 */
const waitsAtMost = 0.1;

/** Over how long this share is averaged, milliseconds. */
const averagedOverMs = 500;

/**
 * What an account may use of a processor then, while others send requests. A capture takes 4 ms and a look-up 2: on each
 * gateway an account still creates 25 captures a second, more than the largest plan allows.
 */
const share = 0.1;

/** What it may use at once, and what it may owe at most: two batches of 1,000, and a rest of 5 s. */
const burstMs = 200;
const debtMs = 500;

/** How long an account counts as sending requests after its last one, milliseconds. */
const presentForMs = 5_000;

interface Account {
  /** Requests that are handled. */
  requests: number;
  /** How long requests have been handled since the last look, added up, milliseconds. */
  handledMs: number;
  /** Until when `handledMs` counts. */
  countedAt: number;
  /** When a request of the account last started or ended. */
  seenAt: number;
  /** Processor time that it may use before it rests, milliseconds. Negative: it rests. */
  budgetMs: number;
}

/**
 * Divides the processor time between two looks among the accounts, by how long their requests were handled. While requests
 * wait for a slow database, the process uses little time, and the accounts are charged little.
 */
export class MeasuredShares implements ProcessorShares {
  readonly #accounts = new Map<string, Account>();
  readonly #read: () => ProcessorTime;
  readonly #now: () => number;
  #last: ProcessorTime & { at: number };
  /** The share of the time in which the main thread waits for a processor. */
  #waits = 0;

  constructor(read = readProcessorTime, now = () => performance.now()) {
    this.#read = read;
    this.#now = now;
    this.#last = { at: now(), ...read() };
  }

  use(accountId: string): () => void {
    const now = this.#now();
    const fresh = { requests: 0, handledMs: 0, countedAt: now, seenAt: now, budgetMs: burstMs };
    const account: Account = this.#accounts.get(accountId) ?? fresh;
    this.#accounts.set(accountId, account);
    const change = (by: number) => {
      this.#count(account);
      account.requests += by;
      account.seenAt = account.countedAt;
    };
    change(1);
    return () => change(-1);
  }

  restMs(accountId: string): number {
    const budgetMs = this.#accounts.get(accountId)?.budgetMs ?? burstMs;
    if (budgetMs >= 0 || this.#waits <= waitsAtMost || this.#isAlone(accountId)) return 0;
    return -budgetMs / share;
  }

  /** To be called every `lookEveryMs`. */
  look(): void {
    const last = this.#last;
    const now = { at: this.#now(), ...this.#read() };
    this.#last = now;
    const elapsedMs = Math.max(1, now.at - last.at);
    const waits = (now.waitedMs - last.waitedMs) / elapsedMs;
    this.#waits += (waits - this.#waits) * Math.min(1, elapsedMs / averagedOverMs);

    for (const account of this.#accounts.values()) this.#count(account);
    const handledMs = [...this.#accounts.values()].reduce((sum, account) => sum + account.handledMs, 0);
    const perHandledMs = handledMs === 0 ? 0 : Math.min(1, (now.ranMs - last.ranMs) / handledMs);
    for (const [accountId, account] of this.#accounts) {
      const budgetMs = account.budgetMs + elapsedMs * share - account.handledMs * perHandledMs;
      account.budgetMs = Math.max(-debtMs, Math.min(burstMs, budgetMs));
      account.handledMs = 0;
      if (!this.#isPresent(account) && account.budgetMs === burstMs) this.#accounts.delete(accountId);
    }
  }

  #count(account: Account): void {
    const now = this.#now();
    account.handledMs += account.requests * (now - account.countedAt);
    account.countedAt = now;
  }

  #isAlone(accountId: string): boolean {
    return [...this.#accounts].every(([id, account]) => id === accountId || !this.#isPresent(account));
  }

  #isPresent({ requests, seenAt }: Account): boolean {
    return requests > 0 || this.#now() - seenAt <= presentForMs;
  }
}

/** The times since the process started. Only Linux says how long a thread has waited. */
export function readProcessorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return { ranMs: (user + system) / 1e3, waitedMs: readWaitedMs() };
}

function readWaitedMs(): number {
  try {
    // Nanoseconds on a processor, nanoseconds waiting for one, turns: of the main thread.
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
