/**
 * The rule by which the platform shares fairly: the next turn goes to the owner with the least work in progress, and among
 * equals to the owner whose last turn is the longest ago. So owners share equally, and the share that an owner does not need
 * goes to other owners (max-min fairness).
 *
 * Accounts that wait for pages of the workers (`choose-captures.ts`) or for slots of the dispatchers (`share-slots.ts`), and the
 * owners of a `FairShare` take turns by this rule. Two statements of Postgres read only the first of many accounts or receivers
 * (`schedule-captures.ts`, `lock-due-receivers.ts`), in turn.
 *
 * @param owners the owners that have work waiting and may have more in progress.
 * @param lastTurn a number that grows from turn to turn.
 */
export function nextInTurn<Owner>(
  owners: Iterable<Owner>,
  inProgress: (owner: Owner) => number,
  lastTurn: (owner: Owner) => number,
): Owner | undefined {
  let next: Owner | undefined;
  for (const owner of owners) {
    const difference =
      next === undefined ? -1 : inProgress(owner) - inProgress(next) || lastTurn(owner) - lastTurn(next);
    if (difference < 0) next = owner;
  }
  return next;
}

export interface FairShareOptions {
  /** How much work of all owners may be in progress; unlimited by default. */
  atOnce?: number;
  /** How much work of one owner may be in progress; unlimited by default. */
  perOwner?: number;
}

interface Owner {
  running: number;
  perOwner: number;
  /** When the owner's last work ended, or when the owner came. */
  lastTurn: number;
  /** Starts each waiting work, the oldest first. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how much work of each owner, and of all owners together, is in progress in this process. Owners take turns; the work of
 * one owner starts in the order of its arrival. An owner never has more in progress than the others have left free: a few owners
 * that hang cannot take everything, and the last slot goes to an owner that has none.
 */
export class FairShare<Key = string> {
  readonly #atOnce: number;
  readonly #perOwner: number;
  /** The owners that have work in progress or waiting. */
  readonly #owners = new Map<Key, Owner>();
  readonly #withWaiting = new Set<Owner>();
  #running = 0;
  #turns = 0;

  constructor({ atOnce = Number.POSITIVE_INFINITY, perOwner = Number.POSITIVE_INFINITY }: FairShareOptions) {
    this.#atOnce = atOnce;
    this.#perOwner = perOwner;
  }

  /** How much work of the owner is waiting for a slot. */
  waitingOf(key: Key): number {
    return this.#owners.get(key)?.waiting.size ?? 0;
  }

  /** Whether work of the owner would start at once. */
  hasRoomFor(key: Key): boolean {
    const owner = this.#owners.get(key) ?? { running: 0, perOwner: this.#perOwner };
    return this.waitingOf(key) === 0 && this.#mayRun(owner);
  }

  /**
   * Waits for a slot.
   *
   * @param options.perOwner how much of this owner's work may be in progress at once.
   * @param options.signal rejects with its reason if the work has not started yet.
   * @returns a function that releases the slot; further calls do nothing.
   */
  async take(key: Key, { perOwner, signal }: { perOwner?: number; signal?: AbortSignal } = {}): Promise<() => void> {
    const owner = this.#owners.get(key) ?? this.#newOwner(perOwner);
    this.#owners.set(key, owner);
    try {
      await this.#waitForTurn(owner, signal);
    } catch (error) {
      this.#forgetIfIdle(key, owner);
      throw error;
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      owner.running -= 1;
      owner.lastTurn = this.#nextTurn();
      this.#running -= 1;
      this.#forgetIfIdle(key, owner);
      this.#startAll();
    };
  }

  /** Runs the work in a slot, with the options of `take`. */
  async run<T>(key: Key, work: () => Promise<T>, options?: { perOwner?: number; signal?: AbortSignal }): Promise<T> {
    const release = await this.take(key, options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Adds an owner, whose turn comes after owners that are already waiting. */
  #newOwner(perOwner = this.#perOwner): Owner {
    return { running: 0, perOwner, lastTurn: this.#nextTurn(), waiting: new Set() };
  }

  #nextTurn(): number {
    this.#turns += 1;
    return this.#turns;
  }

  #mayRun({ running, perOwner }: Pick<Owner, 'running' | 'perOwner'>): boolean {
    return running < Math.min(perOwner, this.#atOnce - this.#running);
  }

  #waitForTurn(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#stopWaiting(owner, start);
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      owner.waiting.add(start);
      this.#withWaiting.add(owner);
      signal?.addEventListener('abort', leave, { once: true });
      this.#startAll();
    });
  }

  #startAll(): void {
    for (;;) {
      const next = nextInTurn(
        [...this.#withWaiting].filter((owner) => this.#mayRun(owner)),
        ({ running }) => running,
        ({ lastTurn }) => lastTurn,
      );
      const [start] = next?.waiting ?? [];
      if (!next || !start) return;
      this.#stopWaiting(next, start);
      next.running += 1;
      this.#running += 1;
      start();
    }
  }

  #stopWaiting(owner: Owner, start: () => void): void {
    owner.waiting.delete(start);
    if (owner.waiting.size === 0) this.#withWaiting.delete(owner);
  }

  #forgetIfIdle(key: Key, owner: Owner): void {
    if (owner.running === 0 && owner.waiting.size === 0 && this.#owners.get(key) === owner) this.#owners.delete(key);
  }
}
