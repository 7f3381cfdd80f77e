import { monthOf } from '@capture/contract/api/month';
import { planOf } from '@capture/contract/forms/forms';
import { timeOfId } from '@capture/database/ids';
import { withClockAhead } from '@capture/testing/clock-ahead';
import { describe, expect, it } from '@jest/globals';
import { startSecondGateway, startSharedGateway, startTestWorker, type TestGateway } from './test-gateway.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const gateway = await startSharedGateway('B');
startTestWorker(gateway, () => 'completed');
let accounts = 0;

/** Uses a gateway on a machine whose clock is wrong from its start. @param prepare runs before, by the right clock. */
async function withWrongClock(
  aheadMs: number,
  prepare: (key: string) => Promise<void>,
  use: (wrong: TestGateway, key: string) => Promise<void>,
): Promise<void> {
  accounts += 1;
  const key = await gateway.register(`clock-${accounts}@example.com`, 'pro');
  await prepare(key);
  await withClockAhead(aheadMs, async () => use(await startSecondGateway(gateway), key));
}

const rowOf = async (id: string) => {
  const { rows } = await gateway.database.pool.query('SELECT *, now() AS "databaseTime" FROM capture WHERE id = $1', [
    id,
  ]);
  return rows[0];
};
const expectNear = (at: Date, near: Date) => expect(Math.abs(at.getTime() - near.getTime())).toBeLessThan(minuteMs);

describe.each([
  ['ahead', 40 * dayMs],
  ['behind', -40 * dayMs],
])('a gateway whose clock is 40 days %s', (_, aheadMs) => {
  it('gives ids, cancellations and quota the time and month of Postgres', async () => {
    const stopWorkers = async () => void (await gateway.database.pool.query('DELETE FROM worker'));
    await withWrongClock(aheadMs, stopWorkers, async (wrong, key) => {
      const body = { url: 'https://example.com/', async: true };
      const { body: accepted } = await wrong.as(key).post('/api/v1/screenshot').send(body).expect(202);
      const id = accepted.request_id;
      await wrong.as(key).delete(`/api/v1/captures/${id}`).expect(204);
      const row = await rowOf(id);
      expect(row.month).toBe(monthOf(row.databaseTime));
      expectNear(timeOfId(id), row.databaseTime);
      expectNear(row.completed_at, row.databaseTime);
      expect(row.completed_at.getTime()).toBeGreaterThanOrEqual(row.created_at.getTime());
    });
  });

  it('keeps the file of a cached capture for as long as the plan says, and its link works', async () => {
    const body = { url: 'https://example.com/', cache_ttl_s: 3_600, response_type: 'json' };
    const send = (at: TestGateway, key: string) => at.as(key).post('/api/v1/screenshot').send(body).expect(200);
    const render = async (key: string) => void (await send(gateway, key));
    await withWrongClock(aheadMs, render, async (wrong, key) => {
      const { body: record } = await send(wrong, key);
      const row = await rowOf(record.request_id);
      expect(row.cached).toBe(true);
      expectNear(row.created_at, row.databaseTime);
      const days = planOf(gateway.form, 'pro').fileRetentionDays;
      expectNear(row.expires_at, new Date(row.databaseTime.getTime() + days * dayMs));
      const link = new URL(record.file_url);
      await wrong.http.get(link.pathname + link.search).expect(200);
    });
  });

  it('replays the deliveries that have ended, at once', async () => {
    const read = () =>
      gateway.database.pool.query('SELECT d.*, now() AS "databaseTime" FROM delivery d ORDER BY id DESC LIMIT 1');
    const fail = async (key: string) => {
      const webhook_url = 'https://receiver.example/hook';
      await gateway.as(key).post('/api/v1/screenshot').send({ url: 'https://example.com/', webhook_url }).expect(200);
      await gateway.database.pool.query(
        `UPDATE delivery SET status = 'failed', completed_at = now(), next_attempt_at = NULL WHERE status = 'pending'`,
      );
    };
    await withWrongClock(aheadMs, fail, async (wrong) => {
      const since = (await read()).rows[0].created_at.toISOString();
      const { body } = await wrong.asOperator.post('/api/operator/deliveries/replay').send({ status: 'failed', since });
      expect(body).toEqual({ replayed: 1 });
      const [delivery] = (await read()).rows;
      expect(delivery.status).toBe('pending');
      expectNear(delivery.next_attempt_at, delivery.databaseTime);
    });
  });
});
