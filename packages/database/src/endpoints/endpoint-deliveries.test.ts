import { forms } from '@capture/contract/forms/forms';
import { describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { transaction } from '../database.ts';
import { holdDelivery } from '../deliveries/begin-attempt.ts';
import { insertEvent, receiversOfEvent } from '../deliveries/insert-event.ts';
import { newId } from '../ids.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { followEndpoint, followEndpoints, noteBacklog } from './endpoint-deliveries.ts';
import { deleteEndpoint } from './endpoints.ts';
import {
  arrangeDelivery,
  beginClaim,
  claimDelivery,
  deliveryRow,
  endpointUrl,
  later,
  newEndpoint,
  now,
  receiversOf,
  sampleBody,
  waitForLocks,
} from './webhooks.test-support.ts';

const database = await useTestDatabase();
const { pool } = database;

/** Inserts an endpoint with open deliveries. @returns their ids, in order. */
async function arrange(
  status: 'pending' | 'paused',
  count: number,
  endpoint = status === 'paused' ? status : 'active',
) {
  const { id: accountId } = await newAccount(database);
  const { id: webhookId } = await newEndpoint(database, accountId, { status: endpoint });
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    ids.push(await arrangeDelivery(pool, { accountId, webhookId, status, createdAt: later(-3_600_000 + i) }));
  }
  return { key: { id: webhookId, accountId }, ids };
}

const statusesOf = async ({ id }: { id: string }) => {
  const { rows } = await pool.query('SELECT status FROM delivery WHERE webhook_id = $1 ORDER BY id', [id]);
  return rows.map(({ status }) => status);
};
const backlogOf = async ({ id }: { id: string }) =>
  (await pool.query('SELECT version FROM endpoint_backlog WHERE webhook_id = $1', [id])).rows;

/** Changes only the endpoint, as if the process died right after that. */
const onlyEndpoint = ({ id }: { id: string }, assignment: string) =>
  transaction(pool, async (connection) => {
    await connection.query(`UPDATE webhook_endpoint SET ${assignment} WHERE id = $1`, [id]);
    await noteBacklog(connection, id);
  });

it('resumes held deliveries in slices; a later run finishes interrupted work', async () => {
  const { key } = await arrange('paused', 5);
  await onlyEndpoint(key, `status = 'active'`);
  await followEndpoint(pool, key.id, { at: now, slice: 2, goOn: () => false });
  expect(await statusesOf(key)).toEqual(['pending', 'pending', 'paused', 'paused', 'paused']);
  await followEndpoint(pool, key.id, { at: now, slice: 2, goOn: () => false });
  expect(await statusesOf(key)).toEqual(['pending', 'pending', 'pending', 'pending', 'paused']);
  expect(await receiversOf(pool, key.accountId)).toEqual({ 'hooks.example.com': now });
  expect(await backlogOf(key)).toHaveLength(1);
  await followEndpoints(pool);
  expect(await statusesOf(key)).toEqual(['pending', 'pending', 'pending', 'pending', 'pending']);
  expect(await backlogOf(key)).toEqual([]);
});

describe('several endpoints', () => {
  const turnsOfOneSlice = { slice: 2, newTurn: () => () => false };

  it('take turns, so that none waits for all deliveries of another', async () => {
    const arranged = [await arrange('paused', 7), await arrange('paused', 7), await arrange('paused', 2)];
    for (const { key } of arranged) await onlyEndpoint(key, `status = 'active'`);
    let turns = 0;
    const newTurn = () => {
      turns += 1;
      return () => false;
    };
    await followEndpoints(pool, { slice: 2, newTurn, goOn: () => turns < arranged.length });
    for (const { key } of arranged) {
      const statuses = await statusesOf(key);
      expect(statuses.filter((status) => status === 'pending')).toHaveLength(2);
    }
    await followEndpoints(pool, turnsOfOneSlice);
    for (const { key } of arranged) {
      expect(new Set(await statusesOf(key))).toEqual(new Set(['pending']));
      expect(await backlogOf(key)).toEqual([]);
    }
  });

  it('each continue where their last turn ended', async () => {
    for (const { key } of [await arrange('pending', 7), await arrange('pending', 5)]) {
      await onlyEndpoint(key, `status = 'active'`);
    }
    expect(await followEndpoints(pool, turnsOfOneSlice)).toBe(12);
  });
});

it.each([
  ['resumed', 'paused', `status = 'active'`, 'pending'],
  ['paused', 'pending', `status = 'paused'`, 'paused'],
] as const)('proceeds when an endpoint is %s, however often it is interrupted', async (_, from, assignment, to) => {
  const { key } = await arrange(from, 6);
  await onlyEndpoint(key, assignment);
  for (let runs = 1; runs <= 3; runs += 1) {
    await followEndpoint(pool, key.id, { at: now, slice: 2, goOn: () => false });
    const statuses = await statusesOf(key);
    expect(statuses.filter((status) => status === to)).toHaveLength(2 * runs);
  }
});

it('waits for no locks of deliveries that follow already', async () => {
  const { key, ids } = await arrange('pending', 3);
  await onlyEndpoint(key, `status = 'active'`);
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', [ids[1]]);
  await followEndpoints(pool);
  expect(await backlogOf(key)).toEqual([]);
  await holder.query('ROLLBACK');
  holder.release();
});

it('locks neither the endpoint nor other deliveries while a delivery of it is locked', async () => {
  const { key, ids } = await arrange('paused', 3);
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM delivery WHERE id = $1 FOR UPDATE', [ids[2]]);
  const resuming = changeEndpoint(pool, key, { status: 'active' }, now);
  await waitForLocks(pool, 1);
  // This transaction does what the end of a capture does.
  await transaction(pool, async (connection) => {
    const of = { accountId: key.accountId, webhookUrl: null };
    const receivers = await receiversOfEvent(connection, forms.B, of, 'capture.completed');
    const event = { name: 'capture.completed', body: sampleBody } as const;
    await insertEvent(connection, key.accountId, receivers, event, { at: now, captureId: newId('req') });
  });
  expect(await statusesOf(key)).toContain('pending');
  await holder.query('COMMIT');
  holder.release();
  expect(await resuming).toMatchObject({ status: 'active' });
  expect(new Set(await statusesOf(key))).toEqual(new Set(['pending']));
});

it('begins no attempt that contradicts the endpoint, before its deliveries follow it', async () => {
  const url = 'https://other.example.com/';
  for (const [assignment, expected] of [
    [`status = 'paused'`, { status: 'paused', url: endpointUrl, next_attempt_at: null }],
    [`url = '${url}'`, { status: 'pending', url, next_attempt_at: later(1) }],
  ] as const) {
    const { key, ids } = await arrange('pending', 1);
    const claim = await claimDelivery(pool, ids[0]!);
    await onlyEndpoint(key, assignment);
    expect(await beginClaim(pool, claim)).toBeNull();
    expect(await holdDelivery(pool, claim, later(1))).toBe(true);
    expect(await deliveryRow(pool, ids[0]!)).toMatchObject({ ...expected, lease_until: null });
  }
});

it('follows the last of several changes', async () => {
  const { key } = await arrange('pending', 4);
  await onlyEndpoint(key, `status = 'paused'`);
  let slices = 0;
  const resumeMeanwhile = async () => onlyEndpoint(key, `status = 'active'`);
  const changes: Promise<void>[] = [];
  await followEndpoint(pool, key.id, {
    slice: 2,
    goOn: () => {
      slices += 1;
      if (slices === 1) changes.push(resumeMeanwhile());
      return true;
    },
  });
  await Promise.all(changes);
  expect(await backlogOf(key)).toEqual([{ version: 2 }]);
  await followEndpoints(pool);
  expect(await statusesOf(key)).toEqual(['pending', 'pending', 'pending', 'pending']);
});

it('fails the rest of the deliveries of a deleted endpoint', async () => {
  const { key } = await arrange('paused', 3);
  await pool.query('DELETE FROM webhook_endpoint WHERE id = $1', [key.id]);
  await noteBacklog(pool, key.id);
  await followEndpoint(pool, key.id, { slice: 1, goOn: () => false });
  await followEndpoints(pool);
  expect(await statusesOf(key)).toEqual(['failed', 'failed', 'failed']);
  expect(await deleteEndpoint(pool, key)).toBe(false);
});
