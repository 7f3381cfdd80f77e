import { beforeEach, expect, it } from '@jest/globals';
import { noteApart } from './accounts-apart.ts';
import {
  captureOf,
  claim,
  endingOf,
  eventContext,
  newAccount,
  newBatch,
  reserve,
  rowsRead,
  sendHeartbeats,
  useTestDatabase,
} from './captures.test-support.ts';
import { endCapture } from './end-capture.ts';
import { readQueueState } from './read-queue-state.ts';

const database = await useTestDatabase();
const { pool } = database;
const context = eventContext('B');
beforeEach(() => pool.query('TRUNCATE account, worker CASCADE'));

const enqueue = (ids: readonly string[]) =>
  pool.query('UPDATE capture SET enqueued_at = now() WHERE id = ANY ($1)', [ids]);

it('is empty without captures and workers', async () => {
  expect(await readQueueState(pool)).toEqual({
    enqueued: 0,
    accounts: new Map(),
    itemsWait: false,
    pages: 0,
    ended: new Map(),
  });
});

it('counts waiting and in-flight captures of each account, and the pages of live workers', async () => {
  const [{ id: one }, { id: two }] = [await newAccount(database), await newAccount(database)];
  await pool.query(`UPDATE account SET plan = 'business' WHERE id = $1`, [two]);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await reserve(pool, one));
  await enqueue(ids.slice(0, 2));
  await claim(pool, ids[0]!);
  const items = [captureOf(two), captureOf(two)];
  await newBatch(pool, two, items);
  await enqueue([items[0]!.id]);
  await pool.query('INSERT INTO account_turn (account_id, last_scheduled_at) VALUES ($1, now())', [two]);
  await noteApart(pool, two);
  await sendHeartbeats(pool, { one: 4, two: 3, lost: 8 });
  await pool.query(`UPDATE worker SET heartbeat_at = now() - interval '16 seconds' WHERE id = 'lost'`);
  expect(await readQueueState(pool)).toEqual({
    enqueued: 2,
    accounts: new Map([
      [one, { plan: 'free', waiting: 3, inFlight: 2, itemsInFlight: 0, isApart: false }],
      // Items of batches do not wait before single captures, so they do not count as waiting.
      [two, { plan: 'business', waiting: 0, inFlight: 1, itemsInFlight: 1, isApart: true }],
    ]),
    itemsWait: true,
    pages: 7,
    ended: new Map(),
  });
});

it('measures the duration of recent captures, failed ones included, without older ones and cache hits', async () => {
  const [{ id: one }, { id: two }] = [await newAccount(database), await newAccount(database)];
  const end = async (accountId: string, durationMs: number, change = '') => {
    const ended = await claim(pool, await reserve(pool, accountId));
    await endCapture(pool, context, { ...endingOf(ended), durationMs, at: new Date() });
    if (change) await pool.query(`UPDATE capture SET ${change} WHERE id = $1`, [ended.id]);
  };
  await end(one, 1_000);
  await end(one, 3_000, `status = 'failed'`);
  await end(one, 60_000, `completed_at = now() - interval '11 minutes'`);
  await end(one, 0, 'cached = true');
  await end(two, 500);
  const ended = async () => (await readQueueState(pool)).ended;
  const ofTwo = (captures: number) => [two, { captures, totalMs: captures * 500 }] as const;
  expect(await ended()).toEqual(new Map([[one, { captures: 2, totalMs: 4_000 }], ofTwo(1)]));
  // The sample contains only the last fifty captures.
  for (let i = 0; i < 50; i++) await end(two, 500);
  expect(await ended()).toEqual(new Map([ofTwo(50)]));
});

it('samples recent captures among the last few hundred that ended, because an account can cancel thousands', async () => {
  const { id } = await newAccount(database);
  const ended = await claim(pool, await reserve(pool, id));
  await endCapture(pool, context, { ...endingOf(ended), durationMs: 1_000, at: new Date() });
  for (let batch = 0; batch < 3; batch += 1) {
    await newBatch(
      pool,
      id,
      Array.from({ length: 1_000 }, () => captureOf(id)),
    );
  }
  await pool.query(`UPDATE capture SET status = 'cancelled', completed_at = now() WHERE batch_id IS NOT NULL`);
  await pool.query('VACUUM ANALYZE capture');
  const read = await rowsRead(database, 'capture', async (single) => {
    expect((await readQueueState(single)).ended).toEqual(new Map());
  });
  expect(read).toBeLessThan(600);
});
