import type { Address, Resolve } from './look-up.ts';

export interface MemoryBounds {
  /** how many names are cached; others are looked up each time. Default 512: the largest pages use about 200 hosts */
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
export function rememberLookups(resolve: Resolve, { names = 512, atOnce = 6 }: MemoryBounds = {}): Resolve {
  const known = new Map<string, Promise<readonly Address[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function ask(hostname: string): Promise<readonly Address[]> {
    if (running >= atOnce) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await resolve(hostname);
    } finally {
      const next = waiting.shift();
      // The slot is handed over, not released: a new call must not take it in between.
      if (next) next();
      else running -= 1;
    }
  }

  return (hostname) => {
    const addresses = known.get(hostname) ?? ask(hostname);
    if (known.size < names) known.set(hostname, addresses);
    return addresses;
  };
}
