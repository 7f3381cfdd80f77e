import { beforeEach, expect, it } from '@jest/globals';
import {
  claim,
  eventContext,
  newAccount,
  reserve,
  sendHeartbeats,
  useTestDatabase,
} from '../captures/captures.test-support.ts';
import { after, beAlive, beginOne, claimOne, due, insertDelivery } from '../deliveries/deliveries.test-support.ts';
import { readQueues } from './read-queues.ts';

const database = await useTestDatabase();
const { pool } = database;
const { form } = eventContext('B');
beforeEach(() => pool.query('TRUNCATE account, event, delivery, delivery_attempt, worker, dispatcher CASCADE'));

const none = { waiting: 0, active: 0, delayed: 0, oldestWaitingS: null, workers: 0 };

it('are empty without work', async () => {
  expect(await readQueues(pool, due)).toEqual([
    { name: 'captures', ...none },
    { name: 'deliveries', ...none },
  ]);
});

it('count waiting captures, scheduled or not, those being rendered, and live workers', async () => {
  const { id } = await newAccount(database);
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await reserve(pool, id));
  await claim(pool, ids[3] as string);
  await pool.query('UPDATE capture SET enqueued_at = now() WHERE id = $1', [ids[0]]);
  await pool.query(
    `UPDATE capture SET created_at = now() - interval '90 seconds' WHERE id = (SELECT min(id) FROM capture WHERE status = 'queued')`,
  );
  await sendHeartbeats(pool, { one: 4, two: 4, draining: 0, lost: 4 });
  await pool.query(`UPDATE worker SET heartbeat_at = now() - interval '1 minute' WHERE id = 'lost'`);
  const [captures] = await readQueues(pool, due);
  expect(captures).toEqual({
    ...none,
    name: 'captures',
    waiting: 3,
    active: 1,
    oldestWaitingS: expect.any(Number),
    workers: 2,
  });
  expect(captures?.oldestWaitingS).toBeGreaterThanOrEqual(90);
});

it('count deliveries that are due, claimed, in progress and due later, and live dispatchers', async () => {
  const { id } = await newAccount(database);
  await insertDelivery(pool, id, after(due, -300_000));
  await beginOne(pool, form);
  await insertDelivery(pool, id, after(due, -200_000));
  await claimOne(pool, form);
  await insertDelivery(pool, id, after(due, -120_000));
  await insertDelivery(pool, id, after(due, -60_000));
  for (const later of [1, 2, 3]) await insertDelivery(pool, id, after(due, later * 60_000));
  await insertDelivery(pool, id, due, { paused: true });
  const ended = await insertDelivery(pool, id);
  await pool.query(`UPDATE delivery SET status = 'delivered', next_attempt_at = NULL WHERE id = $1`, [ended]);
  await beAlive(pool, 8, 'another');
  await pool.query(`UPDATE dispatcher SET heartbeat_at = now() - interval '14 seconds' WHERE id = 'another'`);
  await beAlive(pool, 8, 'lost');
  await pool.query(`UPDATE dispatcher SET heartbeat_at = now() - interval '16 seconds' WHERE id = 'lost'`);
  const [, deliveries] = await readQueues(pool, due);
  expect(deliveries).toEqual({
    name: 'deliveries',
    waiting: 3,
    active: 1,
    delayed: 3,
    oldestWaitingS: 120,
    workers: 2,
  });
});
