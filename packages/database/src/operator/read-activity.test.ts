import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { arrangeDelivery } from '../endpoints/webhooks.test-support.ts';
import { newId } from '../ids.ts';
import { attemptsQuery, busiestAccounts, capturesQuery, failingReceivers, readActivity } from './read-activity.ts';

const database = await useTestDatabase();
const { pool } = database;
const at = new Date('2026-11-20T10:02:30.000Z');
const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000);

beforeEach(() => pool.query('TRUNCATE account, event, delivery, delivery_attempt CASCADE'));

interface Ended {
  status?: string;
  endedAt?: Date;
  waitedMs?: number;
  durationMs?: number | null;
  cached?: boolean;
  batchId?: string | null;
}

async function end(accountId: string, ended: Ended = {}): Promise<void> {
  const {
    status = 'completed',
    endedAt = at,
    waitedMs = 100,
    durationMs = 500,
    cached = false,
    batchId = null,
  } = ended;
  const createdAt = new Date(endedAt.getTime() - 60_000);
  const startedAt = durationMs === null ? null : new Date(createdAt.getTime() + waitedMs);
  await pool.query(
    `INSERT INTO capture (id, account_id, type, status, url, options, month, cached, batch_id, duration_ms, created_at,
                          started_at, completed_at)
     VALUES ($1, $2, 'screenshot', $3, 'https://example.com/', '{}', '2026-11', $4, $5, $6, $7, $8, $9)`,
    [newId('req', createdAt), accountId, status, cached, batchId, durationMs, createdAt, startedAt, endedAt],
  );
}

async function attempt(deliveryId: string, number: number, startedAt: Date, error: string | null): Promise<void> {
  await pool.query(
    `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, error)
     VALUES ($1, $2, 'schedule', $3, 5, $4)`,
    [deliveryId, number, startedAt, error],
  );
}

describe('activity', () => {
  it('is returned by minute, oldest first, including empty minutes and the current one', async () => {
    const { id } = await newAccount(database);
    const { rows } = await pool.query(
      `INSERT INTO batch (id, account_id, total, created_at) VALUES ('batch_1', $1, 2, now()) RETURNING id`,
      [id],
    );
    for (const durationMs of [100, 200, 300]) await end(id, { durationMs, waitedMs: durationMs / 10 });
    await end(id, { status: 'failed', durationMs: 9_000, waitedMs: 7 });
    await end(id, { status: 'cancelled', durationMs: null });
    await end(id, { cached: true, durationMs: 99_999, waitedMs: 59_000 });
    await end(id, { batchId: rows[0].id, durationMs: 250, waitedMs: 50_000 });
    await end(id, { endedAt: new Date('2026-11-20T10:00:00.000Z'), durationMs: 1, waitedMs: 0 });
    await end(id, { endedAt: new Date('2026-11-20T09:59:59.999Z') });
    const delivery = await arrangeDelivery(pool, { accountId: id });
    await attempt(delivery, 1, new Date('2026-11-20T09:59:59.999Z'), 'timeout');
    await attempt(delivery, 2, new Date('2026-11-20T10:01:00.000Z'), 'timeout');
    await attempt(delivery, 3, new Date('2026-11-20T10:02:00.000Z'), 'http_5xx');
    await attempt(delivery, 4, at, null);
    const quiet = { completed: 0, failed: 0, cancelled: 0, p50Ms: null, p95Ms: null, waitedP95Ms: null };
    expect(await readActivity(pool, { minutes: 3, at })).toEqual([
      {
        ...quiet,
        at: new Date('2026-11-20T10:00:00.000Z'),
        completed: 1,
        p50Ms: 1,
        p95Ms: 1,
        waitedP95Ms: 0,
        deliveriesSucceeded: 0,
        deliveriesFailed: 0,
      },
      { ...quiet, at: new Date('2026-11-20T10:01:00.000Z'), deliveriesSucceeded: 0, deliveriesFailed: 1 },
      {
        at: new Date('2026-11-20T10:02:00.000Z'),
        completed: 4,
        failed: 1,
        cancelled: 1,
        p50Ms: 250,
        p95Ms: 9_000,
        waitedP95Ms: 30,
        deliveriesSucceeded: 1,
        deliveriesFailed: 1,
      },
    ]);
  });

  it('is read from indexes on the time, whatever the history', async () => {
    const { id } = await newAccount(database);
    const delivery = await arrangeDelivery(pool, { accountId: id });
    await pool.query(
      `INSERT INTO capture (id, account_id, type, status, url, options, month, duration_ms, created_at, started_at, completed_at)
       SELECT 'req_' || lpad(n::text, 26, '0'), $1, 'screenshot', 'completed', 'https://example.com/', '{}', '2026-11', 5,
              $2::timestamptz - make_interval(secs => n), $2, $2::timestamptz - make_interval(secs => n)
         FROM generate_series(1, 20000) n`,
      [id, at],
    );
    await pool.query(
      `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms)
       SELECT $1, n, 'schedule', $2::timestamptz - make_interval(secs => n), 5 FROM generate_series(1, 20000) n`,
      [delivery, at],
    );
    await pool.query('VACUUM ANALYZE capture; VACUUM ANALYZE delivery_attempt').catch(async () => {
      await pool.query('ANALYZE capture; ANALYZE delivery_attempt');
    });
    for (const [query, index] of [
      [capturesQuery(minutesAgo(10)), 'capture_first_completed_at_idx'],
      [attemptsQuery(minutesAgo(10)), 'delivery_attempt_first_started_at_idx'],
    ] as const) {
      const { rows } = await pool.query(`EXPLAIN ${query.text}`, query.values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(index);
      // A sequential scan of the default partition is fine, because it is empty.
      expect(plan).not.toMatch(/Seq Scan on (?!\w+_default)/);
    }
  });
});

describe('the busiest accounts', () => {
  it('are those with the most open or recently ended captures, with today’s usage', async () => {
    const [one, two, gone, idle] = [
      await newAccount(database),
      await newAccount(database),
      await newAccount(database),
      await newAccount(database),
    ];
    for (let i = 0; i < 3; i++) await end(one.id);
    await end(one.id, { cached: true });
    await end(one.id, { status: 'failed' });
    await end(one.id, { status: 'cancelled', durationMs: null });
    await end(two.id, { endedAt: minutesAgo(30) });
    await end(gone.id);
    await pool.query('UPDATE account SET deleted_at = now() WHERE id = $1', [gone.id]);
    await end(idle.id, { endedAt: minutesAgo(3 * 24 * 60) });
    for (const [status, enqueued] of [
      ['queued', null],
      ['queued', at],
      ['processing', at],
    ] as const) {
      for (let i = 0; i < 2; i++) {
        await pool.query(
          `INSERT INTO capture (id, account_id, type, status, url, options, month, created_at, enqueued_at)
           VALUES ($1, $2, 'screenshot', $3, 'https://example.com/', '{}', '2026-11', $4, $5)`,
          [newId('req', at), two.id, status, at, enqueued],
        );
      }
    }
    const busiest = await busiestAccounts(pool, { since: minutesAgo(10), at, limit: 10 });
    expect(busiest.map(({ id, open, ended, usedToday }) => ({ id, open, ended, usedToday }))).toEqual([
      { id: two.id, open: 6, ended: 0, usedToday: 1 },
      { id: one.id, open: 0, ended: 4, usedToday: 3 },
    ]);
    expect(busiest[0]).toMatchObject({ email: expect.stringContaining('@'), plan: 'free' });
    const first = await busiestAccounts(pool, { since: minutesAgo(10), at, limit: 1 });
    expect(first.map(({ id }) => id)).toEqual([two.id]);
  });
});

describe('failing receivers', () => {
  it('are the hosts with the most deliveries waiting after a failed attempt', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    const fail = async (
      accountId: string,
      url: string,
      error: string | null,
      status: 'pending' | 'failed' = 'pending',
    ) => {
      const id = await arrangeDelivery(pool, { accountId, url, status });
      await pool.query('UPDATE delivery SET last_error = $2 WHERE id = $1', [id, error]);
      return id;
    };
    await fail(one.id, 'https://down.example/a', 'refused');
    await fail(one.id, 'https://down.example/b', 'timeout');
    const first = await fail(other.id, 'https://down.example/c', 'timeout');
    await pool.query('UPDATE delivery SET next_attempt_at = $2 WHERE id = $1', [first, at]);
    await fail(one.id, 'https://slow.example:8443/', 'http_5xx');
    await fail(one.id, 'https://new.example/', null);
    await fail(one.id, 'https://over.example/', 'http_4xx', 'failed');
    expect(await failingReceivers(pool, 10)).toEqual([
      { host: 'down.example', accounts: 2, pending: 3, oldestDueAt: expect.any(Date), lastError: 'timeout' },
      { host: 'slow.example:8443', accounts: 1, pending: 1, oldestDueAt: expect.any(Date), lastError: 'http_5xx' },
    ]);
    expect(await failingReceivers(pool, 1)).toHaveLength(1);
  });
});
