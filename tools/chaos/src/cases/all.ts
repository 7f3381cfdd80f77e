import type { ChaosCase } from '../case.ts';
import { operatorCases } from '../operator/all.ts';
import { backlog } from './backlog.ts';
import { browserKills } from './browser-kills.ts';
import { commitWithoutWake } from './commit-without-wake.ts';
import { diskFull } from './disk-full.ts';
import { dispatcherKills } from './dispatcher-kills.ts';
import { frozenDispatcher } from './frozen-dispatcher.ts';
import { hangingReceiver } from './hanging-receiver.ts';
import { hostilePageCaptures } from './hostile-pages.ts';
import { killAfterPost } from './kill-after-post.ts';
import { manualAndAutomatic } from './manual-and-automatic.ts';
import { manyHanging } from './many-hanging.ts';
import { migrateUnderLoad } from './migrate-under-load.ts';
import { oddReceivers } from './odd-receivers.ts';
import { orderlyStop } from './orderly-stop.ts';
import { overload } from './overload.ts';
import { pauseAndResume } from './pause-and-resume.ts';
import { postgresRestarts } from './postgres-restarts.ts';
import { postgresAway } from './postgres-unavailable.ts';
import { quotaRace } from './quota-race.ts';
import { redisEmptied } from './redis-emptied.ts';
import { redisFrozen } from './redis-frozen.ts';
import { redisFull } from './redis-full.ts';
import { redisAway } from './redis-unavailable.ts';
import { revokedKeys } from './revoked-keys.ts';
import { rollingUpgrade } from './rolling-upgrade.ts';
import { rotatedSecret } from './rotated-secret.ts';
import { sameRequestAtOnce } from './same-request-at-once.ts';
import { scheduleAcrossRestarts } from './schedule-across-restarts.ts';
import { severalOfEach } from './several-of-each.ts';
import { skewedClocks } from './skewed-clocks.ts';
import { soak } from './soak.ts';
import { workerKills } from './worker-kills.ts';

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
