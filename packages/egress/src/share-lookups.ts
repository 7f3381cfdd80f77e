/** For whom a name is looked up. */
export interface Asker {
  /** a capture or an account; without one the look-up starts at once, and nothing bounds it */
  owner?: unknown;
  /** the owner's look-ups at once; unlimited if omitted */
  most?: number;
  /** rejects the look-up if it has not started yet */
  signal?: AbortSignal;
}

interface Owner {
  running: number;
  most: number;
  /** starts each look-up, the oldest first */
  readonly waiting: Set<() => void>;
}

/**
 * Bounds the look-ups that all owners run at once, and shares them. The system's resolver holds a thread for each, for 10 s
 * and more if a name server does not respond, and no look-up that has started can be stopped.
 *
 * The next to start is one of the owner that runs fewest, in turn. An owner never runs more than the others have left free:
 * so a few with dead names cannot take everything, and the last thread goes to one that has none.
 */
export function shareLookups<Result>(
  lookUp: (hostname: string) => Promise<Result>,
  { atOnce }: { atOnce: number },
): (hostname: string, asker?: Asker) => Promise<Result> {
  /** Those that have look-ups; the one whose look-up ended last is at the end. */
  const owners = new Map<unknown, Owner>();
  let running = 0;

  function startAll(): void {
    for (let next = nextOwner(); next; next = nextOwner()) {
      const [start] = next.waiting;
      if (!start) return;
      next.waiting.delete(start);
      next.running += 1;
      running += 1;
      start();
    }
  }

  function nextOwner(): Owner | undefined {
    let next: Owner | undefined;
    for (const owner of owners.values()) {
      if (owner.waiting.size === 0 || owner.running >= Math.min(owner.most, atOnce - running)) continue;
      if (!next || owner.running < next.running) next = owner;
    }
    return next;
  }

  function waitForTurn(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        owner.waiting.delete(start);
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      owner.waiting.add(start);
      signal?.addEventListener('abort', leave, { once: true });
      startAll();
    });
  }

  return async (hostname, { owner: key, most = Number.POSITIVE_INFINITY, signal } = {}) => {
    if (key === undefined) return lookUp(hostname);
    const owner = owners.get(key) ?? { running: 0, most, waiting: new Set() };
    owners.set(key, owner);
    try {
      await waitForTurn(owner, signal);
      try {
        return await lookUp(hostname);
      } finally {
        owner.running -= 1;
        running -= 1;
        owners.delete(key);
        owners.set(key, owner);
        startAll();
      }
    } finally {
      if (owner.running === 0 && owner.waiting.size === 0 && owners.get(key) === owner) owners.delete(key);
    }
  };
}
