import type { Address, Resolve } from './look-up.ts';

export interface MemoryBounds {
  /** rejects the look-ups that have not started yet */
  signal?: AbortSignal;
  /**
   * names that are looked up; further ones are rejected. Default 1,000: the largest pages use about 200 hosts, and a page
   * may have a connection to each of 5,000.
   */
  names?: number;
  /**
   * lookups at once; default 6. The system's resolver blocks a thread of Node's pool for each, so a page with hundreds of
   * dead hosts would otherwise stall the lookups of all other captures.
   */
  atOnce?: number;
}

/**
 * A resolver that looks up each name once and then returns the same result, or failure. So a page's connections to a host
 * cost one lookup, and all use the same checked addresses.
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
