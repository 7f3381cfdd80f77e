import { describe, expect, it } from '@jest/globals';
import { newAccount, useTestDatabase } from './captures/captures.test-support.ts';
import { deleteExpiredResponses, findResponse, runIdempotently, runSliceIdempotently } from './idempotency.ts';

const database = await useTestDatabase();
const { pool } = database;

it('deletes all expired keys, however many, and no others', async () => {
  const { id: accountId } = await newAccount(database);
  await pool.query(
    `INSERT INTO idempotency (account_id, key, fingerprint, created_at)
     SELECT $1, 'key-' || n, '', now() - make_interval(hours => CASE WHEN n = 1 THEN 23 ELSE 25 END) FROM generate_series(1, 8) n`,
    [accountId],
  );
  expect(await deleteExpiredResponses(pool, 2)).toBe(7);
  expect((await pool.query('SELECT key FROM idempotency')).rows).toEqual([{ key: 'key-1' }]);
});

describe('work in slices', () => {
  let keys = 0;
  async function newRequest() {
    const { id: accountId } = await newAccount(database);
    keys += 1;
    return { accountId, key: `slices-${keys}`, fingerprint: Buffer.from('one') };
  }
  type Request = Awaited<ReturnType<typeof newRequest>>;
  /** Counts to three, one per slice. */
  const slice = (request: Request, fails = false) =>
    runSliceIdempotently(pool, request, { done: 0 }, async (_, { done }) => {
      if (fails) throw new Error('lost');
      const progress = { done: done + 1 };
      return { progress, response: progress.done === 3 ? { captureId: null, body: progress } : null };
    });

  it('continues where the last slice ended, and stores one response for all', async () => {
    const request = await newRequest();
    expect([await slice(request), await slice(request)]).toEqual(['more', 'more']);
    expect(await findResponse(pool, request)).toBeNull();
    await expect(slice(request, true)).rejects.toThrow('lost');
    const response = { captureId: null, body: { done: 3 } };
    expect(await slice(request)).toEqual({ outcome: 'created', response });
    expect(await slice(request)).toEqual({ outcome: 'replayed', response });
  });

  it('refuses another request with its key, before and after its end', async () => {
    const request = await newRequest();
    const other = { ...request, fingerprint: Buffer.from('two') };
    await slice(request);
    expect(await slice(other)).toEqual({ outcome: 'conflict' });
    const create = async () => ({ captureId: null, body: {} });
    expect(await runIdempotently(pool, other, create)).toEqual({ outcome: 'conflict' });
    await slice(request);
    await slice(request);
    expect(await slice(other)).toEqual({ outcome: 'conflict' });
  });

  it('takes turns with requests that have the same key', async () => {
    const request = await newRequest();
    const both = await Promise.all([slice(request), slice(request)]);
    expect(both).toContain('more');
    const { rows } = await pool.query('SELECT progress FROM idempotency WHERE key = $1', [request.key]);
    expect(rows[0].progress).toEqual({ done: both.filter((result) => result === 'more').length });
  });

  it('starts again a day later', async () => {
    const request = await newRequest();
    await slice(request);
    await pool.query(`UPDATE idempotency SET created_at = now() - interval '25 hours' WHERE key = $1`, [request.key]);
    expect([await slice(request), await slice(request)]).toEqual(['more', 'more']);
    expect(await slice(request)).toMatchObject({ outcome: 'created' });
  });
});
