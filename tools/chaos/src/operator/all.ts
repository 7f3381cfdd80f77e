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

/** Faults whose cause an operator has to find. In this order most cases take over the running services of the previous case. */
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
