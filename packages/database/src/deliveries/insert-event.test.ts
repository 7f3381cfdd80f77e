import { forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  claim,
  endingOf,
  eventContext,
  newAccount,
  reserve,
  useTestDatabase,
} from '../captures/captures.test-support.ts';
import { endCapture } from '../captures/end-capture.ts';
import { transaction } from '../database.ts';
import { waitForLocks } from '../endpoints/webhooks.test-support.ts';
import { firstIdAt, newId } from '../ids.ts';
import { due, eventBody, insertEndpoint, receiverOf, webhookUrl } from './deliveries.test-support.ts';
import { insertEvent, receiversOfEvent } from './insert-event.ts';
import { makeReceiversDue } from './receivers.ts';

const database = await useTestDatabase();
const { pool } = database;
const { A, B } = forms;
const event = { name: 'capture.completed', body: eventBody } as const;
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  accountId = (await newAccount(database)).id;
});

const deliveries = async () => (await pool.query('SELECT * FROM delivery ORDER BY webhook_id NULLS FIRST, id')).rows;

describe('an event', () => {
  it('goes to the URL of its request and to the account’s subscribed endpoints', async () => {
    const [one, two] = [await insertEndpoint(pool, accountId), await insertEndpoint(pool, accountId)];
    await pool.query(`UPDATE webhook_endpoint SET events = '{capture.failed}' WHERE id = $1`, [two]);
    await insertEndpoint(pool, (await newAccount(database)).id);
    expect(await receiversOfEvent(pool, B, { accountId, webhookUrl }, event.name)).toEqual([
      { webhookId: null, url: webhookUrl, paused: false },
      { webhookId: one, url: webhookUrl, paused: false },
    ]);
    expect(await receiversOfEvent(pool, B, { accountId, webhookUrl: null }, 'capture.failed')).toHaveLength(2);
  });

  it('goes only to the URL in a form without registration', async () => {
    await insertEndpoint(pool, accountId);
    expect(await receiversOfEvent(pool, A, { accountId, webhookUrl }, event.name)).toHaveLength(1);
    expect(await receiversOfEvent(pool, A, { accountId, webhookUrl: null }, event.name)).toEqual([]);
  });

  it('of a capture without a URL is recorded for the endpoints, in the transaction that ends it', async () => {
    const webhookId = await insertEndpoint(pool, accountId);
    const taken = await claim(pool, await reserve(pool, accountId));
    expect(await endCapture(pool, eventContext('B'), endingOf(taken))).toEqual({ deliveries: 1 });
    expect(await deliveries()).toMatchObject([{ webhook_id: webhookId, status: 'pending', host: 'hooks.example.com' }]);
    expect((await receiverOf(pool, accountId)).next_due_at).not.toBeNull();
  });

  it('without receivers leaves no rows', async () => {
    const taken = await claim(pool, await reserve(pool, accountId));
    expect(await endCapture(pool, eventContext('B'), endingOf(taken))).toEqual({ deliveries: 0 });
    const { rows } = await pool.query('SELECT id FROM event');
    expect(rows).toEqual([]);
  });

  it('is held for a paused endpoint', async () => {
    const webhookId = await insertEndpoint(pool, accountId);
    await pool.query(`UPDATE webhook_endpoint SET status = 'paused'`);
    const receivers = await receiversOfEvent(pool, B, { accountId, webhookUrl }, event.name);
    const keys = await insertEvent(pool, accountId, receivers, event, { captureId: 'req_1', at: due });
    expect(keys).toHaveLength(1);
    expect(await deliveries()).toMatchObject([
      { webhook_id: null, status: 'pending', next_attempt_at: due },
      { webhook_id: webhookId, status: 'paused', next_attempt_at: null },
    ]);
  });

  it('is recorded once, with its deliveries', async () => {
    const receivers = [{ webhookId: null, url: webhookUrl, paused: false }];
    const insert = () => insertEvent(pool, accountId, receivers, event, { captureId: 'req_1', at: due });
    expect(await insert()).toHaveLength(1);
    expect(await insert()).toEqual([]);
    expect(await deliveries()).toHaveLength(1);
  });

  it('is due at once, also by a clock that is ahead', async () => {
    const receivers = [{ webhookId: null, url: webhookUrl, paused: false }];
    const at = new Date(Date.now() + 3_600_000);
    await insertEvent(pool, accountId, receivers, event, { captureId: 'req_1', at });
    const [{ next_attempt_at }] = await deliveries();
    expect(next_attempt_at.getTime()).toBeLessThan(at.getTime());
  });

  it('makes a pause of its endpoint wait until its deliveries are inserted', async () => {
    const webhookId = await insertEndpoint(pool, accountId);
    let pausing: Promise<unknown> | undefined;
    await transaction(pool, async (connection) => {
      const receivers = await receiversOfEvent(connection, B, { accountId, webhookUrl: null }, event.name);
      pausing = pool.query(`UPDATE webhook_endpoint SET status = 'paused' WHERE id = $1`, [webhookId]);
      await waitForLocks(pool, 1);
      await insertEvent(connection, accountId, receivers, event, { captureId: 'req_1', at: due });
    });
    await pausing;
    expect(await deliveries()).toMatchObject([{ webhook_id: webhookId, status: 'pending' }]);
  });
});

describe('receivers', () => {
  it('become due, unless they are due earlier', async () => {
    const key = { accountId, host: 'hooks.example.com' };
    const dueAt = async () => (await receiverOf(pool, accountId)).next_due_at;
    await makeReceiversDue(pool, [key, key], due);
    expect(await dueAt()).toEqual(due);
    await makeReceiversDue(pool, [key], new Date(due.getTime() + 1));
    expect(await dueAt()).toEqual(due);
    await makeReceiversDue(pool, [key], new Date(due.getTime() - 1));
    expect(await dueAt()).toEqual(new Date(due.getTime() - 1));
    await pool.query('UPDATE receiver SET next_due_at = NULL');
    await makeReceiversDue(pool, [key], due);
    expect(await dueAt()).toEqual(due);
    await makeReceiversDue(pool, [], due);
  });
});

describe('an id', () => {
  it('begins with its time: no id of a millisecond is below the first id of that millisecond', () => {
    const at = new Date('2026-11-20T10:00:00.123Z');
    const ids = Array.from({ length: 50 }, () => newId('dlv', at));
    const [first, next] = [firstIdAt('dlv', at), firstIdAt('dlv', new Date(at.getTime() + 1))];
    for (const id of ids) {
      expect(id >= first && id < next).toBe(true);
      expect(id).toHaveLength(first.length);
    }
  });
});
