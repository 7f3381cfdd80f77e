import type { ChaosCase } from '../case.ts';
import { operatorCases } from '../operator/all.ts';
import { backlog } from './receivers/backlog.ts';
import { browserKills } from './captures/browser-kills.ts';
import { commitWithoutWake } from './deliveries/commit-without-wake.ts';
import { diskFull } from './captures/disk-full.ts';
import { dispatcherKills } from './deliveries/dispatcher-kills.ts';
import { frozenDispatcher } from './deliveries/frozen-dispatcher.ts';
import { hangingReceiver } from './receivers/hanging-receiver.ts';
import { hostilePageCaptures } from './captures/hostile-pages.ts';
import { killAfterPost } from './deliveries/kill-after-post.ts';
import { manualAndAutomatic } from './receivers/concurrent-retries.ts';
import { manyHanging } from './receivers/many-hanging.ts';
import { migrateUnderLoad } from './database/migrate-under-load.ts';
import { oddReceivers } from './receivers/odd-receivers.ts';
import { orderlyStop } from './captures/orderly-stop.ts';
import { overload } from './limits/overload.ts';
import { pauseAndResume } from './receivers/pause-and-resume.ts';
import { postgresRestarts } from './database/postgres-restarts.ts';
import { postgresAway } from './database/postgres-unavailable.ts';
import { quotaRace } from './limits/quota-race.ts';
import { redisEmptied } from './redis/redis-emptied.ts';
import { redisFrozen } from './redis/redis-frozen.ts';
import { redisFull } from './redis/redis-full.ts';
import { redisAway } from './redis/redis-unavailable.ts';
import { revokedKeys } from './limits/revoked-keys.ts';
import { rollingUpgrade } from './scaling/rolling-upgrade.ts';
import { rotatedSecret } from './limits/rotated-secret.ts';
import { sameRequestAtOnce } from './limits/concurrent-duplicates.ts';
import { scheduleAcrossRestarts } from './deliveries/schedule-across-restarts.ts';
import { severalOfEach } from './scaling/several-of-each.ts';
import { skewedClocks } from './limits/skewed-clocks.ts';
import { soak } from './captures/soak.ts';
import { workerKills } from './captures/worker-kills.ts';

/** In which a process or a server of the deliveries is lost. */
export const lossCases: readonly ChaosCase[] = [
  dispatcherKills,
  commitWithoutWake,
  killAfterPost,
  frozenDispatcher,
  redisAway,
  redisEmptied,
  postgresRestarts,
  scheduleAcrossRestarts,
];

/** In which captures lose what makes or keeps them. */
export const captureCases: readonly ChaosCase[] = [
  workerKills,
  browserKills,
  diskFull,
  orderlyStop,
  hostilePageCaptures,
  soak,
];

/** In which what queues or records captures goes away, or everything is replaced under load. */
export const replacementCases: readonly ChaosCase[] = [
  rollingUpgrade,
  severalOfEach,
  migrateUnderLoad,
  redisFrozen,
  redisFull,
  postgresAway,
];

/** In which many ask at once for what there is once, or with keys and secrets that change meanwhile. */
export const limitCases: readonly ChaosCase[] = [
  quotaRace,
  overload,
  skewedClocks,
  sameRequestAtOnce,
  revokedKeys,
  rotatedSecret,
];

/** In which receivers, or their owners, behave as they like. */
export const receiverCases: readonly ChaosCase[] = [
  hangingReceiver,
  manyHanging,
  backlog,
  oddReceivers,
  manualAndAutomatic,
  pauseAndResume,
];

export const allCases: readonly ChaosCase[] = [
  ...lossCases,
  ...captureCases,
  ...replacementCases,
  ...limitCases,
  ...receiverCases,
  ...operatorCases,
];
