import { describe, expect, it } from '@jest/globals';
import type { Activity, CleanupJobList, ProcessList, QueueList } from '../../../api/responses.ts';
import { type Facts, findIssues } from './find-issues.ts';

const at = new Date('2026-11-20T10:00:00.000Z');
const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000).toISOString();

type Queue = QueueList['queues'][number];
type Minute = Activity['minutes'][number];
type Browser = Extract<ProcessList['processes'][number], { kind: 'capture-worker' }>['detail']['browser'];

const idle = { waiting: 0, active: 0, delayed: 0, oldest_waiting_s: null, workers: 1 };
const queuesOf = (captures: Partial<Queue> = {}, deliveries: Partial<Queue> = {}): QueueList => ({
  queues: [
    { ...idle, name: 'captures', ...captures },
    { ...idle, name: 'deliveries', ...deliveries },
  ],
});

const quiet: Minute = {
  at: at.toISOString(),
  completed: 0,
  failed: 0,
  cancelled: 0,
  p50_ms: null,
  p95_ms: null,
  waited_p95_ms: null,
  deliveries_succeeded: 0,
  deliveries_failed: 0,
};
const activityOf = (last: Partial<Minute> = {}, more: Partial<Activity> = {}): Activity => ({
  minutes: [...Array.from({ length: 59 }, () => quiet), { ...quiet, ...last }],
  accounts: [],
  receivers: [],
  ...more,
});

const browser: Browser = {
  version: 'HeadlessChrome/156',
  state: 'running',
  started_at: ago(600),
  captures: 1,
  restarts: 0,
  memory_bytes: 1,
  last_error: null,
};
const servers: Omit<ProcessList, 'processes'> = {
  at: at.toISOString(),
  redis: 'ok',
  database: { answer_ms: 2, clock_offset_ms: 1, connections: 20, connections_in_use: 1, waiting: 0 },
};
const processesOf = (of: Partial<Browser> = {}, startedAt = ago(600)): ProcessList => ({
  ...servers,
  processes: [
    {
      id: 'one',
      kind: 'capture-worker',
      host: 'render-1',
      pid: 4,
      version: '0.1.0',
      node: 'v20.19.0',
      started_at: startedAt,
      seen_at: at.toISOString(),
      memory_bytes: 1,
      detail: { concurrency: 4, running: 0, browser: { ...browser, ...of } },
    },
  ],
});

const databaseOf = (of: Partial<ProcessList['database']>): ProcessList => ({
  ...processesOf(),
  database: { ...servers.database, ...of },
});

const cleanupJobsOf = (run: Partial<CleanupJobList['cleanup_jobs'][number]> = {}): CleanupJobList => ({
  cleanup_jobs: [
    {
      name: 'expired files',
      owner: 'capture-worker',
      every_s: 60,
      last_started_at: ago(30),
      last_finished_at: ago(30),
      last_duration_ms: 5,
      last_count: 0,
      last_error: null,
      ...run,
    },
  ],
});

const well: Facts = {
  queues: queuesOf(),
  processes: processesOf(),
  cleanupJobs: cleanupJobsOf(),
  activity: activityOf({ completed: 20, p95_ms: 900, deliveries_succeeded: 20 }),
  givenUp: 0,
  at,
};
const receiver = { host: 'down.example', accounts: 1, pending: 5, oldest_due_at: ago(0), last_error: 'timeout' };
const account = { id: 'acc_1', email: 'ada@example.com', plan: 'pro', open: 950, ended: 0, used_today: 0 };

it('finds nothing where all is well, nor where nothing happens, nor where nothing is known yet', () => {
  expect(findIssues(well)).toEqual([]);
  expect(findIssues({ ...well, activity: activityOf() })).toEqual([]);
  expect(findIssues({ at })).toEqual([]);
});

describe('finds', () => {
  it.each<[string, Partial<Facts>, RegExp, string]>([
    [
      'what cannot be read',
      { error: new Error('No answer.') },
      /^Not everything can be read: No answer\./,
      'CaptureDatabaseDown',
    ],
    ['no worker', { queues: queuesOf({ workers: 0, waiting: 7 }) }, /^No capture worker .* 7 wait/, 'CaptureNoWorkers'],
    ['no dispatcher', { queues: queuesOf({}, { workers: 0 }) }, /^No webhook dispatcher/, 'CaptureNoWorkers'],
    ['Redis away', { processes: { ...servers, redis: 'away', processes: [] } }, /^Redis is away/, 'CaptureRedisDown'],
    [
      'a Redis that may drop what it has',
      { processes: { ...processesOf(), redis: 'evicting' } },
      /^Redis may throw jobs away/,
      'CaptureRedisEvicting',
    ],
    [
      'a Postgres that is slow',
      { processes: databaseOf({ answer_ms: 700 }) },
      /^Postgres is slow: A bare statement takes this gateway 700 ms/,
      'CaptureDatabaseSlow',
    ],
    [
      'a Postgres that hardly answers',
      { processes: databaseOf({ answer_ms: null, clock_offset_ms: null }) },
      /^Postgres is slow: A bare statement takes this gateway over two seconds/,
      'CaptureDatabaseSlow',
    ],
    [
      'a pool that is used up',
      { processes: databaseOf({ answer_ms: null, connections_in_use: 20, waiting: 3 }) },
      /^Connections to Postgres are short: All 20 of this gateway are in use, and 3 statements wait/,
      'CaptureDatabasePoolExhausted',
    ],
    [
      'a clock of the gateway',
      { processes: databaseOf({ clock_offset_ms: -2_500 }) },
      /^A clock is wrong: That of this gateway/,
      'CaptureClockWrong',
    ],
    [
      'a clock of another process',
      { processes: { ...processesOf(), at: ago(3) } },
      /^A clock is wrong: That of capture-worker on render-1 \(pid 4\)/,
      'CaptureClockWrong',
    ],
    [
      'a browser that does not start',
      { processes: processesOf({ state: 'failing', last_error: 'There is no Chromium at /nowhere.' }) },
      /^A browser does not start: The worker on render-1 \(pid 4\).* There is no Chromium at \/nowhere/,
      'CaptureBrowserDown',
    ],
    [
      'a browser that dies',
      { processes: processesOf({ restarts: 5 }) },
      /^A browser ends by itself/,
      'CaptureBrowserRestarts',
    ],
    [
      'captures that are stuck',
      { queues: queuesOf({ waiting: 3, active: 1, oldest_waiting_s: 301 }), activity: activityOf() },
      /^Captures are stuck: 3 wait, 1 are being made/,
      'CaptureQueueStuck',
    ],
    [
      'single captures that wait',
      { activity: activityOf({ completed: 1, waited_p95_ms: 12_000 }) },
      /^Captures wait for long: Single captures have waited 12\.0 s/,
      'CaptureQueueWaitLong',
    ],
    [
      'a queue that is long',
      { queues: queuesOf({ waiting: 900, oldest_waiting_s: 700 }) },
      /^Captures wait for long: The oldest has waited for 12 minutes/,
      'CaptureQueueWaitLong',
    ],
    [
      'captures that fail',
      { activity: activityOf({ completed: 4, failed: 6 }) },
      /^Most captures fail: 6 of 10/,
      'CaptureRenderingFailed',
    ],
    [
      'deliveries that are late',
      { queues: queuesOf({}, { waiting: 9, oldest_waiting_s: 61 }) },
      /^Deliveries are late: 9 are due, the first for 61 seconds/,
      'CaptureDeliveriesLate',
    ],
    [
      'attempts that fail',
      { activity: activityOf({ deliveries_succeeded: 5, deliveries_failed: 5 }) },
      /^Most deliveries fail: 5 of 10/,
      'CaptureDeliveriesFailing',
    ],
    [
      'a receiver that fails',
      { activity: activityOf({}, { receivers: [receiver] }) },
      /^A receiver fails: down\.example \(5, timeout\)/,
      'CaptureReceiverDown',
    ],
    [
      'a certificate that is refused',
      { activity: activityOf({}, { receivers: [{ ...receiver, last_error: 'tls' }] }) },
      /^A receiver fails/,
      'CaptureReceiverCertificate',
    ],
    ['what was given up', { givenUp: 2 }, /^2 deliveries were given up/, 'CaptureReceiverDown'],
    [
      'a cleanup job that errs',
      { cleanupJobs: cleanupJobsOf({ last_error: 'the store is away' }) },
      /^The cleanup job “expired files” fails: the store is away/,
      'CaptureCleanupJobStalled',
    ],
    [
      'a cleanup job that has stopped',
      { cleanupJobs: cleanupJobsOf({ last_finished_at: ago(481) }) },
      /^The cleanup job “expired files” does not run: .* for 8 minutes/,
      'CaptureCleanupJobStalled',
    ],
    [
      'a cleanup job that has never run though somebody is there to run it',
      {
        cleanupJobs: cleanupJobsOf({ last_finished_at: null, last_started_at: null }),
        processes: processesOf({}, ago(481)),
      },
      /^The cleanup job “expired files” does not run/,
      'CaptureCleanupJobStalled',
    ],
    [
      'an account that has nearly all of the queue',
      { queues: queuesOf({ waiting: 990, active: 10 }), activity: activityOf({}, { accounts: [account] }) },
      /^One account has nearly all of the queue: ada@example\.com has 950 of 1,000/,
      'CaptureAccountFlooding',
    ],
  ])('%s', (_, facts, said, section) => {
    const issues = findIssues({ ...well, ...facts });
    expect(issues.map(({ title, text }) => `${title}: ${text}`)).toEqual([expect.stringMatching(said)]);
    expect(issues[0]?.section).toBe(section);
    expect(issues[0]?.page.path).toMatch(/^\/operator\//);
  });
});

it.each<[string, Partial<Facts>]>([
  ['a clock that is a second ahead', { processes: { ...processesOf(), at: ago(1) } }],
  ['one restart an hour', { processes: processesOf({ restarts: 4 }) }],
  ['a few deliveries that are tried again', { activity: activityOf({}, { receivers: [{ ...receiver, pending: 4 }] }) }],
  ['nine captures that fail', { activity: activityOf({ failed: 9 }) }],
  [
    'a queue that is busy with many accounts',
    { queues: queuesOf({ waiting: 2_000 }), activity: activityOf({}, { accounts: [account] }) },
  ],
  [
    'a cleanup job whose owner has just begun',
    {
      processes: processesOf({}, ago(400)),
      cleanupJobs: cleanupJobsOf({ last_finished_at: null, last_started_at: null }),
    },
  ],
])('takes %s for usual', (_, facts) => {
  expect(findIssues({ ...well, ...facts })).toEqual([]);
});

it('names the worst first', () => {
  const facts = { ...well, givenUp: 1, queues: queuesOf({ workers: 0 }, { workers: 0 }) };
  expect(findIssues(facts).map(({ tone }) => tone)).toEqual(['bad', 'bad', 'warn']);
});
