import { forms } from '@capture/contract/forms/forms';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { transaction } from '../database.ts';
import { changeEndpoint } from '../endpoints/change-endpoint.ts';
import { deleteEndpoint } from '../endpoints/endpoints.ts';
import {
  arrangeDelivery,
  beginClaim,
  beginDelivery,
  claimDelivery,
  deliveryRow,
  inOrder,
  later,
  newEndpoint,
  now,
  receiversOf,
} from '../endpoints/webhooks.test-support.ts';
import { recordAttempt } from './record-attempt.ts';
import { retryDelivery } from './retry-delivery.ts';

const database = await useTestDatabase();
const { pool } = database;
let accountId: string;

beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});

const retry = (id: string, of: string | null = accountId, at = now) =>
  transaction(pool, (connection) => retryDelivery(connection, { id, accountId: of }, at));
const arrange = (more: object = {}) => arrangeDelivery(pool, { accountId, ...more });
const rowLock = (id: string) => ['SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', id] as const;

const fresh = {
  status: 'pending',
  next_attempt_at: now,
  lease_until: null,
  retries_used: 0,
  next_trigger: 'manual',
  retry_asked: false,
  completed_at: null,
};

describe('a retry', () => {
  it.each(['failed', 'delivered', 'pending'] as const)(
    'of a delivery that is %s makes it due with a fresh schedule',
    async (status) => {
      const id = await arrange({ status, retriesUsed: 5 });
      expect(await retry(id)).toEqual({ outcome: 'now' });
      expect(await deliveryRow(pool, id)).toMatchObject(fresh);
      expect(await receiversOf(pool, accountId)).toEqual({ 'hooks.example.com': now });
    },
  );

  it('cancels a claim that has not begun', async () => {
    const id = await arrange({ retriesUsed: 2 });
    const claim = await claimDelivery(pool, id);
    expect(await retry(id)).toEqual({ outcome: 'now' });
    expect(await beginClaim(pool, claim)).toBeNull();
    expect(await deliveryRow(pool, id)).toMatchObject(fresh);
  });

  it('replaces a lost attempt', async () => {
    const id = await arrange();
    const lost = await beginDelivery(pool, id);
    const at = later(3_600_000);
    expect(await retry(id, accountId, at)).toEqual({ outcome: 'now' });
    expect(await deliveryRow(pool, id)).toMatchObject({ ...fresh, next_attempt_at: at });
    const outcome = { startedAt: now, endedAt: now, status: 200, error: null, responseExcerpt: null };
    expect(await recordAttempt(pool, forms.B, lost, outcome)).toBeNull();
  });

  it('during an attempt is recorded and changes nothing else', async () => {
    const id = await arrange({ retriesUsed: 2 });
    await beginDelivery(pool, id);
    const before = await deliveryRow(pool, id);
    expect(await retry(id)).toEqual({ outcome: 'after the attempt' });
    expect(await retry(id)).toEqual({ outcome: 'asked before' });
    expect(await deliveryRow(pool, id)).toEqual({ ...before, retry_asked: true });
    expect(await receiversOf(pool, accountId)).toEqual({});
  });

  it('changes nothing while an earlier retry waits, claimed or not', async () => {
    const id = await arrange({ status: 'failed' });
    await retry(id);
    const waiting = await deliveryRow(pool, id);
    expect(await retry(id, accountId, later(5))).toEqual({ outcome: 'asked before' });
    expect(await deliveryRow(pool, id)).toEqual(waiting);
    const claim = await claimDelivery(pool, id);
    expect(await retry(id, accountId, later(10))).toEqual({ outcome: 'asked before' });
    expect(await beginClaim(pool, claim)).toMatchObject({ id, trigger: 'manual' });
  });

  it('follows a retry whose claim was lost', async () => {
    const id = await arrange({ status: 'failed' });
    await retry(id);
    const claim = await claimDelivery(pool, id);
    const at = later(10_000);
    expect(await retry(id, accountId, at)).toEqual({ outcome: 'now' });
    expect(await deliveryRow(pool, id)).toMatchObject({ ...fresh, next_attempt_at: at });
    expect(await beginClaim(pool, claim)).toBeNull();
  });

  it('goes to the endpoint’s current URL', async () => {
    const { id: webhookId } = await newEndpoint(database, accountId);
    const id = await arrange({ webhookId, status: 'failed' });
    const url = 'https://other.example.com/';
    await changeEndpoint(pool, { id: webhookId, accountId }, { url }, now);
    expect(await retry(id)).toEqual({ outcome: 'now' });
    expect(await deliveryRow(pool, id)).toMatchObject({ ...fresh, url });
    expect(await receiversOf(pool, accountId)).toEqual({ 'other.example.com': now });
    const claim = await claimDelivery(pool, id);
    // The delivery has not followed the endpoint's new URL yet.
    await pool.query(`UPDATE webhook_endpoint SET url = 'https://moved.example.com/' WHERE id = $1`, [webhookId]);
    expect(await retry(id)).toEqual({ outcome: 'now' });
    expect(await beginClaim(pool, claim)).toBeNull();
  });

  it('is refused while its endpoint is paused, disabled or deleted', async () => {
    const { id: webhookId } = await newEndpoint(database, accountId);
    const id = await arrange({ webhookId, status: 'failed' });
    const before = await deliveryRow(pool, id);
    for (const endpoint of ['paused', 'disabled'] as const) {
      await pool.query('UPDATE webhook_endpoint SET status = $2 WHERE id = $1', [webhookId, endpoint]);
      expect(await retry(id)).toEqual({ outcome: 'refused', endpoint });
    }
    await deleteEndpoint(pool, { id: webhookId, accountId }, now);
    expect(await retry(id)).toEqual({ outcome: 'refused', endpoint: 'deleted' });
    expect(await deliveryRow(pool, id)).toEqual(before);
  });

  it('is allowed to the owner and the operator only', async () => {
    const id = await arrange({ status: 'failed' });
    expect(await retry(id, (await newAccount(database)).id)).toEqual({ outcome: 'not found' });
    expect(await retry('dlv_unknown')).toEqual({ outcome: 'not found' });
    expect(await deliveryRow(pool, id)).toMatchObject({ status: 'failed' });
    expect(await retry(id, null)).toEqual({ outcome: 'now' });
  });
});

describe('a retry concurrent with the dispatcher', () => {
  const outcomeOf = (error: string | null) => ({
    startedAt: now,
    endedAt: later(500),
    status: error === null ? 200 : 500,
    error,
    responseExcerpt: null,
  });

  it('is recorded if the attempt begins first, and prevents the attempt otherwise', async () => {
    for (const begunFirst of [true, false]) {
      const id = await arrange({ retriesUsed: 3 });
      const claim = await claimDelivery(pool, id);
      const begin = async () => (await beginClaim(pool, claim)) !== null;
      const retryNow = async () => (await retry(id)).outcome;
      if (begunFirst) {
        expect(await inOrder(database, rowLock(id), begin, retryNow)).toEqual([true, 'after the attempt']);
        expect(await deliveryRow(pool, id)).toMatchObject({ retry_asked: true, retries_used: 3 });
      } else {
        expect(await inOrder(database, rowLock(id), retryNow, begin)).toEqual(['now', false]);
        expect(await deliveryRow(pool, id)).toMatchObject(fresh);
      }
    }
  });

  it.each([null, 'http_5xx'])(
    'leads to one attempt, and only if needed, when the outcome (%s) is recorded at the same time',
    async (error) => {
      for (const recordedFirst of [true, false]) {
        const id = await arrange({ retriesUsed: 3 });
        const attempt = await beginDelivery(pool, id);
        const record = async () => (await recordAttempt(pool, forms.B, attempt, outcomeOf(error)))?.state;
        const retryNow = async () => (await retry(id)).outcome;
        if (recordedFirst) {
          const recorded = error === null ? 'delivered' : 'pending';
          expect(await inOrder(database, rowLock(id), record, retryNow)).toEqual([recorded, 'now']);
          expect(await deliveryRow(pool, id)).toMatchObject({ ...fresh, attempt_count: 1 });
        } else if (error === null) {
          expect(await inOrder(database, rowLock(id), retryNow, record)).toEqual(['after the attempt', 'delivered']);
          expect(await deliveryRow(pool, id)).toMatchObject({ status: 'delivered', retry_asked: false });
        } else {
          expect(await inOrder(database, rowLock(id), retryNow, record)).toEqual(['after the attempt', 'pending']);
          expect(await deliveryRow(pool, id)).toMatchObject({
            ...fresh,
            next_attempt_at: later(500),
            attempt_count: 1,
          });
        }
      }
    },
  );

  it('twenty simultaneous retries make one attempt due', async () => {
    const id = await arrange({ status: 'failed' });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => retry(id)));
    expect(outcomes.filter(({ outcome }) => outcome === 'now')).toHaveLength(1);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['now', 'asked before']));
    expect(await deliveryRow(pool, id)).toMatchObject(fresh);
  });
});
