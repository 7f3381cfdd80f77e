import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { newId } from '@capture/database/ids';
import { startReporting } from '@capture/queue/process-reports';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { openLockHolder } from '../../limits/lock-holder.test-support.ts';
import { startSharedGateway } from '../../test-gateway.ts';
import { callOperator } from '../../webhooks/webhooks.test-support.ts';

const gateway = await startSharedGateway();

describe('GET /api/operator/cleanup-jobs', () => {
  it('200: shows the last run of each job and its result', async () => {
    const { pool } = gateway.database;
    await runCleanupJob(pool, 'expired files', async () => 4);
    const failing = async () => {
      throw new Error('the storage is unavailable');
    };
    await runCleanupJob(pool, 'files without a row', failing).catch(() => undefined);
    const { body } = await callOperator(gateway, 'get', '/cleanup-jobs').expect(200);
    const of = (name: string) => body.cleanup_jobs.find((cleanupJob: { name: string }) => cleanupJob.name === name);
    expect(of('expired files')).toEqual({
      name: 'expired files',
      owner: 'capture-worker',
      every_s: 60,
      last_started_at: expect.any(String),
      last_finished_at: expect.any(String),
      last_duration_ms: expect.any(Number),
      last_count: 4,
      last_error: null,
    });
    expect(of('files without a row')).toMatchObject({ last_count: null, last_error: 'the storage is unavailable' });
    expect(of('delivery logs')).toMatchObject({ every_s: 3_600, last_started_at: null, last_finished_at: null });
  });

  it('200: counts the bulk work that is left', async () => {
    const { prisma, pool } = gateway.database;
    const { bulk_work: nothing } = (await callOperator(gateway, 'get', '/cleanup-jobs').expect(200)).body;
    expect(nothing).toEqual({
      changed_endpoints: 0,
      deliveries_to_change: 0,
      deleted_accounts: 0,
      captures_to_delete: 0,
      deliveries_to_delete: 0,
      replays: [],
    });
    await gateway.register('bulk@example.com');
    const { id: accountId } = await prisma.account.findFirstOrThrow({ where: { email: 'bulk@example.com' } });
    const endpoints = { wh_resumed: 'active', wh_held: 'paused', wh_deleted: null };
    for (const [id, status] of Object.entries(endpoints)) {
      if (status) {
        const row = { id, accountId, url: 'https://hooks.example.com/', events: [], signingSecret: 'x', status };
        await prisma.webhookEndpoint.create({ data: { ...row, createdAt: new Date() } });
      }
      await pool.query('INSERT INTO endpoint_backlog (webhook_id) VALUES ($1)', [id]);
      await pool.query(
        `INSERT INTO event (id, account_id, name, body, created_at) VALUES ('evt_' || $1, $2, 'capture.failed', '', now())`,
        [id, accountId],
      );
      // Of these deliveries 1 is pending, 2 are paused and 3 failed.
      await pool.query(
        `INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, created_at)
         SELECT 'dlv_' || $1 || n, 'evt_' || $1, $2, $1, 'https://hooks.example.com/',
                CASE WHEN n = 1 THEN 'pending' WHEN n < 4 THEN 'paused' ELSE 'failed' END, now()
           FROM generate_series(1, 6) n`,
        [id, accountId],
      );
    }
    const leaving = { id: 'acc_leaving', email: 'leaving', plan: 'free', signingSecret: 'x', deletedAt: new Date() };
    const createdAt = new Date();
    await prisma.account.create({ data: { ...leaving, createdAt, signingSecretCreatedAt: createdAt } });
    const capture = { accountId: leaving.id, type: 'pdf', url: 'https://example.com/', options: {}, month: '2026-11' };
    await prisma.capture.create({ data: { ...capture, id: newId('req'), createdAt } });
    await pool.query(
      `INSERT INTO delivery (id, event_id, account_id, url, status, created_at)
       SELECT 'dlv_leaving' || n, 'evt_wh_held', $1, 'https://hooks.example.com/',
              CASE WHEN n = 1 THEN 'failed' ELSE 'delivered' END, now()
         FROM generate_series(1, 3) n`,
      [leaving.id],
    );
    const { bulk_work } = (await callOperator(gateway, 'get', '/cleanup-jobs').expect(200)).body;
    expect(bulk_work).toEqual({
      changed_endpoints: 3,
      deliveries_to_change: 2 + 1 + 3,
      deleted_accounts: 1,
      captures_to_delete: 1,
      deliveries_to_delete: 3,
      replays: [],
    });
  });

  it('200: lists replays in progress, of accounts and of the operator', async () => {
    const { pool, prisma } = gateway.database;
    const key = await gateway.register('replaying@example.com');
    const { id: accountId } = await prisma.account.findFirstOrThrow({ where: { email: 'replaying@example.com' } });
    const row = { id: 'wh_replayed', accountId, url: 'https://hooks.example.com/', events: [], signingSecret: 'x' };
    await prisma.webhookEndpoint.create({ data: { ...row, createdAt: new Date() } });
    const id = newId('dlv');
    await pool.query(
      `INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, created_at, completed_at)
       VALUES ($1, 'evt_replayed', $2, 'wh_replayed', 'https://hooks.example.com/', 'failed', now(), now())`,
      [id, accountId],
    );
    const detail = () => ({ replays: gateway.runningReplays.list() });
    const stop = startReporting({ redis: gateway.redis, kind: 'api-gateway', detail, everyMs: 20 });
    const replays = async () =>
      (await callOperator(gateway, 'get', '/cleanup-jobs').expect(200)).body.bulk_work.replays;
    const since = '2026-11-01T00:00:00.000Z';
    // Both replays wait for the delivery that this transaction has locked.
    const holder = await openLockHolder(gateway);
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM delivery WHERE id = $1 FOR UPDATE', [id]);
      const own = gateway.as(key).post('/api/v1/webhooks/wh_replayed/replay').send({ since });
      const all = callOperator(gateway, 'post', '/deliveries/replay').send({ status: 'failed', since });
      const responses = Promise.all([own.expect(202), all.expect(202)]);
      await waitUntil(async () => (await replays()).length === 2, { what: 'both replays to be listed' });
      const common = { since, until: null, started_at: expect.any(String), replayed: 0, reached_at: null };
      expect(await replays()).toEqual(
        expect.arrayContaining([
          { ...common, account_id: accountId, webhook_id: 'wh_replayed' },
          { ...common, account_id: null, webhook_id: null },
        ]),
      );
      await holder.query('COMMIT');
      await responses;
      await waitUntil(async () => (await replays()).length === 0, { what: 'ended replays to leave the list' });
    } finally {
      // After a failed check this ends the waiting requests, so that the gateway can close.
      await holder.query('ROLLBACK');
      await stop();
    }
  });

  it('401: without the operator key', async () => {
    await gateway.http.get('/api/operator/cleanup-jobs').expect(401);
  });
});
