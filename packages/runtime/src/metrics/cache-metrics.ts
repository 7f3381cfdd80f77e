import { Counter, type Registry } from './metrics.ts';

/** The requests that may need no render: render links, and captures with `cache_ttl_s`. */
export type CacheUser = 'link' | 'cache_ttl_s';

/** `hit`: a stored file was used; `joined`: the request waited for the render of an equal capture; `render`: a render was needed. */
export type CacheResult = 'hit' | 'joined' | 'render';

const users: readonly CacheUser[] = ['link', 'cache_ttl_s'];
const results: readonly CacheResult[] = ['hit', 'joined', 'render'];

/** The number of uses since the process started. */
export interface CacheUses {
  /** The uses that did not cause a render. */
  hits: number;
  renders: number;
}

/** Counts how often a render was saved. */
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
