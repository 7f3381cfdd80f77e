import { describe, expect, it } from '@jest/globals';
import { encryptor, month, newAccount, reserve, useTestDatabase } from '../captures/captures.test-support.ts';
import { newId } from '../ids.ts';
import { changeAccount, createAccount, findAccount, listAccounts } from './accounts.ts';
import { readSigningSecret, readSigningSecrets, rotateSigningSecret, signingSecretOf } from './signing-secret.ts';

const database = await useTestDatabase(20);
const { pool } = database;

const register = (email: string) => {
  const id = newId('acc');
  const signingSecret = encryptor.encrypt('whsec_QUJD', signingSecretOf(id));
  return createAccount(database, { id, email, signingSecret, createdAt: new Date('2026-11-20T10:00:00Z') });
};

const count = async (table: 'account' | 'api_key') =>
  (await pool.query(`SELECT count(*)::int FROM ${table}`)).rows[0].count;

describe('registration', () => {
  it('creates one account with one key from fifty simultaneous requests for one address', async () => {
    const before = { accounts: await count('account'), keys: await count('api_key') };
    const keys = await Promise.all(Array.from({ length: 50 }, () => register('many@example.com')));
    const created = keys.filter((key) => key !== null);
    expect(created).toHaveLength(1);
    expect(created[0]).toMatchObject({ name: null, createdAt: new Date('2026-11-20T10:00:00Z') });
    expect({ accounts: await count('account'), keys: await count('api_key') }).toEqual({
      accounts: before.accounts + 1,
      keys: before.keys + 1,
    });
    expect(await register('many@example.com')).toBeNull();
  });

  it('starts on the free plan', async () => {
    await register('free@example.com');
    const [account] = await listAccounts(database, { email: 'free@example.com', after: null, limit: 1, month });
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
      email: 'free@example.com',
      plan: 'free',
      status: 'active',
      createdAt: new Date('2026-11-20T10:00:00Z'),
      used: 0,
      reserved: 0,
    });
  });
});

describe('an account', () => {
  it('is returned with its usage of the month', async () => {
    const { id } = await newAccount(database);
    await reserve(pool, id);
    await reserve(pool, id, { month: '2026-10' });
    expect(await findAccount(database, id, month)).toMatchObject({ id, used: 0, reserved: 1 });
    expect(await findAccount(database, id, '2026-12')).toMatchObject({ used: 0, reserved: 0 });
    expect(await findAccount(database, 'acc_unknown', month)).toBeNull();
  });

  it('changes its plan, its status or both, and nothing else', async () => {
    const { id } = await newAccount(database);
    const before = await findAccount(database, id, month);
    expect(await changeAccount(database, id, { plan: 'pro' })).toBe(true);
    expect(await findAccount(database, id, month)).toEqual({ ...before, plan: 'pro' });
    expect(await changeAccount(database, id, { status: 'suspended' })).toBe(true);
    expect(await changeAccount(database, id, {})).toBe(true);
    expect(await findAccount(database, id, month)).toEqual({ ...before, plan: 'pro', status: 'suspended' });
    expect(await changeAccount(database, 'acc_unknown', { plan: 'pro' })).toBe(false);
  });

  it('is listed newest first, page by page', async () => {
    const all = await listAccounts(database, { email: null, after: null, limit: 100, month });
    expect(all.map(({ id }) => id)).toEqual([...all.map(({ id }) => id)].sort().reverse());
    const [first] = await listAccounts(database, { email: null, after: null, limit: 1, month });
    expect(await listAccounts(database, { email: null, after: first?.id ?? '', limit: 100, month })).toEqual(
      all.slice(1),
    );
    expect(await listAccounts(database, { email: 'unknown@example.com', after: null, limit: 1, month })).toEqual([]);
  });
});

describe('a signing secret', () => {
  it('is readable with the key, and stored only encrypted', async () => {
    const { id } = await newAccount(database);
    expect(await readSigningSecret(database, encryptor, id)).toEqual({
      secret: 'whsec_QUJD',
      createdAt: expect.any(Date),
    });
    const { rows } = await pool.query('SELECT signing_secret FROM account WHERE id = $1', [id]);
    expect(rows[0].signing_secret).not.toContain('QUJD');
    expect(await readSigningSecret(database, encryptor, 'acc_unknown')).toBeNull();
  });

  it('changes with a rotation; the previous secret is kept for 24 hours', async () => {
    const { id } = await newAccount(database);
    const before = Date.now();
    const rotated = await rotateSigningSecret(pool, encryptor, id);
    expect(rotated?.secret).toMatch(/^whsec_/);
    expect(Math.abs((rotated?.previousValidUntil.getTime() ?? 0) - before - 86_400_000)).toBeLessThan(60_000);
    expect((await readSigningSecret(database, encryptor, id))?.secret).toBe(rotated?.secret);
    const { rows } = await pool.query('SELECT * FROM account WHERE id = $1', [id]);
    expect(encryptor.decrypt(rows[0].previous_signing_secret, signingSecretOf(id))).toBe('whsec_QUJD');
    expect(await rotateSigningSecret(pool, encryptor, 'acc_unknown')).toBeNull();
  });

  it('signs together with the previous secret after a rotation until the overlap ends', async () => {
    const { id } = await newAccount(database);
    const secrets = () => readSigningSecrets(database, encryptor, id);
    expect(await secrets()).toEqual(['whsec_QUJD']);
    const rotated = await rotateSigningSecret(pool, encryptor, id);
    expect(await secrets()).toEqual([rotated?.secret, 'whsec_QUJD']);
    await pool.query(`UPDATE account SET previous_signing_secret_until = now() - interval '1 second' WHERE id = $1`, [
      id,
    ]);
    expect(await secrets()).toEqual([rotated?.secret]);
    expect(await readSigningSecrets(database, encryptor, 'acc_unknown')).toBeNull();
  });

  it('rotated twice, keeps the second secret as the previous secret', async () => {
    const { id } = await newAccount(database);
    const first = await rotateSigningSecret(pool, encryptor, id);
    await rotateSigningSecret(pool, encryptor, id);
    const { rows } = await pool.query('SELECT previous_signing_secret FROM account WHERE id = $1', [id]);
    expect(encryptor.decrypt(rows[0].previous_signing_secret, signingSecretOf(id))).toBe(first?.secret);
  });

  it('cannot be decrypted as another account’s, even if its row is copied', async () => {
    const [one, other] = [await newAccount(database), await newAccount(database)];
    await pool.query(
      'UPDATE account SET signing_secret = (SELECT signing_secret FROM account WHERE id = $1) WHERE id = $2',
      [one.id, other.id],
    );
    await expect(readSigningSecret(database, encryptor, other.id)).rejects.toThrow();
  });
});
