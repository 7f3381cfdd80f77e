import type { ChaosCase } from '../case.ts';
import { deskAccountFlooding } from './account-flooding.ts';
import { deskCertificateExpired } from './certificate-expired.ts';
import { deskClockWrong } from './clock-wrong.ts';
import { deskDiskFull } from './disk-full.ts';
import { deskNoBrowser } from './no-browser.ts';
import { deskPoolFull } from './pool-full.ts';
import { deskPostgresSlow } from './postgres-slow.ts';
import { deskQueueStuck } from './queue-stuck.ts';
import { deskReceiverDown } from './receiver-down.ts';
import { deskRedisEvicting } from './redis-evicting.ts';

/** In which it is not the clients that are looked after but the operator, who has to find out what is wrong. */
export const deskCases: readonly ChaosCase[] = [
  deskDiskFull,
  deskRedisEvicting,
  deskPostgresSlow,
  deskNoBrowser,
  deskReceiverDown,
  deskQueueStuck,
  deskPoolFull,
  deskClockWrong,
  deskCertificateExpired,
  deskAccountFlooding,
];
