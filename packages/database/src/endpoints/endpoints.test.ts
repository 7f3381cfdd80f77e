import { forms } from '@capture/contract/forms/forms';
import { describe, expect, it } from '@jest/globals';
import { endpointSecretOf } from '../accounts/signing-secret.ts';
import { encryptor, newAccount, useTestDatabase } from '../captures/captures.test-support.ts';
import { transaction } from '../database.ts';
import { insertEvent, receiversOfEvent } from '../deliveries/insert-event.ts';
import { newId } from '../ids.ts';
import { changeEndpoint } from './change-endpoint.ts';
import {
  deleteEndpoint,
  endpointsAtMost,
  findEndpoint,
  listEndpoints,
  readEndpointSecrets,
  registerEndpoint,
  rotateEndpointSecret,
} from './endpoints.ts';
import {
  arrangeDelivery,
  beginClaim,
  beginDelivery,
  claimDelivery,
  deliveryRow,
  endpointUrl,
  inOrder,
  later,
  newEndpoint,
  now,
  receiversOf,
  sampleBody,
} from './webhooks.test-support.ts';

const database = await useTestDatabase(20);
const { pool } = database;
const host = 'hooks.example.com';

/** Creates an account with an endpoint that has a delivery in each state. */
async function arrange() {
  const { id: accountId } = await newAccount(database);
  const endpoint = await newEndpoint(database, accountId);
  const key = { id: endpoint.id, accountId };
  const make = (more: object = {}) => arrangeDelivery(pool, { accountId, webhookId: endpoint.id, ...more });
  const ids = {
    waiting: await make(),
    claimed: await make(),
    started: await make(),
    delivered: await make({ status: 'delivered' }),
    failed: await make({ status: 'failed' }),
    anothers: await arrangeDelivery(pool, { accountId }),
  };
  const claim = await claimDelivery(pool, ids.claimed);
  await beginDelivery(pool, ids.started);
  const rows = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await deliveryRow(pool, id)])),
    );
  return { accountId, endpoint, key, ids, claim, rows };
}

const statusesOf = (rows: Record<string, { status: string }>) =>
  Object.fromEntries(Object.entries(rows).map(([name, { status }]) => [name, status]));

describe('registration', () => {
  it('creates an active endpoint with an encrypted secret', async () => {
    const { id: accountId } = await newAccount(database);
    const endpoint = await newEndpoint(database, accountId);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^wh_/),
      url: endpointUrl,
      events: ['capture.completed', 'capture.failed'],
      status: 'active',
      disabledReason: null,
      failingSince: null,
      createdAt: now,
    });
    const { rows } = await pool.query('SELECT signing_secret FROM webhook_endpoint WHERE id = $1', [endpoint.id]);
    expect(rows[0].signing_secret).not.toContain('secret');
    expect(await readEndpointSecrets(database, encryptor, { id: endpoint.id, accountId })).toEqual([
      'a secret of its owner',
    ]);
  });

  it('is refused at the account’s limit, also for simultaneous requests', async () => {
    const { id: accountId } = await newAccount(database);
    const register = () => {
      const id = newId('wh');
      const signingSecret = encryptor.encrypt('a secret of its owner', endpointSecretOf(id));
      return registerEndpoint(database, {
        id,
        accountId,
        url: endpointUrl,
        events: ['capture.failed'],
        signingSecret,
        createdAt: now,
      });
    };
    const created = await Promise.all(Array.from({ length: endpointsAtMost + 10 }, register));
    expect(created.filter(Boolean)).toHaveLength(endpointsAtMost);
    const page = { accountId, after: null, limit: 100 };
    const listed = await listEndpoints(database, page);
    expect(listed).toHaveLength(endpointsAtMost);
    expect(await deleteEndpoint(pool, { id: listed[0]?.id ?? '', accountId }, now)).toBe(true);
    expect(await register()).not.toBeNull();
    expect(await newEndpoint(database, (await newAccount(database)).id)).toBeTruthy();
  });
});

it('lists endpoints newest first, page by page, and finds them for their owner only', async () => {
  const { id: accountId } = await newAccount(database);
  const created = [];
  for (const url of ['https://a.example/', 'https://b.example/', 'https://c.example/']) {
    created.push(await newEndpoint(database, accountId, { url }));
  }
  created.sort((one, other) => (one.id < other.id ? 1 : -1));
  const first = await listEndpoints(database, { accountId, after: null, limit: 2 });
  const second = await listEndpoints(database, { accountId, after: first[1]?.id ?? '', limit: 2 });
  expect([...first, ...second]).toEqual(created);
  const [endpoint] = created;
  const key = { id: endpoint?.id ?? '', accountId };
  expect(await findEndpoint(database, key)).toEqual(endpoint);
  const { id: another } = await newAccount(database);
  expect(await findEndpoint(database, { ...key, accountId: another })).toBeNull();
  expect(await listEndpoints(database, { accountId: another, after: null, limit: 2 })).toEqual([]);
  for (const change of [{ status: 'paused' as const }, {}]) {
    expect(await changeEndpoint(pool, { ...key, accountId: another }, change, now)).toBeNull();
  }
  expect(await deleteEndpoint(pool, { ...key, accountId: another }, now)).toBe(false);
  expect(await readEndpointSecrets(database, encryptor, { ...key, accountId: another })).toBeNull();
  const rotation = { ...key, accountId: another, secret: 'a secret of a stranger' };
  expect(await rotateEndpointSecret(pool, encryptor, rotation)).toBeNull();
  expect(await findEndpoint(database, key)).toEqual(endpoint);
});

describe('a change', () => {
  it('of the events changes no delivery', async () => {
    const { key, endpoint, rows } = await arrange();
    const untouched = await rows();
    expect(await changeEndpoint(pool, key, { events: ['batch.completed'] }, now)).toEqual({
      ...endpoint,
      events: ['batch.completed'],
    });
    expect(await changeEndpoint(pool, key, {}, now)).toEqual({ ...endpoint, events: ['batch.completed'] });
    expect(await rows()).toEqual(untouched);
  });

  it('of the URL redirects waiting deliveries and cancels claims for the previous one', async () => {
    const { key, accountId, ids, claim, rows } = await arrange();
    const untouched = await rows();
    const url = 'https://other.example.com:8443/new';
    await changeEndpoint(pool, key, { url }, now);
    const changed = await rows();
    expect(changed.waiting).toEqual({ ...untouched.waiting, url, host: 'other.example.com:8443' });
    expect(changed.claimed).toMatchObject({ url, lease_until: null, next_attempt_at: now });
    expect(await beginClaim(pool, claim)).toBeNull();
    for (const name of ['started', 'delivered', 'failed', 'anothers']) expect(changed[name]).toEqual(untouched[name]);
    expect(await receiversOf(pool, accountId)).toEqual({ 'other.example.com:8443': now });
    expect(ids.waiting).toBe(changed.waiting.id);
  });

  it('to paused holds waiting and claimed deliveries, but not those in progress or ended', async () => {
    const { key, accountId, claim, rows } = await arrange();
    const untouched = await rows();
    expect(await changeEndpoint(pool, key, { status: 'paused' }, now)).toMatchObject({ status: 'paused' });
    const paused = await rows();
    for (const name of ['waiting', 'claimed']) {
      expect(paused[name]).toMatchObject({ status: 'paused', lease_until: null, next_attempt_at: null });
    }
    for (const name of ['started', 'delivered', 'failed', 'anothers']) expect(paused[name]).toEqual(untouched[name]);
    expect(await beginClaim(pool, claim)).toBeNull();
    expect(await receiversOf(pool, accountId)).toEqual({});
  });

  it('to paused holds a lost attempt whose claim has expired', async () => {
    const { key, ids, rows } = await arrange();
    await changeEndpoint(pool, key, { status: 'paused' }, later(3_600_000));
    expect((await rows()).started).toMatchObject({ id: ids.started, status: 'paused', lease_until: null });
  });

  it('to active makes held deliveries due at the current URL and clears the reason for disabling', async () => {
    const { key, accountId, rows } = await arrange();
    const disabled = `UPDATE webhook_endpoint SET status = 'disabled', disabled_reason = 'all failed', failing_since = now()`;
    await changeEndpoint(pool, key, { status: 'paused' }, now);
    await pool.query(`${disabled} WHERE id = $1`, [key.id]);
    const before = await rows();
    const url = 'https://other.example.com/';
    const changed = await changeEndpoint(pool, key, { status: 'active', url }, later(5));
    expect(changed).toMatchObject({ status: 'active', disabledReason: null, failingSince: null, url });
    const after = await rows();
    for (const name of ['waiting', 'claimed']) {
      expect(after[name]).toMatchObject({ status: 'pending', url, next_attempt_at: later(5), lease_until: null });
    }
    for (const name of ['delivered', 'failed', 'anothers', 'started']) expect(after[name]).toEqual(before[name]);
    expect(await receiversOf(pool, accountId)).toEqual({ 'other.example.com': later(5) });
    const { rows: endpoints } = await pool.query('SELECT * FROM webhook_endpoint WHERE id = $1', [key.id]);
    expect(endpoints[0].failing_since).toBeNull();
  });

  it('to active sends a delivery held after an attempt at the previous URL to the current one', async () => {
    const { id: accountId } = await newAccount(database);
    const { id: webhookId } = await newEndpoint(database, accountId, { status: 'paused' });
    const url = 'https://previous.example.com/';
    const id = await arrangeDelivery(pool, { accountId, webhookId, status: 'paused', url });
    await changeEndpoint(pool, { id: webhookId, accountId }, { status: 'active' }, now);
    expect(await deliveryRow(pool, id)).toMatchObject({ status: 'pending', url: endpointUrl });
    expect(await receiversOf(pool, accountId)).toEqual({ [host]: now });
  });

  it('to the same status keeps the time of the first failure; another URL clears it', async () => {
    const { key } = await arrange();
    const failingSince = async () => {
      const { rows } = await pool.query('SELECT failing_since AS at FROM webhook_endpoint WHERE id = $1', [key.id]);
      return rows[0].at;
    };
    await pool.query('UPDATE webhook_endpoint SET failing_since = $2 WHERE id = $1', [key.id, now]);
    await changeEndpoint(pool, key, { status: 'active', url: endpointUrl, events: ['batch.completed'] }, now);
    expect(await failingSince()).toEqual(now);
    await changeEndpoint(pool, key, { url: 'https://other.example.com/' }, now);
    expect(await failingSince()).toBeNull();
  });

  it('does not delay a receiver that is due earlier', async () => {
    const { key, accountId } = await arrange();
    await changeEndpoint(pool, key, { status: 'paused' }, now);
    await changeEndpoint(pool, key, { status: 'active' }, now);
    await changeEndpoint(pool, key, { status: 'paused' }, later(1_000));
    await changeEndpoint(pool, key, { status: 'active' }, later(2_000));
    expect(await receiversOf(pool, accountId)).toEqual({ [host]: now });
  });
});

describe('an event inserted while its endpoint is paused or deleted', () => {
  const inserting = (accountId: string) =>
    transaction(pool, async (connection) => {
      const of = { accountId, webhookUrl: null };
      const receivers = await receiversOfEvent(connection, forms.B, of, 'capture.completed');
      const event = { name: 'capture.completed', body: sampleBody } as const;
      await insertEvent(connection, accountId, receivers, event, { at: now, captureId: newId('req') });
    });
  const lockOf = (id: string) => ['SELECT 1 FROM webhook_endpoint WHERE id = $1 FOR UPDATE', id] as const;
  const deliveriesOf = async (webhookId: string) => {
    const { rows } = await pool.query('SELECT status, last_error FROM delivery WHERE webhook_id = $1', [webhookId]);
    return rows;
  };

  it('is held, whichever transaction comes first', async () => {
    for (const eventFirst of [true, false]) {
      const { id: accountId } = await newAccount(database);
      const { id } = await newEndpoint(database, accountId);
      const event = () => inserting(accountId);
      const pause = () => changeEndpoint(pool, { id, accountId }, { status: 'paused' }, now);
      await inOrder<unknown, unknown>(database, lockOf(id), eventFirst ? event : pause, eventFirst ? pause : event);
      expect(await deliveriesOf(id)).toEqual([{ status: 'paused', last_error: null }]);
    }
  });

  it('fails its delivery, or has no delivery for the endpoint', async () => {
    for (const eventFirst of [true, false]) {
      const { id: accountId } = await newAccount(database);
      const { id } = await newEndpoint(database, accountId);
      const event = () => inserting(accountId);
      const deletion = () => deleteEndpoint(pool, { id, accountId }, now);
      const [first, second] = eventFirst ? [event, deletion] : [deletion, event];
      await inOrder<unknown, unknown>(database, lockOf(id), first, second);
      expect(await deliveriesOf(id)).toEqual(eventFirst ? [{ status: 'failed', last_error: 'endpoint_deleted' }] : []);
    }
  });
});

describe('deletion', () => {
  it('fails open deliveries, except those in progress', async () => {
    const { key, ids, claim, rows } = await arrange();
    const untouched = await rows();
    const paused = await arrangeDelivery(pool, { accountId: key.accountId, webhookId: key.id, status: 'paused' });
    expect(await deleteEndpoint(pool, key, now)).toBe(true);
    expect(await deleteEndpoint(pool, key, now)).toBe(false);
    expect(await findEndpoint(database, key)).toBeNull();
    for (const id of [ids.waiting, ids.claimed, paused]) {
      expect(await deliveryRow(pool, id)).toMatchObject({
        status: 'failed',
        last_error: 'endpoint_deleted',
        completed_at: now,
        lease_until: null,
        next_attempt_at: null,
      });
    }
    expect(await beginClaim(pool, claim)).toBeNull();
    const after = await rows();
    for (const name of ['started', 'delivered', 'failed', 'anothers']) expect(after[name]).toEqual(untouched[name]);
    expect(statusesOf(after)).toMatchObject({ started: 'pending', delivered: 'delivered', anothers: 'pending' });
  });
});

it('a rotation keeps the previous secret for 24 hours, for this endpoint only', async () => {
  const { id: accountId } = await newAccount(database);
  const key = { id: (await newEndpoint(database, accountId)).id, accountId };
  const other = { id: (await newEndpoint(database, accountId)).id, accountId };
  const until = await rotateEndpointSecret(pool, encryptor, { ...key, secret: 'whsec_QUJDREVG' });
  expect(Math.abs((until?.getTime() ?? 0) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect(await readEndpointSecrets(database, encryptor, key)).toEqual(['whsec_QUJDREVG', 'a secret of its owner']);
  expect(await readEndpointSecrets(database, encryptor, other)).toEqual(['a secret of its owner']);
  await pool.query(
    `UPDATE webhook_endpoint SET previous_signing_secret_until = now() - interval '1 second' WHERE id = $1`,
    [key.id],
  );
  expect(await readEndpointSecrets(database, encryptor, key)).toEqual(['whsec_QUJDREVG']);
});
