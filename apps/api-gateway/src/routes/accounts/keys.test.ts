import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();

describe('/api/v1/keys', () => {
  const list = (key: string) => gateway.as(key).get('/api/v1/keys');
  const add = (key: string, body: object) => gateway.as(key).post('/api/v1/keys').send(body);
  const revoke = (key: string, id: string) => gateway.as(key).delete(`/api/v1/keys/${id}`);
  const rotate = (key: string, id: string, body?: object) =>
    gateway.as(key).post(`/api/v1/keys/${id}/rotate`).send(body);

  it('200: lists the account’s keys, newest first, without the full key', async () => {
    const key = await gateway.register('list@example.com');
    await gateway.register('other@example.com');
    const { body: added } = await add(key, { name: 'CI' }).expect(201);
    expect(Object.keys(added).sort()).toEqual(['apiKey', 'created_at', 'id', 'last_four', 'name', 'prefix']);
    const { body } = await list(key).expect(200);
    expect(body.next_cursor).toBeNull();
    expect(body.keys).toHaveLength(2);
    expect(body.keys[0]).toMatchObject({
      id: added.id,
      name: 'CI',
      last_four: added.apiKey.slice(-4),
      expires_at: null,
    });
    expect(added.apiKey.startsWith(body.keys[0].prefix)).toBe(true);
    expect(JSON.stringify(body)).not.toContain(added.apiKey.slice(9, -4));
  });

  it('200: returns pages', async () => {
    const key = await gateway.register('pages@example.com');
    for (const name of ['a', 'b', 'c']) await add(key, { name }).expect(201);
    const first = await gateway.as(key).get('/api/v1/keys?limit=3').expect(200);
    expect(first.body.keys.map((row: { name: string }) => row.name)).toEqual(['c', 'b', 'a']);
    const next = `/api/v1/keys?limit=3&cursor=${first.body.next_cursor}`;
    const second = await gateway.as(key).get(next).expect(200);
    expect(second.body.keys).toHaveLength(1);
    expect(second.body.next_cursor).toBeNull();
  });

  it('403: an account has at most 100 keys; a rotation without an overlap is still possible', async () => {
    const key = await gateway.register('full@example.com');
    const [own] = (await list(key)).body.keys;
    for (let keys = 1; keys < 100; keys += 1) await add(key, {}).expect(201);
    expect((await add(key, {}).expect(403)).body.error_code).toBe('FORBIDDEN');
    expect((await rotate(key, own.id, { overlap_s: 60 }).expect(403)).body.error_code).toBe('FORBIDDEN');
    await rotate(key, own.id).expect(201);
  });

  it('204: a revoked key stops working immediately', async () => {
    const key = await gateway.register('revoke@example.com');
    const { body: other } = await add(key, {}).expect(201);
    await list(other.apiKey).expect(200);
    await revoke(key, other.id).expect(204);
    await list(other.apiKey).expect(401);
  });

  it('201: a rotated key stops working immediately or after its overlap', async () => {
    const key = await gateway.register('rotate@example.com');
    const { id } = (await list(key)).body.keys[0];
    const { body: second } = await rotate(key, id, { overlap_s: 60 }).expect(201);
    expect(new Date(second.previous_expires_at).getTime()).toBeGreaterThan(Date.now() + 50_000);
    await list(key).expect(200);
    const { body: third } = await rotate(second.apiKey, second.id).expect(201);
    await list(second.apiKey).expect(401);
    await list(third.apiKey).expect(200);
    await list(key).expect(200);
  });

  it('400: names the invalid field', async () => {
    const key = await gateway.register('bad@example.com');
    const { id } = (await list(key)).body.keys[0];
    expect((await rotate(key, id, { overlap_s: 604_801 }).expect(400)).body.details[0].field).toBe('overlap_s');
    expect((await add(key, { name: '' }).expect(400)).body.details[0].field).toBe('name');
    expect((await gateway.as(key).get('/api/v1/keys?limit=101')).body.details[0].field).toBe('limit');
  });

  it("404: another account's key", async () => {
    const mine = await gateway.register('mine@example.com');
    const theirs = await gateway.register('theirs@example.com');
    const { id } = (await list(theirs)).body.keys[0];
    await revoke(mine, id).expect(404);
    await rotate(mine, id).expect(404);
    await list(theirs).expect(200);
  });

  it('409: the last key cannot be revoked', async () => {
    const key = await gateway.register('last@example.com');
    const { id } = (await list(key)).body.keys[0];
    expect((await revoke(key, id).expect(409)).body.error_code).toBe('LAST_KEY');
    await list(key).expect(200);
  });
});
