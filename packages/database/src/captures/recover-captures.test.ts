import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  claim,
  endingOf,
  eventContext,
  loseWorkerOf,
  newAccount,
  reserve,
  rowOf,
  usageOf,
  useTestDatabase,
} from './captures.test-support.ts';
import { releaseCapture } from './claim-capture.ts';
import { endCapture } from './end-capture.ts';
import { recoverCaptures } from './recover-captures.ts';

const database = await useTestDatabase();
const { pool } = database;
let accountId: string;
beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});
const context = eventContext('B');
const recover = () => recoverCaptures(pool, context);

describe('a capture whose worker is lost', () => {
  it('waits for scheduling again twice; after the third loss it has failed, its quota is returned and its event is due', async () => {
    const id = await reserve(pool, accountId, { webhookUrl: 'https://hooks.example.com/' });
    for (const lost of [1, 2]) {
      await claim(pool, id, `worker-${lost}`);
      await loseWorkerOf(pool, id);
      expect(await recover()).toEqual({ waiting: 1, failed: [] });
      expect(await rowOf(pool, 'capture', id)).toMatchObject({
        status: 'queued',
        attempt: lost,
        lost_workers: lost,
        worker_id: null,
        lease_until: null,
        started_at: null,
        enqueued_at: null,
      });
      expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 1 });
    }
    const last = await claim(pool, id, 'worker-3');
    await loseWorkerOf(pool, id);
    expect(await recover()).toEqual({ waiting: 0, failed: [id] });
    expect(await rowOf(pool, 'capture', id)).toMatchObject({
      status: 'failed',
      error_code: 'RENDERING_FAILED',
      error_message: expect.stringContaining('3 workers'),
      completed_at: expect.any(Date),
    });
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 0 });
    const { rows } = await pool.query(
      'SELECT e.name, e.body, d.status FROM event e JOIN delivery d ON d.event_id = e.id WHERE e.capture_id = $1',
      [id],
    );
    expect(rows).toEqual([{ name: 'capture.failed', body: expect.any(Buffer), status: 'pending' }]);
    expect(JSON.parse(rows[0].body)).toMatchObject({ request_id: id, data: { error_code: 'RENDERING_FAILED' } });
    // The lost worker was only slow.
    expect(await endCapture(pool, context, endingOf(last))).toBeNull();
    expect(await recover()).toEqual({ waiting: 0, failed: [] });
  });

  it('still belongs to its worker until it is recovered', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId));
    await loseWorkerOf(pool, claimed.id);
    expect(await endCapture(pool, context, endingOf(claimed))).not.toBeNull();
    expect(await recover()).toEqual({ waiting: 0, failed: [] });
    expect(await usageOf(pool, accountId)).toEqual({ used: 1, reserved: 0 });
  });

  it('is recovered once, however many runs there are at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => reserve(pool, accountId)));
    for (const id of ids) {
      await claim(pool, id);
      await loseWorkerOf(pool, id);
    }
    const found = await Promise.all([recover(), recover(), recover(), recover()]);
    expect(found.reduce((sum, each) => sum + (each?.waiting ?? 0), 0)).toBe(20);
    const { rows } = await pool.query('SELECT DISTINCT lost_workers FROM capture WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([{ lost_workers: 1 }]);
    await pool.query('DELETE FROM capture WHERE account_id = $1', [accountId]);
  });
});

describe('a capture that is not lost', () => {
  it('has a valid claim or waits', async () => {
    await reserve(pool, accountId);
    const held = await claim(pool, await reserve(pool, accountId));
    expect(await recover()).toEqual({ waiting: 0, failed: [] });
    expect((await rowOf(pool, 'capture', held.id)).status).toBe('processing');
    // The claim must not expire during the following tests.
    await endCapture(pool, context, endingOf(held));
  });

  it('may belong to a worker that shut down, however often that happens', async () => {
    const id = await reserve(pool, accountId);
    for (let time = 1; time <= 5; time++) await releaseCapture(pool, await claim(pool, id));
    await recover();
    expect(await rowOf(pool, 'capture', id)).toMatchObject({ status: 'queued', attempt: 5, lost_workers: 0 });
  });
});

describe('a job that was lost in Redis', () => {
  it('makes its capture wait for scheduling again after 15 s, not before', async () => {
    const [old, young] = [await reserve(pool, accountId), await reserve(pool, accountId)];
    await pool.query(
      `UPDATE capture SET enqueued_at = now() - make_interval(secs => CASE id WHEN $1 THEN 16 ELSE 10 END)
        WHERE id = ANY($2)`,
      [old, [old, young]],
    );
    expect(await recover()).toEqual({ waiting: 1, failed: [] });
    expect((await rowOf(pool, 'capture', old)).enqueued_at).toBeNull();
    expect((await rowOf(pool, 'capture', young)).enqueued_at).not.toBeNull();
  });
});
