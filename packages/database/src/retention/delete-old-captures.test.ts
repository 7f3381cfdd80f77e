import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  captureOf,
  claim,
  completed,
  endingOf,
  eventContext,
  failed,
  newAccount,
  newBatch,
  reserve,
  useTestDatabase,
} from '../captures/captures.test-support.ts';
import { endCapture } from '../captures/end-capture.ts';
import { insertCachedCapture } from '../captures/equal-captures.ts';
import { listItems } from '../captures/find-batch.ts';
import { releaseExpiredFiles } from '../captures/release-files.ts';
import { newId, timeOfId } from '../ids.ts';
import { createPartitions, startOfWeek } from '../partitions/create-partitions.ts';
import { readPartitions } from '../partitions/read-partitions.ts';
import { deleteOldCaptures } from './delete-old-captures.ts';

const database = await useTestDatabase();
const { pool } = database;
const day = 86_400_000;
const after = (from: Date, ms: number) => new Date(from.getTime() + ms);
/** A week beyond the first partition, which ends within three weeks. */
const week = startOfWeek(after(new Date(), 70 * day));
const past = { at: after(week, 98 * day), days: 90 };
let accountId: string;

beforeEach(async () => {
  await pool.query('TRUNCATE account CASCADE; TRUNCATE event, delivery, delivery_attempt');
  await createPartitions(pool, week);
  accountId = (await newAccount(database)).id;
});

const newInWeek = (ms = 1_000) => reserve(pool, accountId, { id: newId('req', after(week, ms)) });

/** Inserts a capture of the week that has ended. */
async function ended(outcome = failed, ms?: number): Promise<string> {
  const id = await newInWeek(ms);
  await endCapture(pool, eventContext('B'), endingOf(await claim(pool, id), outcome));
  return id;
}

const remaining = async (table = 'capture') =>
  (await pool.query(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);

const isThere = async (name: 'capture' | 'batch') =>
  (await readPartitions(pool, { name })).some(({ from }) => from !== null && timeOfId(from) <= week);

describe('a week that is past', () => {
  it('is dropped, not before its last day is', async () => {
    await ended();
    await deleteOldCaptures(pool, { ...past, at: after(week, 96 * day) });
    expect(await remaining()).toHaveLength(1);
    await deleteOldCaptures(pool, past);
    expect(await remaining()).toEqual([]);
    expect([await isThere('capture'), await isThere('batch')]).toEqual([false, false]);
  });

  it('keeps open captures and captures with a file, and loses the rest in slices', async () => {
    const waiting = await newInWeek();
    const scheduled = await newInWeek();
    await pool.query('UPDATE capture SET enqueued_at = now() WHERE id = $1', [scheduled]);
    const processing = await newInWeek();
    await claim(pool, processing);
    const withFile = await ended(completed);
    for (let n = 0; n < 3; n += 1) await ended();
    expect(await deleteOldCaptures(pool, past)).toBe(3);
    const kept = [waiting, scheduled, processing, withFile];
    expect(await remaining()).toEqual([...kept].sort());
  });

  it.each(['waiting', 'scheduled', 'processing', 'with a file'])('stays for one capture that is %s', async (state) => {
    const id = state === 'with a file' ? await ended(completed) : await newInWeek();
    if (state === 'scheduled') await pool.query('UPDATE capture SET enqueued_at = now()');
    if (state === 'processing') await claim(pool, id);
    expect(await deleteOldCaptures(pool, past)).toBe(0);
    expect(await isThere('capture')).toBe(true);
    expect(await remaining()).toEqual([id]);
  });

  it('is dropped once the files have expired, including a file that two captures share', async () => {
    const fingerprint = Buffer.alloc(32, 7);
    const id = newId('req', after(week, 1));
    await reserve(pool, accountId, { id, fingerprint });
    const at = new Date();
    const file = { ...completed, expiresAt: after(at, day) };
    await endCapture(pool, eventContext('B'), { ...endingOf(await claim(pool, id), file), at });
    const cachedId = newId('req', after(week, 2));
    const options = { ttlS: 86_400, expiresAt: after(at, 2 * day), at };
    const cached = captureOf(accountId, { id: cachedId, fingerprint });
    expect(await insertCachedCapture(pool, eventContext('B'), cached, options)).not.toBeNull();

    // The file stays as long as the cached capture needs it.
    expect(await releaseExpiredFiles(pool, after(at, day), 10)).toEqual({ captures: 1, keys: [] });
    expect(await deleteOldCaptures(pool, past)).toBe(1);
    expect(await remaining()).toEqual([cachedId]);
    expect(await releaseExpiredFiles(pool, after(at, 2 * day), 10)).toMatchObject({
      captures: 1,
      keys: ['captures/file.png'],
    });
    await deleteOldCaptures(pool, past);
    expect(await isThere('capture')).toBe(false);
  });

  it('keeps the items of a batch in progress, including items of the week before', async () => {
    const at = [-5, -4, 5].map((ms) => after(week, 7 * day + ms));
    const batchId = await newBatch(pool, accountId, at.map(itemAt));
    const ids = await remaining();
    for (const id of ids.slice(0, 2)) {
      await endCapture(pool, eventContext('B'), endingOf(await claim(pool, id), failed));
    }
    expect(await deleteOldCaptures(pool, past)).toBe(0);
    expect(await listItems(pool, { batchId, after: -1, limit: 10 })).toHaveLength(3);
    await endCapture(pool, eventContext('B'), endingOf(await claim(pool, ids[2]), failed));
    await deleteOldCaptures(pool, past);
    expect(await remaining()).toEqual(ids.slice(2));
  });
});

const itemAt = (at: Date) => ({
  id: newId('req', at),
  type: 'screenshot' as const,
  url: 'https://example.com/',
  options: {},
  metadata: null,
  fingerprint: Buffer.alloc(32),
});

it('deletes rows of the first and the default partition in slices, and stops when asked to', async () => {
  const old = await reserve(pool, accountId, { id: newId('req', new Date('2026-01-01T00:00:00Z')) });
  const beyond = await reserve(pool, accountId, { id: newId('req', after(week, 700 * day)) });
  const open = await reserve(pool, accountId, { id: newId('req', new Date('2026-01-02T00:00:00Z')) });
  for (const id of [old, beyond]) await endCapture(pool, eventContext('B'), endingOf(await claim(pool, id), failed));
  expect(await deleteOldCaptures(pool, { at: after(week, 900 * day), days: 90, goOn: () => false })).toBe(0);
  expect(await deleteOldCaptures(pool, { at: new Date('2026-12-01T00:00:00Z'), days: 90 })).toBe(1);
  expect(await remaining()).toEqual([open, beyond].sort());
});

it('deletes a batch after its items', async () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const batchId = await newBatch(pool, accountId, [itemAt(at)]);
  await pool.query('UPDATE batch SET id = $1', [newId('batch', at)]);
  await pool.query('UPDATE capture SET batch_id = (SELECT id FROM batch)');
  expect(await remaining('batch')).not.toContain(batchId);
  const terms = { at: after(at, 91 * day), days: 90 };
  expect(await deleteOldCaptures(pool, terms)).toBe(0);
  const [item] = await remaining();
  await endCapture(pool, eventContext('B'), endingOf(await claim(pool, item), failed));
  expect(await deleteOldCaptures(pool, terms)).toBe(2);
  expect([await remaining(), await remaining('batch')]).toEqual([[], []]);
});
