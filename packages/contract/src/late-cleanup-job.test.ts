import { expect, it } from '@jest/globals';
import { cleanupJobLateMs } from './late-cleanup-job.ts';

const at = new Date('2026-11-20T10:00:00.000Z');
const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000).toISOString();
const owner = 'capture-worker';
const job = (finishedAgoS: number | null) => ({
  owner,
  every_s: 60,
  last_finished_at: finishedAgoS === null ? null : ago(finishedAgoS),
});
const started = (seconds: number, kind = owner) => ({ kind, started_at: ago(seconds) });

it.each([
  ['finished three intervals and five minutes ago', job(480), [started(9_000)], null],
  ['finished longer ago', job(481), [started(9_000)], 481_000],
  ['did not run while no process could run it', job(30_000), [started(100), started(90)], null],
  ['has not run since the oldest process started', job(30_000), [started(100), started(500)], 500_000],
  ['never ran, although a process could have run it', job(null), [started(481)], 481_000],
  ['never ran, and no process runs it', job(null), [started(9_000, 'api-gateway')], null],
  ['finished long ago, and no process runs it', job(9_000), [], 9_000_000],
])('a cleanup job that %s', (_, tested, processes, late) => {
  expect(cleanupJobLateMs(tested, processes, at)).toBe(late);
});
