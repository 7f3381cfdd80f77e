import { newId } from '@capture/database/ids';
import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Route } from './http/route.ts';
import { routeTable } from './route-table.ts';
import { onePixel, startSharedGateway } from './test-gateway.ts';

const gateway = await startSharedGateway();
const owner = await gateway.register('owner@example.com', 'pro');
const stranger = await gateway.register('stranger@example.com', 'pro');
/** The owner's resources, by the path segment before their id. */
let owned: Record<string, string>;

beforeAll(async () => {
  const { pool, prisma } = gateway.database;
  const post = async (path: string, body: object) => (await gateway.as(owner).post(path).send(body)).body;
  const url = 'https://example.com/';
  const { request_id } = await post('/api/v1/screenshot', { url, async: true, metadata: { owner: 'injected' } });
  const { batch_id } = await post('/api/v1/batches', { items: [{ url }] });
  const webhook = await post('/api/v1/webhooks', { url: 'https://hooks.example.com/', events: ['capture.completed'] });
  const account = await prisma.account.findUniqueOrThrow({ where: { email: 'owner@example.com' } });
  const key = await prisma.apiKey.findFirstOrThrow({ where: { accountId: account.id } });
  const [eventId, deliveryId] = [newId('evt'), newId('dlv')];
  await pool.query(
    `INSERT INTO event (id, account_id, name, capture_id, body, created_at)
     VALUES ($1, $2, 'capture.completed', $3, '{}', now())`,
    [eventId, account.id, request_id],
  );
  await pool.query(
    `INSERT INTO delivery (id, event_id, account_id, webhook_id, url, status, created_at)
     VALUES ($1, $2, $3, $4, 'https://hooks.example.com/', 'failed', now())`,
    [deliveryId, eventId, account.id, webhook.id],
  );
  const [file, thumbnail] = ['kept.png', 'kept.png.thumbnail.webp'];
  for (const stored of [file, thumbnail]) await gateway.storage.put(stored, onePixel);
  await prisma.capture.update({ where: { id: request_id }, data: { storageKey: file } });
  await gateway
    .as(owner)
    .put('/api/v1/presets/injected-shop')
    .send({ options: { width: 800 } })
    .expect(200);
  const own = { captures: request_id, batches: batch_id, webhooks: webhook.id, deliveries: deliveryId, keys: key.id };
  owned = { ...own, presets: 'injected-shop', render: request_id };
});

/** All rows of the database, without the times at which keys were last used. */
async function everything(): Promise<string> {
  const { pool } = gateway.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  );
  const contents: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `SELECT to_jsonb(t) - 'last_used_at' - 'last_scheduled_at' - 'last_was_item' - 'enqueued_at' AS row FROM "${name}" t ORDER BY 1`,
    );
    contents.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return contents.join('\n');
}

// A PUT creates the resource that its path names, for the account itself.
const namesSomething = ({ path, auth, method }: Route) => auth === 'key' && path.includes('/:') && method !== 'PUT';

/** The segment of the path before its parameter: `captures` of `/api/v1/captures/:id`. */
const placeOf = (path: string) => /(\w+)\/:/.exec(path)?.[1] ?? '';

/** A valid body for each route. */
const bodies: Readonly<Record<string, object>> = {
  'PATCH /api/v1/webhooks/:id': { status: 'paused' },
  'POST /api/v1/webhooks/:id/replay': { since: '2026-01-01T00:00:00Z', status: 'all' },
};

async function ask(route: Route, id: string, key: string) {
  const sent = request(gateway.app)
    [route.method.toLowerCase() as 'get'](route.path.replace(/:\w+/, id))
    .set({ 'X-API-Key': key, Authorization: `Bearer ${key}` })
    .ok(() => true);
  const { status, body, headers } = await (route.body
    ? sent.send(bodies[`${route.method} ${route.path}`] ?? {})
    : sent);
  const { request_id: _, requestId: _theirs, ...said } = body;
  const { 'x-request-id': __, date: ___, ...rest } = headers;
  return { status, said, rest };
}

it('returns the same 404 for another account’s resource as for a missing one, and changes nothing', async () => {
  const before = await everything();
  const routes = routeTable(gateway).filter(namesSomething);
  expect(routes.length).toBeGreaterThan(10);
  for (const route of routes) {
    const id = owned[placeOf(route.path)];
    if (id === undefined) throw new Error(`this test has nothing for ${route.path} to name: make it above`);
    const where = `${route.method} ${route.path}`;
    const theirs = await ask(route, id, stranger);
    const unknown = await ask(route, `${id.slice(0, -4)}0000`, stranger);
    expect({ where, ...theirs }).toEqual({ where, ...unknown });
    expect([where, theirs.status]).toEqual([where, 404]);
    expect(JSON.stringify(theirs)).not.toContain(id);
  }
  expect(await everything()).toBe(before);
});

it('lets the owner’s key reach each of these resources', async () => {
  const reads = routeTable(gateway).filter(
    (route) => namesSomething(route) && route.method === 'GET' && !/events|archive/.test(route.path),
  );
  for (const route of reads) {
    const { status } = await ask(route, owned[placeOf(route.path)] ?? '', owner);
    expect([route.path, status]).toEqual([route.path, 200]);
  }
});

describe('lists', () => {
  const lists = ['captures', 'batches', 'webhooks', 'webhooks/deliveries', 'keys'];

  it.each(lists)('%s shows only the account’s own rows, with any filter or cursor', async (list) => {
    const name = list.split('/').at(-1) ?? '';
    const read = async (key: string, query = '') =>
      (await gateway.as(key).get(`/api/v1/${list}${query}`).expect(200)).body;
    const own = await read(stranger);
    expect((await read(owner))[name].length).toBeGreaterThan(0);
    expect(JSON.stringify(own)).not.toContain('injected');
    for (const id of Object.values(owned)) expect(JSON.stringify(own)).not.toContain(id);
    // The owner's cursor is only a position in the client's own list.
    const last = `${owned[name]?.split('_')[0]}_${'z'.repeat(26)}`;
    for (const cursor of [owned[name], last]) {
      for (const id of Object.values(owned)) {
        expect(JSON.stringify(await read(stranger, `?cursor=${cursor}`))).not.toContain(`"${id}"`);
      }
    }
  });

  it.each(lists)('%s returns 400 for the cursor of another list', async (list) => {
    for (const cursor of ['nonsense', '', `${owned[list.split('/').at(-1) ?? '']}z`]) {
      const { body } = await gateway.as(owner).get(`/api/v1/${list}?cursor=${cursor}`).expect(400);
      expect(body.details).toMatchObject([{ field: 'cursor', message: 'is not a next_cursor of this list' }]);
    }
  });

  it.each([
    ['captures', 'batch_id', 'batches'],
    ['webhooks/deliveries', 'webhook_id', 'webhooks'],
  ])('%s?%s= returns nothing for another account’s id', async (list, filter, of) => {
    const path = `/api/v1/${list}?${filter}=${owned[of]}`;
    const name = list.split('/').at(-1) ?? '';
    const { body } = await gateway.as(stranger).get(path).expect(200);
    expect(body).toEqual({ [name]: [], next_cursor: null });
    const own = await gateway.as(owner).get(path).expect(200);
    expect(own.body[name]).toHaveLength(1);
  });
});
