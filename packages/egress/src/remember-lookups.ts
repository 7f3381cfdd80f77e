import type { Address, Resolve } from './look-up.ts';

export interface MemoryBounds {
  /** Rejects the look-ups that have not started. */
  signal?: AbortSignal;
  /**
   * The most names that are looked up; further names are rejected. The default is 1,000: the largest pages use about 200 hosts,
   * and a hostile page may connect to 5,000.
   */
  names?: number;
  /**
   * The most concurrent look-ups; 6 by default. The system's resolver blocks a thread of Node's pool for each, so a page with
   * hundreds of dead hosts would otherwise stall the look-ups of all other captures.
   */
  atOnce?: number;
}

/**
 * Returns a resolver that looks up each name once and then returns the same result or failure. All connections of a page to a
 * host therefore cost one look-up and use the same checked addresses.
 */
export function rememberLookups(resolve: Resolve, { signal, names = 1_000, atOnce = 6 }: MemoryBounds = {}): Resolve {
  const known = new Map<string, Promise<readonly Address[]>>();
  const asker = { owner: known, most: atOnce, ...(signal && { signal }) };

  return async (hostname) => {
    let addresses = known.get(hostname);
    if (!addresses) {
      if (known.size >= names) throw new Error('The page has looked up too many names.');
      addresses = resolve(hostname, asker);
      known.set(hostname, addresses);
    }
    return addresses;
  };
}
