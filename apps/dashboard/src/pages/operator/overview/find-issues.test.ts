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
const activityOf = (latest: Partial<Minute> = {}, more: Partial<Activity> = {}): Activity => ({
  minutes: [...Array.from({ length: 59 }, () => quiet), { ...quiet, ...latest }],
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
  database: { response_ms: 2, clock_offset_ms: 1, connections: 20, connections_in_use: 1, waiting: 0 },
};
const processesOf = (overrides: Partial<Browser> = {}, startedAt = ago(600)): ProcessList => ({
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
      detail: { concurrency: 4, running: 0, browser: { ...browser, ...overrides } },
    },
  ],
});

const databaseOf = (overrides: Partial<ProcessList['database']>): ProcessList => ({
  ...processesOf(),
  database: { ...servers.database, ...overrides },
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
  bulk_work: {
    changed_endpoints: 0,
    deliveries_to_change: 0,
    deleted_accounts: 0,
    captures_to_delete: 0,
    deliveries_to_delete: 0,
    replays: [],
  },
});

const healthy: Facts = {
  queues: queuesOf(),
  processes: processesOf(),
  cleanupJobs: cleanupJobsOf(),
  activity: activityOf({ completed: 20, p95_ms: 900, deliveries_succeeded: 20 }),
  exhausted: 0,
  at,
};
const receiver = { host: 'down.example', accounts: 1, pending: 5, oldest_due_at: ago(0), last_error: 'timeout' };
const account = { id: 'acc_1', email: 'ada@example.com', plan: 'pro', open: 950, ended: 0, used_today: 0 };

it('finds nothing when all is well, when there is no traffic, and before anything is loaded', () => {
  expect(findIssues(healthy)).toEqual([]);
  expect(findIssues({ ...healthy, activity: activityOf() })).toEqual([]);
  expect(findIssues({ at })).toEqual([]);
});

describe('finds', () => {
  it.each<[string, Partial<Facts>, RegExp, string]>([
    [
      'data that cannot be read',
      { error: new Error('No response.') },
      /^Some data cannot be read: No response\./,
      'CaptureDatabaseDown',
    ],
    [
      'no worker',
      { queues: queuesOf({ workers: 0, waiting: 7 }) },
      /^No capture worker .* 7 are queued/,
      'CaptureNoWorkers',
    ],
    ['no dispatcher', { queues: queuesOf({}, { workers: 0 }) }, /^No webhook dispatcher/, 'CaptureNoWorkers'],
    [
      'an unavailable Redis',
      { processes: { ...servers, redis: 'unavailable', processes: [] } },
      /^Redis is unavailable/,
      'CaptureRedisDown',
    ],
    [
      'a Redis that may evict jobs',
      { processes: { ...processesOf(), redis: 'evicting' } },
      /^Redis may evict jobs/,
      'CaptureRedisEvicting',
    ],
    [
      'a slow Postgres',
      { processes: databaseOf({ response_ms: 700 }) },
      /^Postgres is slow: A bare statement takes this gateway 700 ms/,
      'CaptureDatabaseSlow',
    ],
    [
      'a Postgres that hardly responds',
      { processes: databaseOf({ response_ms: null, clock_offset_ms: null }) },
      /^Postgres is slow: A bare statement takes this gateway over two seconds/,
      'CaptureDatabaseSlow',
    ],
    [
      'an exhausted connection pool',
      { processes: databaseOf({ response_ms: null, connections_in_use: 20, waiting: 3 }) },
      /^Connections to Postgres are short: All 20 of this gateway are in use, and 3 statements are waiting/,
      'CaptureDatabasePoolExhausted',
    ],
    [
      'a wrong clock of the gateway',
      { processes: databaseOf({ clock_offset_ms: -2_500 }) },
      /^A clock is wrong: Clock of this gateway/,
      'CaptureClockWrong',
    ],
    [
      'a wrong clock of another process',
      { processes: { ...processesOf(), at: ago(3) } },
      /^A clock is wrong: Clock of capture-worker on render-1 \(pid 4\)/,
      'CaptureClockWrong',
    ],
    [
      'a browser that does not start',
      { processes: processesOf({ state: 'failing', last_error: 'There is no Chromium at /nowhere.' }) },
      /^A browser does not start: The worker on render-1 \(pid 4\).* There is no Chromium at \/nowhere/,
      'CaptureBrowserDown',
    ],
    [
      'a browser that crashes',
      { processes: processesOf({ restarts: 5 }) },
      /^A browser keeps crashing/,
      'CaptureBrowserRestarts',
    ],
    [
      'stuck captures',
      { queues: queuesOf({ waiting: 3, active: 1, oldest_waiting_s: 301 }), activity: activityOf() },
      /^Captures are stuck: 3 are queued, 1 are being processed/,
      'CaptureQueueStuck',
    ],
    [
      'synchronous captures that wait',
      { activity: activityOf({ completed: 1, waited_p95_ms: 12_000 }) },
      /^Captures wait too long: Synchronous captures waited up to 12\.0 s/,
      'CaptureQueueWaitLong',
    ],
    [
      'a long queue',
      { queues: queuesOf({ waiting: 900, oldest_waiting_s: 700 }) },
      /^Captures wait too long: The oldest has been queued for 12 minutes/,
      'CaptureQueueWaitLong',
    ],
    [
      'failing captures',
      { activity: activityOf({ completed: 4, failed: 6 }) },
      /^Most captures fail: 6 of 10/,
      'CaptureRenderingFailed',
    ],
    [
      'late deliveries',
      { queues: queuesOf({}, { waiting: 9, oldest_waiting_s: 61 }) },
      /^Deliveries are late: 9 are due, the first for 61 seconds/,
      'CaptureDeliveriesLate',
    ],
    [
      'failing attempts',
      { activity: activityOf({ deliveries_succeeded: 5, deliveries_failed: 5 }) },
      /^Most deliveries fail: 5 of 10/,
      'CaptureDeliveriesFailing',
    ],
    [
      'a failing receiver',
      { activity: activityOf({}, { receivers: [receiver] }) },
      /^A receiver is failing: down\.example \(5, timeout\)/,
      'CaptureReceiverDown',
    ],
    [
      'a rejected certificate',
      { activity: activityOf({}, { receivers: [{ ...receiver, last_error: 'tls' }] }) },
      /^A receiver is failing/,
      'CaptureReceiverCertificate',
    ],
    ['exhausted deliveries', { exhausted: 2 }, /^2 deliveries are exhausted/, 'CaptureReceiverDown'],
    [
      'a failing cleanup job',
      { cleanupJobs: cleanupJobsOf({ last_error: 'storage is unavailable' }) },
      /^The cleanup job “expired files” fails: storage is unavailable\. Each capture-worker runs it in turn\.$/,
      'CaptureCleanupJobStalled',
    ],
    [
      'a cleanup job that stopped',
      { cleanupJobs: cleanupJobsOf({ last_finished_at: ago(481) }) },
      /^The cleanup job “expired files” does not run: .* for 8 minutes\./,
      'CaptureCleanupJobStalled',
    ],
    [
      'a cleanup job that never ran although a process could have run it',
      {
        cleanupJobs: cleanupJobsOf({ last_finished_at: null, last_started_at: null }),
        processes: processesOf({}, ago(481)),
      },
      /^The cleanup job “expired files” does not run/,
      'CaptureCleanupJobStalled',
    ],
    [
      'an account that fills most of the queue',
      { queues: queuesOf({ waiting: 990, active: 10 }), activity: activityOf({}, { accounts: [account] }) },
      /^One account fills most of the queue: ada@example\.com has 950 of 1,000/,
      'CaptureAccountFlooding',
    ],
  ])('%s', (_, facts, expected, section) => {
    const issues = findIssues({ ...healthy, ...facts });
    expect(issues.map(({ title, text }) => `${title}: ${text}`)).toEqual([expect.stringMatching(expected)]);
    expect(issues[0]?.section).toBe(section);
    expect(issues[0]?.page.path).toMatch(/^\/operator\//);
  });
});

it.each<[string, Partial<Facts>]>([
  ['a clock that is a second ahead', { processes: { ...processesOf(), at: ago(1) } }],
  ['a few restarts', { processes: processesOf({ restarts: 4 }) }],
  ['a few deliveries to retry', { activity: activityOf({}, { receivers: [{ ...receiver, pending: 4 }] }) }],
  ['nine failed captures', { activity: activityOf({ failed: 9 }) }],
  [
    'a queue shared by many accounts',
    { queues: queuesOf({ waiting: 2_000 }), activity: activityOf({}, { accounts: [account] }) },
  ],
  [
    'a cleanup job that was due while no process ran',
    { processes: processesOf({}, ago(400)), cleanupJobs: cleanupJobsOf({ last_finished_at: ago(30_000) }) },
  ],
  [
    'a cleanup job whose process has just started',
    {
      processes: processesOf({}, ago(400)),
      cleanupJobs: cleanupJobsOf({ last_finished_at: null, last_started_at: null }),
    },
  ],
])('does not report %s', (_, facts) => {
  expect(findIssues({ ...healthy, ...facts })).toEqual([]);
});

it('lists the worst first', () => {
  const facts = { ...healthy, exhausted: 1, queues: queuesOf({ workers: 0 }, { workers: 0 }) };
  expect(findIssues(facts).map(({ tone }) => tone)).toEqual(['bad', 'bad', 'warn']);
});
