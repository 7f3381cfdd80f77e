import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { useTestDatabase } from '../captures/captures.test-support.ts';
import { type CleanupJobName, cleanupJobs } from './cleanup-jobs.ts';
import { readCleanupJobRuns } from './cleanup-runs.ts';
import { runCleanupJob } from './run-cleanup-job.ts';

const database = await useTestDatabase();
const { pool } = database;
const runOf = async (name: CleanupJobName) => {
  const run = (await readCleanupJobRuns(pool)).find((each) => each.name === name);
  if (!run) throw new Error(`there is no cleanup job ${name}`);
  return run;
};

it('lists every cleanup job, including those that have never run', async () => {
  const runs = await readCleanupJobRuns(pool);
  expect(runs.map(({ name }) => name)).toEqual(Object.keys(cleanupJobs));
  expect(await runOf('sessions')).toEqual({
    name: 'sessions',
    owner: 'api-gateway',
    everyMs: 300_000,
    lastStartedAt: null,
    lastFinishedAt: null,
    lastDurationMs: null,
    lastCount: null,
    lastError: null,
  });
});

it('records when it ran, for how long, and its count', async () => {
  expect(await runCleanupJob(pool, 'expired files', async () => 3)).toBe(3);
  const run = await runOf('expired files');
  expect(run).toMatchObject({ lastCount: 3, lastError: null, lastDurationMs: expect.any(Number) });
  expect(run.lastFinishedAt?.getTime()).toBeGreaterThanOrEqual(run.lastStartedAt?.getTime() ?? Infinity);
  const found = { waiting: 2, failed: ['req_1'] };
  expect(
    await runCleanupJob(
      pool,
      'lost captures',
      async () => found,
      () => 3,
    ),
  ).toBe(found);
  expect(await runOf('lost captures')).toMatchObject({ lastCount: 3 });
});

it('records why it failed, until a run succeeds', async () => {
  const failing = runCleanupJob(pool, 'delivery logs', async () => {
    throw new Error(`the storage is unavailable ${'x'.repeat(1_000)}`);
  });
  await expect(failing).rejects.toThrow('the storage is unavailable');
  const run = await runOf('delivery logs');
  expect(run).toMatchObject({ lastCount: null, lastError: expect.stringMatching(/^the storage is unavailable x+$/) });
  expect(run.lastError).toHaveLength(500);
  await runCleanupJob(pool, 'delivery logs', async () => 0);
  expect(await runOf('delivery logs')).toMatchObject({ lastCount: 0, lastError: null });
});

it('runs one at a time, and shows that it is running', async () => {
  await runCleanupJob(pool, 'deleted accounts', async () => 1);
  const before = await runOf('deleted accounts');
  let finish = () => {};
  const held = new Promise<number>((resolve) => {
    finish = () => resolve(2);
  });
  const running = runCleanupJob(pool, 'deleted accounts', () => held);
  await waitUntil(
    async () => (await runOf('deleted accounts')).lastStartedAt?.getTime() !== before.lastStartedAt?.getTime(),
    { what: 'the cleanup job to start' },
  );
  expect(await runCleanupJob(pool, 'deleted accounts', async () => 99)).toBeNull();
  expect(await runOf('deleted accounts')).toMatchObject({ lastFinishedAt: before.lastFinishedAt, lastCount: 1 });
  finish();
  expect(await running).toBe(2);
  expect(await runOf('deleted accounts')).toMatchObject({ lastCount: 2 });
});

it('keeps its lock for longer than the server lets a transaction be idle', async () => {
  const running = runCleanupJob(pool, 'sessions', async () => {
    await pool.query('SELECT pg_sleep(7)');
    return runCleanupJob(pool, 'sessions', async () => 99);
  });
  expect(await running).toBeNull();
}, 30_000);
