import { beforeEach, expect, it } from '@jest/globals';
import { claim, eventContext, newAccount, reserve, useTestDatabase } from '../captures/captures.test-support.ts';
import { sendHeartbeat } from '../captures/worker-heartbeat.ts';
import { after, beAlive, beginOne, claimOne, due, insertDelivery } from '../deliveries/deliveries.test-support.ts';
import { readQueues } from './read-queues.ts';

const database = useTestDatabase();
const { form } = eventContext('B');
beforeEach(() => database.pool.query('TRUNCATE account, event, worker, dispatcher CASCADE'));

const none = { waiting: 0, active: 0, delayed: 0, oldestWaitingS: null, workers: 0 };

it('are empty without work', async () => {
  expect(await readQueues(database.pool, due)).toEqual([
    { name: 'captures', ...none },
    { name: 'deliveries', ...none },
  ]);
});

it('count waiting captures, scheduled or not, those being rendered, and live workers', async () => {
  const { id } = await newAccount(database);
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await reserve(database.pool, id));
  await claim(database.pool, ids[3] as string);
  await database.pool.query('UPDATE capture SET enqueued_at = now() WHERE id = $1', [ids[0]]);
  await database.pool.query(
    `UPDATE capture SET created_at = now() - interval '90 seconds' WHERE id = (SELECT min(id) FROM capture WHERE status = 'queued')`,
  );
  for (const [worker, pages] of [
    ['one', 4],
    ['two', 4],
    ['draining', 0],
    ['lost', 4],
  ] as const) {
    await sendHeartbeat(database.pool, { id: worker, pages, captureIds: [] });
  }
  await database.pool.query(`UPDATE worker SET heartbeat_at = now() - interval '1 minute' WHERE id = 'lost'`);
  const [captures] = await readQueues(database.pool, due);
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
  await insertDelivery(database.pool, id, after(due, -300_000));
  await beginOne(database.pool, form);
  await insertDelivery(database.pool, id, after(due, -200_000));
  await claimOne(database.pool, form);
  await insertDelivery(database.pool, id, after(due, -120_000));
  await insertDelivery(database.pool, id, after(due, -60_000));
  for (const later of [1, 2, 3]) await insertDelivery(database.pool, id, after(due, later * 60_000));
  await insertDelivery(database.pool, id, due, { paused: true });
  const ended = await insertDelivery(database.pool, id);
  await database.pool.query(`UPDATE delivery SET status = 'delivered', next_attempt_at = NULL WHERE id = $1`, [ended]);
  await beAlive(database.pool, 8, 'another');
  const [, deliveries] = await readQueues(database.pool, due);
  expect(deliveries).toEqual({
    name: 'deliveries',
    waiting: 3,
    active: 1,
    delayed: 3,
    oldestWaitingS: 120,
    workers: 2,
  });
});
