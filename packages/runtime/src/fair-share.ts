/**
 * The fairness of the platform, in one rule: the next turn is that of the owner that has the least in progress, and among
 * equals that of the owner whose last turn is the longest ago. So owners share what is scarce equally, and what one of them
 * does not need goes to the others (max-min fairness).
 *
 * Accounts that wait for pages of the workers (`choose-captures.ts`), accounts that wait for slots of the dispatchers
 * (`share-slots.ts`), and the owners of a `FairShare` take turns by this rule. The statements of Postgres that read only the
 * first of many accounts or receivers (`schedule-captures.ts`, `lock-due-receivers.ts`) let them take turns, too.
 *
 * @param owners those that have work waiting and may have more in progress.
 * @param lastTurn grows from turn to turn.
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
  /** Work of all owners in progress at once; unlimited by default. */
  atOnce?: number;
  /** The same of one owner; unlimited by default. */
  perOwner?: number;
}

interface Owner {
  running: number;
  perOwner: number;
  /** When its last work ended, or when it came. */
  lastTurn: number;
  /** Starts each work that waits, the oldest first. */
  readonly waiting: Set<() => void>;
}

/**
 * Bounds how much work of each owner is in progress in this process, and of all owners together. Owners take turns; the work
 * of one owner starts in the order of its arrival. An owner never has more in progress than the others have left free: so a
 * few that hang cannot take everything, and the last slot goes to an owner that has none.
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

  /** How much work of the owner waits for a slot. */
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

  /** A new owner comes after those that wait already. */
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
