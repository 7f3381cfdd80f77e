import { Counter, type Registry } from './metrics.ts';

/** What may need no render: render links, and captures with `cache_ttl_s`. */
export type CacheUser = 'link' | 'cache_ttl_s';

/** A stored file was used; the render of an equal capture was waited for; or a render was needed. */
export type CacheResult = 'hit' | 'joined' | 'render';

const users: readonly CacheUser[] = ['link', 'cache_ttl_s'];
const results: readonly CacheResult[] = ['hit', 'joined', 'render'];

/** Uses since the process started. */
export interface CacheUses {
  /** Without a render of their own. */
  hits: number;
  renders: number;
}

/** Counts how often renders were saved. */
export function countCacheResults(registry: Registry) {
  const total = new Counter({
    name: 'capture_cache_results_total',
    help: 'Uses of render links and captures with cache_ttl_s: with a stored file, with the render of an equal one, or with a render.',
    labelNames: ['user', 'result'],
    registers: [registry],
  });
  for (const user of users) for (const result of results) total.inc({ user, result }, 0);
  const uses: CacheUses = { hits: 0, renders: 0 };
  return {
    note(user: CacheUser, result: CacheResult): void {
      total.inc({ user, result });
      if (result === 'render') uses.renders += 1;
      else uses.hits += 1;
    },
    uses: (): CacheUses => ({ ...uses }),
  };
}

export type CacheResults = ReturnType<typeof countCacheResults>;
