import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { transaction } from '../database.ts';
import { changeEndpoint } from '../endpoints/change-endpoint.ts';
import { deleteEndpoint } from '../endpoints/endpoints.ts';
import {
  arrangeBacklog,
  arrangeDelivery,
  before,
  beginDelivery,
  deliveryRow,
  explain,
  inOrder,
  later,
  newEndpoint,
  now,
  receiversOf,
} from '../endpoints/webhooks.test-support.ts';
import { candidatesQuery, firstOfReplay, type Replay, replayDeliveries, replaySlice } from './replay-deliveries.ts';

const database = await useTestDatabase(20);
const { pool } = database;
let accountId: string;
let webhookId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
  webhookId = (await newEndpoint(database, accountId)).id;
});

const replayOf = (more: Partial<Replay> = {}): Replay => ({
  accountId,
  webhookId,
  since: before(86_400_000),
  until: null,
  statuses: ['failed'],
  at: now,
  ...more,
});
const inSlices = (more?: Partial<Replay>) => replayDeliveries(pool, replayOf(more));
/** Replays in small slices. Each slice continues from the progress of the previous slice, stored as JSON. */
async function inSmallSlices(more?: Partial<Replay>): Promise<number> {
  const replay = replayOf(more);
  for (let stored = JSON.stringify(firstOfReplay(replay)); ; ) {
    const before = JSON.parse(stored);
    const { progress, isLast } = await transaction(pool, (connection) => replaySlice(connection, replay, before, 300));
    if (isLast) return progress.replayed;
    stored = JSON.stringify(progress);
  }
}
const arrange = (more: object = {}) => arrangeDelivery(pool, { accountId, webhookId, status: 'failed', ...more });

const replayed = {
  status: 'pending',
  next_attempt_at: now,
  lease_until: null,
  retries_used: 0,
  next_trigger: 'manual',
  completed_at: null,
};

describe.each([
  ['in slices', inSlices],
  ['in small slices', inSmallSlices],
])('a replay, %s', (_how, replay) => {
  it('replays the deliveries of the requested statuses only', async () => {
    const ids = {
      failed: await arrange({ retriesUsed: 5 }),
      delivered: await arrange({ status: 'delivered' }),
      pending: await arrange({ status: 'pending' }),
      paused: await arrange({ status: 'paused' }),
      started: await arrange({ status: 'pending' }),
      otherEndpoint: await arrange({ webhookId: (await newEndpoint(database, accountId)).id }),
      noEndpoint: await arrange({ webhookId: null }),
    };
    await beginDelivery(pool, ids.started);
    const rowsOf = () => Promise.all(Object.values(ids).map((id) => deliveryRow(pool, id)));
    const [, ...others] = await rowsOf();
    expect(await replay()).toBe(1);
    const [failed, ...after] = await rowsOf();
    expect(failed).toMatchObject(replayed);
    expect(after).toEqual(others);
    expect(await receiversOf(pool, accountId)).toEqual({ 'hooks.example.com': now });
    expect(await replay({ statuses: ['delivered'] })).toBe(1);
    expect(await deliveryRow(pool, ids.delivered)).toMatchObject(replayed);
    expect(await replay({ statuses: ['failed', 'delivered'] })).toBe(0);
  });

  it('replays the requested period only, to the millisecond', async () => {
    const times = [before(3_001), before(3_000), before(2_001), before(2_000)];
    const ids: string[] = [];
    for (const createdAt of times) ids.push(await arrange({ createdAt }));
    expect(await replay({ since: before(3_000), until: before(2_000) })).toBe(2);
    const statuses = await Promise.all(ids.map(async (id) => (await deliveryRow(pool, id)).status));
    expect(statuses).toEqual(['failed', 'pending', 'pending', 'failed']);
    expect(await replay({ since: new Date(-5) })).toBe(2);
  });

  it('holds deliveries of a paused or disabled endpoint until it is resumed', async () => {
    const id = await arrange();
    for (const status of ['paused', 'disabled']) {
      await pool.query('UPDATE webhook_endpoint SET status = $1', [status]);
      await pool.query(`UPDATE delivery SET status = 'failed', completed_at = $1`, [now]);
      expect(await replay()).toBe(1);
      expect(await deliveryRow(pool, id)).toMatchObject({ ...replayed, status: 'paused', next_attempt_at: null });
      expect(await receiversOf(pool, accountId)).toEqual({});
    }
    await changeEndpoint(pool, { id: webhookId, accountId }, { status: 'active' }, now);
    expect(await deliveryRow(pool, id)).toMatchObject(replayed);
  });

  it('goes to the endpoint’s current URL', async () => {
    const id = await arrange();
    const url = 'https://other.example.com/';
    await changeEndpoint(pool, { id: webhookId, accountId }, { url }, now);
    expect(await replay()).toBe(1);
    expect(await deliveryRow(pool, id)).toMatchObject({ ...replayed, url });
    expect(await receiversOf(pool, accountId)).toEqual({ 'other.example.com': now });
  });

  it('of everything includes URLs of requests and skips deleted endpoints', async () => {
    const another = (await newAccount(database)).id;
    const ids = {
      endpoints: await arrange(),
      requests: await arrange({ webhookId: null, url: 'https://one.example.com/' }),
      anothers: await arrange({ accountId: another, webhookId: null, url: 'https://two.example.com/' }),
      gone: await arrange({ webhookId: (await newEndpoint(database, accountId)).id }),
    };
    const { webhook_id } = await deliveryRow(pool, ids.gone);
    await deleteEndpoint(pool, { id: webhook_id, accountId }, now);
    expect(await replay({ webhookId: null })).toBe(2);
    expect(await receiversOf(pool, accountId)).toEqual({ 'hooks.example.com': now, 'one.example.com': now });
    expect(await replay({ webhookId: null, accountId: null })).toBe(1);
    expect(await receiversOf(pool, another)).toEqual({ 'two.example.com': now });
    expect(await deliveryRow(pool, ids.gone)).toMatchObject({ status: 'failed' });
    expect(await deliveryRow(pool, ids.requests)).toMatchObject(replayed);
  });

  it('skips deliveries that ended after the request: they were sent again already', async () => {
    const id = await arrange({ completedAt: later(1) });
    expect(await replay()).toBe(0);
    expect(await replay({ at: later(1) })).toBe(1);
    expect(await deliveryRow(pool, id)).toMatchObject({ status: 'pending' });
  });

  it('replays more than one slice', async () => {
    await arrangeBacklog(database, [{ accountId, webhookId }], 9_000);
    const { rows } = await pool.query(`SELECT count(*)::int FROM delivery WHERE status = 'failed'`);
    expect(rows[0].count).toBeGreaterThan(2_000);
    expect(await replay({ since: new Date(0) })).toBe(rows[0].count);
    expect(await replay({ since: new Date(0) })).toBe(0);
  });
});

it('two equal replays at the same time replay each delivery once', async () => {
  await arrangeBacklog(database, [{ accountId, webhookId }], 9_000);
  const { rows } = await pool.query(`SELECT count(*)::int FROM delivery WHERE status IN ('failed', 'delivered')`);
  const more = { since: new Date(0), statuses: ['failed', 'delivered'] as const };
  const counts = await Promise.all([inSlices(more), inSmallSlices(more), inSlices(more), inSmallSlices(more)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows[0].count);
});

it('a replay that waited for the rows of another replays none of them', async () => {
  const id = await arrange();
  const lock = ['SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', id] as const;
  expect(
    await inOrder(
      database,
      lock,
      () => inSlices(),
      () => inSlices(),
    ),
  ).toEqual([1, 0]);
});

it('a replay that waited for a pause of its endpoint holds deliveries; one that waited for its deletion skips them', async () => {
  const lock = ['SELECT 1 FROM webhook_endpoint WHERE id = $1 FOR UPDATE', webhookId] as const;
  const key = { id: webhookId, accountId };
  const id = await arrange();
  const pause = () => changeEndpoint(pool, key, { status: 'paused' }, now);
  expect((await inOrder(database, lock, pause, () => inSlices()))[1]).toBe(1);
  expect(await deliveryRow(pool, id)).toMatchObject({ status: 'paused' });
  await changeEndpoint(pool, key, { status: 'active' }, now);
  await pool.query(`UPDATE delivery SET status = 'failed', completed_at = $1`, [now]);
  expect(
    await inOrder(
      database,
      lock,
      () => deleteEndpoint(pool, key, now),
      () => inSlices(),
    ),
  ).toEqual([true, 0]);
});

it('among 50,000 deliveries the next slice is found without reading the others, wherever it begins', async () => {
  const owners = [{ accountId, webhookId }];
  while (owners.length < 100) {
    const { id } = await newAccount(database);
    owners.push({ accountId: id, webhookId: (await newEndpoint(database, id)).id });
  }
  await arrangeBacklog(database, owners, 50_000);
  // The ranges are an account with 50 % of the deliveries, an account with few, an endpoint of each, and all deliveries.
  const few = owners[1];
  const scopes = [
    {},
    { webhookId: null },
    { ...few },
    { ...few, webhookId: null },
    { webhookId: null, accountId: null },
  ];
  for (const scope of scopes) {
    for (const since of [before(49_000_000), before(25_000_000)]) {
      const replay = replayOf({ ...scope, since, statuses: ['failed', 'delivered'] });
      const { nodes, rowsRead, largestSort } = await explain(pool, candidatesQuery(replay, '', 100));
      expect(nodes).not.toContain('Seq Scan');
      expect(rowsRead).toBeGreaterThanOrEqual(100);
      expect(rowsRead).toBeLessThan(1_500);
      expect(largestSort).toBeLessThan(1_500);
    }
  }
});
