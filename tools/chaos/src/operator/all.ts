import type { ChaosCase } from '../case.ts';
import { operatorAccountFlooding } from './account-flooding.ts';
import { operatorCertificateExpired } from './certificate-expired.ts';
import { operatorClockWrong } from './clock-wrong.ts';
import { operatorDiskFull } from './disk-full.ts';
import { operatorNoBrowser } from './no-browser.ts';
import { operatorPoolFull } from './pool-full.ts';
import { operatorPostgresSlow } from './postgres-slow.ts';
import { operatorQueueStuck } from './queue-stuck.ts';
import { operatorReceiverDown } from './receiver-down.ts';
import { operatorRedisEvicting } from './redis-evicting.ts';

/** The operator has to find the cause of a fault. In this order most cases take over what the one before has left running. */
export const operatorCases: readonly ChaosCase[] = [
  operatorAccountFlooding,
  operatorPoolFull,
  operatorRedisEvicting,
  operatorNoBrowser,
  operatorDiskFull,
  operatorQueueStuck,
  operatorClockWrong,
  operatorPostgresSlow,
  operatorReceiverDown,
  operatorCertificateExpired,
];
