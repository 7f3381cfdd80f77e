import type { Address, Resolve } from './look-up.ts';

export interface MemoryBounds {
  /** how many names are remembered; further ones are asked each time. Default 512: the richest pages use about 200 hosts */
  names?: number;
  /**
   * how many names are asked at once; default 6. The system's resolver blocks a thread of Node's pool for each, so a page
   * that names hundreds of dead hosts would otherwise stall every other capture's look-ups.
   */
  atOnce?: number;
}

/**
 * A resolver that asks for each name once and gives the same answer, or failure, from then on. A page's many connections
 * to a host then cost one look-up and all lead to the same judged addresses.
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
      // The place is handed over, not freed: a newcomer must not slip in between.
      if (next) next();
      else running -= 1;
    }
  }

  return (hostname) => {
    const answer = known.get(hostname) ?? ask(hostname);
    if (known.size < names) known.set(hostname, answer);
    return answer;
  };
}
