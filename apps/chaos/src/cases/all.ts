import type { ChaosCase } from '../case.ts';
import { backlog } from './backlog.ts';
import { commitWithoutWake } from './commit-without-wake.ts';
import { dispatcherKills } from './dispatcher-kills.ts';
import { hangingReceiver } from './hanging-receiver.ts';
import { killAfterPost } from './kill-after-post.ts';
import { manualAndAutomatic } from './manual-and-automatic.ts';
import { manyHanging } from './many-hanging.ts';
import { oddReceivers } from './odd-receivers.ts';
import { pauseAndResume } from './pause-and-resume.ts';
import { postgresRestarts } from './postgres-restarts.ts';
import { redisAway } from './redis-away.ts';
import { redisEmptied } from './redis-emptied.ts';

/** In which a process or a server is lost. */
export const lossCases: readonly ChaosCase[] = [
  dispatcherKills,
  commitWithoutWake,
  killAfterPost,
  redisAway,
  redisEmptied,
  postgresRestarts,
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

export const allCases: readonly ChaosCase[] = [...lossCases, ...receiverCases];
