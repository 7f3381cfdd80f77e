import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();

describe('/api/operator/accounts', () => {
  const call = (method: 'get' | 'patch' | 'post', path: string) => gateway.asOperator[method](`/api/operator${path}`);
  const idOf = async (email: string) => (await call('get', `/accounts?email=${email}`)).body.accounts[0].id;

  it('200: finds an account by email address, and returns pages', async () => {
    for (const name of ['one', 'two', 'three']) await gateway.register(`${name}@example.com`);
    const found = await call('get', '/accounts?email=TWO@example.com').expect(200);
    expect(found.body).toEqual({
      accounts: [
        {
          id: expect.stringMatching(/^acc_/),
          email: 'two@example.com',
          plan: 'free',
          status: 'active',
          created_at: expect.any(String),
          used: 0,
        },
      ],
      next_cursor: null,
    });
    const first = await call('get', '/accounts?limit=2').expect(200);
    const second = await call('get', `/accounts?limit=2&cursor=${first.body.next_cursor}`).expect(200);
    const ids = [...first.body.accounts, ...second.body.accounts].map((account: { id: string }) => account.id);
    expect(new Set(ids).size).toBe(3);
  });

  it('200: finds accounts by part of the email address, and by id', async () => {
    for (const name of ['ada', 'grace']) await gateway.register(`${name}@acme.example`);
    const found = async (search: string) =>
      (await call('get', `/accounts?search=${search}`).expect(200)).body.accounts.map(
        (account: { email: string }) => account.email,
      );
    expect(await found('@ACME')).toEqual(['grace@acme.example', 'ada@acme.example']);
    expect(await found(await idOf('ada@acme.example'))).toEqual(['ada@acme.example']);
    expect(await found('%25')).toEqual([]);
  });

  it('200: a new plan applies from the next request', async () => {
    const key = await gateway.register('plan@example.com');
    const changed = await call('patch', `/accounts/${await idOf('plan@example.com')}`)
      .send({ plan: 'pro' })
      .expect(200);
    expect(changed.body.plan).toBe('pro');
    const response = await gateway.as(key).get('/api/v1/account');
    expect(response.headers['x-ratelimit-limit']).toBe('15000');
  });

  it('200: a suspended account is refused', async () => {
    const key = await gateway.register('status@example.com');
    await call('patch', `/accounts/${await idOf('status@example.com')}`)
      .send({ status: 'suspended' })
      .expect(200);
    await gateway.as(key).get('/api/v1/account').expect(403);
  });

  it('201: issues a further key', async () => {
    await gateway.register('lost@example.com');
    const { body } = await call('post', `/accounts/${await idOf('lost@example.com')}/keys`).expect(201);
    await gateway.as(body.apiKey).get('/api/v1/account').expect(200);
  });

  it('200: issues a new signing secret each time', async () => {
    await gateway.register('secret@example.com');
    const path = `/accounts/${await idOf('secret@example.com')}/signing-secret`;
    const [one, two] = [await call('post', path).expect(200), await call('post', path).expect(200)];
    expect(one.body.secret).toMatch(/^whsec_/);
    expect(two.body.secret).not.toBe(one.body.secret);
  });

  it('400: names the invalid field', async () => {
    await gateway.register('bad@example.com');
    const path = `/accounts/${await idOf('bad@example.com')}`;
    expect((await call('patch', path).send({ plan: 'gold' }).expect(400)).body.details[0].field).toBe('plan');
    expect((await call('patch', path).send({ plan: 'toString' }).expect(400)).body.details[0].field).toBe('plan');
    expect((await call('patch', path).send({ status: 'gone' }).expect(400)).body.details[0].field).toBe('status');
    expect((await call('patch', path).send({ email: 'x@example.com' }).expect(400)).body.details[0].field).toBe(
      'email',
    );
  });

  it('404: no such account', async () => {
    await call('patch', '/accounts/acc_unknown').send({ plan: 'pro' }).expect(404);
    await call('post', '/accounts/acc_unknown/keys').expect(404);
    await call('post', '/accounts/acc_unknown/signing-secret').expect(404);
  });
});
