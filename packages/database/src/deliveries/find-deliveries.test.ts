import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import {
  arrangeBacklog,
  arrangeDelivery,
  before,
  beginDelivery,
  endpointUrl,
  explain,
  later,
  newEndpoint,
  now,
  sampleBody,
} from '../endpoints/webhooks.test-support.ts';
import type { DeliveryStatus } from './delivery-conditions.ts';
import {
  attemptsShown,
  type DeliveryPage,
  deliveriesQuery,
  findDelivery,
  listDeliveries,
  searchedAtMost,
} from './find-deliveries.ts';

const database = await useTestDatabase();
const { pool } = database;
let accountId: string;
beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});

const everything: DeliveryPage = {
  accountId: null,
  webhookId: null,
  since: null,
  until: null,
  status: null,
  event: null,
  after: null,
  limit: 20,
};
const list = async (page: Partial<DeliveryPage>) => (await listDeliveries(pool, { ...everything, ...page })).deliveries;

describe('a delivery', () => {
  it('is found with its body and attempts, by its owner and the operator', async () => {
    const { id: webhookId } = await newEndpoint(database, accountId);
    const id = await arrangeDelivery(pool, { accountId, webhookId, event: 'capture.failed' });
    await pool.query(
      `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms, status, error, response_excerpt)
       VALUES ($1, 2, 'manual', $3, 5, 200, NULL, 'fine'), ($1, 1, 'schedule', $2, 30000, NULL, 'timeout', NULL)`,
      [id, before(1_000), now],
    );
    const found = await findDelivery(pool, { id, accountId });
    expect(found).toEqual({
      id,
      accountId,
      event: 'capture.failed',
      eventId: expect.stringMatching(/^evt_/),
      captureId: expect.stringMatching(/^req_/),
      batchId: null,
      webhookId,
      url: endpointUrl,
      status: 'pending',
      attemptCount: 0,
      nextAttemptAt: later(600_000),
      lastStatus: null,
      lastError: null,
      createdAt: before(3_600_000),
      completedAt: null,
      body: sampleBody,
      attempts: [
        {
          number: 1,
          trigger: 'schedule',
          startedAt: before(1_000),
          durationMs: 30_000,
          status: null,
          error: 'timeout',
          responseExcerpt: null,
        },
        {
          number: 2,
          trigger: 'manual',
          startedAt: now,
          durationMs: 5,
          status: 200,
          error: null,
          responseExcerpt: 'fine',
        },
      ],
    });
    expect(await findDelivery(pool, { id, accountId: null })).toEqual(found);
    expect(await findDelivery(pool, { id, accountId: (await newAccount(database)).id })).toBeNull();
    expect(await findDelivery(pool, { id: 'dlv_unknown', accountId: null })).toBeNull();
  });

  it('is found with its last attempts only, in order, however often it was retried', async () => {
    const id = await arrangeDelivery(pool, { accountId });
    const attempts = 2 * attemptsShown + 1;
    await pool.query(
      `INSERT INTO delivery_attempt (delivery_id, number, trigger, started_at, duration_ms)
       SELECT $1, n, 'manual', $2, 1 FROM generate_series(1, $3::int) n`,
      [id, now, attempts],
    );
    const found = await findDelivery(pool, { id, accountId });
    const last = Array.from({ length: attemptsShown }, (_, index) => attempts - attemptsShown + index + 1);
    expect(found?.attempts.map(({ number }) => number)).toEqual(last);
  });

  it('with an attempt in progress has no next attempt', async () => {
    const id = await arrangeDelivery(pool, { accountId });
    await beginDelivery(pool, id);
    expect(await findDelivery(pool, { id, accountId })).toMatchObject({ status: 'pending', nextAttemptAt: null });
  });
});

describe('a list of deliveries', () => {
  it('has one account’s deliveries of all statuses, newest first, page by page', async () => {
    const { id: stranger } = await newAccount(database);
    await arrangeDelivery(pool, { accountId: stranger });
    const ids: string[] = [];
    const statuses: DeliveryStatus[] = ['failed', 'pending', 'delivered', 'paused', 'delivered', 'failed', 'pending'];
    for (const [i, status] of statuses.entries()) {
      ids.unshift(await arrangeDelivery(pool, { accountId, status, createdAt: before(10_000 - i) }));
    }
    expect((await list({ accountId })).map(({ id }) => id)).toEqual(ids);
    const paged: string[] = [];
    for (let after: string | null = null; paged.length < ids.length; after = paged.at(-1) ?? null) {
      const page = await list({ accountId, after, limit: 2 });
      expect(page.length).toBeGreaterThan(0);
      paged.push(...page.map(({ id }) => id));
    }
    expect(paged).toEqual(ids);
    expect(await list({ accountId, after: ids.at(-1) ?? '' })).toEqual([]);
  });

  it('can be filtered by status, event, endpoint and time, to the millisecond', async () => {
    const { id: webhookId } = await newEndpoint(database, accountId);
    const make = (more: object) => arrangeDelivery(pool, { accountId, createdAt: now, ...more });
    const ids = {
      failed: await make({ status: 'failed', event: 'capture.failed' }),
      endpoints: await make({ webhookId, status: 'delivered' }),
      sooner: await make({ createdAt: before(1) }),
      later: await make({ createdAt: later(1) }),
    };
    const found = async (page: Partial<DeliveryPage>) =>
      (await list({ accountId, ...page })).map(({ id }) => Object.entries(ids).find((entry) => entry[1] === id)?.[0]);
    expect(await found({ status: 'failed' })).toEqual(['failed']);
    expect(await found({ event: 'capture.failed' })).toEqual(['failed']);
    expect(await found({ webhookId })).toEqual(['endpoints']);
    expect(await found({ webhookId, status: 'failed' })).toEqual([]);
    expect(await found({ since: now, status: 'pending' })).toEqual(['later']);
    expect(await found({ until: now })).toEqual(['sooner']);
    expect(await found({ since: now, until: later(1), status: 'delivered' })).toEqual(['endpoints']);
    expect(await found({ since: new Date(-1), until: later(1_000) })).toHaveLength(4);
    expect((await list({ accountId: null, webhookId })).map(({ id }) => id)).toEqual([ids.endpoints]);
    expect(await list({ accountId: (await newAccount(database)).id, webhookId })).toEqual([]);
  });
});

describe('among 50,000 deliveries', () => {
  const owners: { accountId: string; webhookId: string }[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 100; i++) {
      const { id: accountId } = await newAccount(database);
      owners.push({ accountId, webhookId: (await newEndpoint(database, accountId)).id });
    }
    await arrangeBacklog(database, owners, 50_000);
  });

  const middle = before(25_000_000);
  /** The ranges are an account with 50 % of the deliveries, an account with few, an endpoint of each, and all deliveries. */
  const scopes = () => [...owners.slice(0, 2), ...owners.slice(0, 2).map(({ accountId }) => ({ accountId })), {}];

  it('a page reads and sorts few rows, wherever it begins', async () => {
    for (const scope of scopes()) {
      for (const page of [{}, { until: middle }, { since: middle }, { status: 'failed' as const }]) {
        const query = deliveriesQuery({ ...everything, ...scope, ...page, limit: 21 });
        const { nodes, rowsRead, largestSort } = await explain(pool, query);
        expect(nodes).not.toContain('Seq Scan');
        expect(rowsRead).toBeGreaterThan(20);
        expect(rowsRead).toBeLessThan(1_500);
        expect(largestSort).toBeLessThan(1_500);
      }
    }
  });

  it('a page equals the result of a full scan', async () => {
    for (const scope of scopes()) {
      const page = { ...everything, ...scope, since: before(30_000_000), until: middle, limit: 101 };
      const { rows } = await pool.query(
        `SELECT id FROM delivery WHERE created_at >= $1 AND created_at < $2
            AND ($3::text IS NULL OR account_id = $3) AND ($4::text IS NULL OR webhook_id = $4)
          ORDER BY id DESC LIMIT 101`,
        [page.since, page.until, page.accountId, page.webhookId],
      );
      expect((await list(page)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    }
  });

  it('a search for an event reads a part of them at a time, and continues until the end', async () => {
    const event = 'batch.progress';
    const oldest = await arrangeDelivery(pool, {
      accountId: owners[0]?.accountId ?? '',
      event,
      createdAt: before(9e9),
    });
    for (const accountId of [null, owners[0]?.accountId ?? '']) {
      const found: string[] = [];
      let searches = 0;
      for (let after: string | null = null; ; searches += 1) {
        const page: DeliveryPage = { ...everything, accountId, event, after };
        const { rowsRead } = await explain(pool, deliveriesQuery(page));
        expect(rowsRead).toBeLessThan(7 * searchedAtMost);
        const { deliveries, searchedTo } = await listDeliveries(pool, page);
        found.push(...deliveries.map(({ id }) => id));
        if (searchedTo === null) break;
        after = searchedTo;
      }
      expect(found).toEqual([oldest]);
      expect(searches).toBe(accountId === null ? 5 : 2);
    }
    await pool.query('DELETE FROM delivery WHERE id = $1', [oldest]);
  });
});
