import type { ChaosCase } from '../case.ts';
import { operatorCases } from '../operator/all.ts';
import { browserKills } from './captures/browser-kills.ts';
import { diskFull } from './captures/disk-full.ts';
import { hostilePageCaptures } from './captures/hostile-pages.ts';
import { orderlyStop } from './captures/orderly-stop.ts';
import { soak } from './captures/soak.ts';
import { workerKills } from './captures/worker-kills.ts';
import { migrateUnderLoad } from './database/migrate-under-load.ts';
import { postgresRestarts } from './database/postgres-restarts.ts';
import { postgresUnavailable } from './database/postgres-unavailable.ts';
import { retentionUnderLoad } from './database/retention-under-load.ts';
import { commitWithoutWake } from './deliveries/commit-without-wake.ts';
import { dispatcherKills } from './deliveries/dispatcher-kills.ts';
import { frozenDispatcher } from './deliveries/frozen-dispatcher.ts';
import { killAfterPost } from './deliveries/kill-after-post.ts';
import { scheduleAcrossRestarts } from './deliveries/schedule-across-restarts.ts';
import { concurrentDuplicates } from './limits/concurrent-duplicates.ts';
import { hostileAccount } from './limits/hostile-account.ts';
import { overload } from './limits/overload.ts';
import { quotaRace } from './limits/quota-race.ts';
import { revokedKeys } from './limits/revoked-keys.ts';
import { rotatedSecret } from './limits/rotated-secret.ts';
import { skewedClocks } from './limits/skewed-clocks.ts';
import { cachingProxy } from './links/caching-proxy.ts';
import { equalCaptures } from './links/equal-captures.ts';
import { backlog } from './receivers/backlog.ts';
import { concurrentRetries } from './receivers/concurrent-retries.ts';
import { hangingReceiver } from './receivers/hanging-receiver.ts';
import { manyHanging } from './receivers/many-hanging.ts';
import { oddReceivers } from './receivers/odd-receivers.ts';
import { pauseAndResume } from './receivers/pause-and-resume.ts';
import { redisEmptied } from './redis/redis-emptied.ts';
import { redisFrozen } from './redis/redis-frozen.ts';
import { redisFull } from './redis/redis-full.ts';
import { redisUnavailable } from './redis/redis-unavailable.ts';
import { rollingUpgrade } from './scaling/rolling-upgrade.ts';
import { severalOfEach } from './scaling/several-of-each.ts';

/** Dispatchers are killed or frozen at the worst moments. */
export const deliveryCases: readonly ChaosCase[] = [
  dispatcherKills,
  commitWithoutWake,
  killAfterPost,
  frozenDispatcher,
  scheduleAcrossRestarts,
];

/** Redis is lost, emptied, frozen or full. */
export const redisCases: readonly ChaosCase[] = [redisEmptied, redisUnavailable, redisFrozen, redisFull];

/** Postgres is lost, cleaned up or migrated under load. */
export const databaseCases: readonly ChaosCase[] = [
  postgresRestarts,
  postgresUnavailable,
  retentionUnderLoad,
  migrateUnderLoad,
];

/** Random faults of all these kinds. */
export const randomCases: readonly ChaosCase[] = [soak];

/** Captures lose the worker, browser or disk that they need. */
export const captureCases: readonly ChaosCase[] = [
  browserKills,
  workerKills,
  diskFull,
  orderlyStop,
  hostilePageCaptures,
];

/** Several processes of each service, replaced under load. */
export const scalingCases: readonly ChaosCase[] = [rollingUpgrade, severalOfEach];

/** Concurrent clients compete for one quota or key, or keys and secrets change meanwhile. */
export const limitCases: readonly ChaosCase[] = [
  skewedClocks,
  concurrentDuplicates,
  revokedKeys,
  overload,
  hostileAccount,
  quotaRace,
  rotatedSecret,
];

/** Many viewers open the same pages. */
export const linkCases: readonly ChaosCase[] = [equalCaptures];

/** `npm test` does not run these cases, because they install another server. */
const proxyCases: readonly ChaosCase[] = [cachingProxy];

/** Receivers misbehave, or their owners change them. */
export const receiverCases: readonly ChaosCase[] = [
  hangingReceiver,
  manyHanging,
  backlog,
  oddReceivers,
  concurrentRetries,
  pauseAndResume,
];

export const allCases: readonly ChaosCase[] = [
  ...deliveryCases,
  ...redisCases,
  ...databaseCases,
  ...captureCases,
  ...randomCases,
  ...scalingCases,
  ...limitCases,
  ...linkCases,
  ...proxyCases,
  ...receiverCases,
  ...operatorCases,
];
