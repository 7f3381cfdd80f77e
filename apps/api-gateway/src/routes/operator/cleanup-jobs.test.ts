import { runCleanupJob } from '@capture/database/cleanup/run-cleanup-job';
import { describe, expect, it } from '@jest/globals';
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

  it('401: without the operator key', async () => {
    await gateway.http.get('/api/operator/cleanup-jobs').expect(401);
  });
});
