import { captureCompleted, captureFailed } from '@capture/contract/events/events';
import type { FormName } from '@capture/contract/forms/forms';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  claim,
  completed,
  endingOf,
  eventContext,
  failed,
  newAccount,
  reserve,
  rowOf,
  usageOf,
  useTestDatabase,
} from './captures.test-support.ts';
import { endCapture } from './end-capture.ts';

const database = await useTestDatabase();
const { pool } = database;
let accountId: string;
beforeEach(async () => {
  accountId = (await newAccount(database)).id;
});
const webhookUrl = 'https://hooks.example.com/captures?token=x';

async function eventsOf(captureId: string) {
  const { rows } = await pool.query(
    `SELECT e.id, e.account_id, e.name, e.body, e.created_at, d.id AS delivery, d.url, d.status, d.attempt, d.begun_attempt,
            d.attempt_count, d.retries_used, d.lease_until, d.next_attempt_at <= now() AS due
       FROM event e LEFT JOIN delivery d ON d.event_id = e.id WHERE e.capture_id = $1`,
    [captureId],
  );
  return rows;
}

describe.each(['A', 'B'] satisfies FormName[])('in form %s', (name) => {
  const context = eventContext(name);

  it('a completed capture uses quota, has its file’s properties, and its event is due to its receiver', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId, { webhookUrl }));
    const ending = endingOf(claimed, completed);
    expect(await endCapture(pool, context, ending)).toEqual({ deliveries: 1 });
    expect(await usageOf(pool, accountId)).toEqual({ used: 1, reserved: 0 });
    expect(await rowOf(pool, 'capture', claimed.id)).toMatchObject({
      status: 'completed',
      format: 'png',
      width: 1_280,
      height: 720,
      file_size: 34_567,
      duration_ms: 812,
      storage_key: 'captures/file.png',
      expires_at: new Date('2026-11-27T10:00:00Z'),
      error_code: null,
      completed_at: ending.at,
      worker_id: null,
      lease_until: null,
    });
    const bytes = captureCompleted(
      context.form,
      {
        request_id: claimed.id,
        url: 'https://example.com/',
        type: 'screenshot',
        format: 'png',
        width: 1_280,
        height: 720,
        file_size: 34_567,
        duration_ms: 812,
        file_url: `https://captures.example.com/files/${claimed.id}.png`,
        expires_at: '2026-11-27T10:00:00.000Z',
      },
      ending.at,
    ).body;
    expect(await eventsOf(claimed.id)).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
        account_id: accountId,
        name: 'capture.completed',
        body: bytes,
        created_at: ending.at,
        delivery: expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
        url: webhookUrl,
        status: 'pending',
        attempt: 0,
        begun_attempt: 0,
        attempt_count: 0,
        retries_used: 0,
        lease_until: null,
        due: true,
      },
    ]);
  });

  it('a failed capture uses no quota, has its error, and its event is due to its receiver', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId, { webhookUrl }));
    const ending = endingOf(claimed, failed);
    expect(await endCapture(pool, context, ending)).toEqual({ deliveries: 1 });
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 0 });
    expect(await rowOf(pool, 'capture', claimed.id)).toMatchObject({
      status: 'failed',
      error_code: 'CAPTURE_TIMEOUT',
      error_message: 'It took longer than 30,000 ms.',
      storage_key: null,
      expires_at: null,
    });
    const [event] = await eventsOf(claimed.id);
    const facts = { request_id: claimed.id, url: 'https://example.com/', type: 'screenshot' } as const;
    expect(event).toMatchObject({ name: 'capture.failed', url: webhookUrl, due: true });
    expect(event.body).toEqual(
      captureFailed(
        { ...facts, error_code: 'CAPTURE_TIMEOUT', error_message: 'It took longer than 30,000 ms.' },
        ending.at,
      ).body,
    );
  });
});

describe('an ending', () => {
  const context = eventContext('B');

  it('without a receiver records no event', async () => {
    for (const outcome of [completed, failed]) {
      const claimed = await claim(pool, await reserve(pool, accountId));
      expect(await endCapture(pool, context, endingOf(claimed, outcome))).toEqual({ deliveries: 0 });
      expect(await eventsOf(claimed.id)).toEqual([]);
    }
  });

  it('with the file of an equal capture uses no quota', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId));
    await endCapture(pool, context, endingOf(claimed, { ...completed, cached: true } as typeof completed));
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 0 });
    expect(await rowOf(pool, 'capture', claimed.id)).toMatchObject({ status: 'completed', cached: true });
  });

  it('is accepted once, of many at the same time with different outcomes', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId, { webhookUrl }));
    const endings = await Promise.all(
      Array.from({ length: 10 }, (_, i) => endCapture(pool, context, endingOf(claimed, i % 2 ? completed : failed))),
    );
    expect(endings.filter(Boolean)).toHaveLength(1);
    const { status } = await rowOf(pool, 'capture', claimed.id);
    expect(await usageOf(pool, accountId)).toEqual({ used: status === 'completed' ? 1 : 0, reserved: 0 });
    expect((await eventsOf(claimed.id)).map((event) => event.name)).toEqual([`capture.${status}`]);
  });

  it('is accepted only from the newest attempt of a capture that is being rendered', async () => {
    const id = await reserve(pool, accountId);
    expect(await endCapture(pool, context, endingOf({ id, attempt: 0 }))).toBeNull();
    await claim(pool, id);
    for (const attempt of [0, 2]) expect(await endCapture(pool, context, endingOf({ id, attempt }))).toBeNull();
    expect((await rowOf(pool, 'capture', id)).status).toBe('processing');
    expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 1 });
    expect(await endCapture(pool, context, endingOf({ id, attempt: 1 }))).not.toBeNull();
    expect(await endCapture(pool, context, endingOf({ id: 'req_unknown', attempt: 1 }))).toBeNull();
  });

  it('settles the quota of the month in which it was reserved', async () => {
    const claimed = await claim(pool, await reserve(pool, accountId, { month: '2026-10' }));
    await endCapture(pool, context, endingOf(claimed));
    expect(await usageOf(pool, accountId, '2026-10')).toEqual({ used: 1, reserved: 0 });
    expect(await usageOf(pool, accountId)).toBeUndefined();
  });

  describe('whose event cannot be written', () => {
    afterEach(async () => {
      await pool.query('DROP TRIGGER IF EXISTS full_disk ON delivery; DROP FUNCTION IF EXISTS full_disk');
    });

    it('is rolled back completely and can be repeated', async () => {
      const claimed = await claim(pool, await reserve(pool, accountId, { webhookUrl }));
      await pool.query(
        `CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN RAISE 'disk is full'; END $$ LANGUAGE plpgsql;
         CREATE TRIGGER full_disk BEFORE INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION full_disk()`,
      );
      await expect(endCapture(pool, context, endingOf(claimed))).rejects.toThrow('disk is full');
      expect((await rowOf(pool, 'capture', claimed.id)).status).toBe('processing');
      expect(await usageOf(pool, accountId)).toEqual({ used: 0, reserved: 1 });
      expect(await eventsOf(claimed.id)).toEqual([]);
      await pool.query('DROP TRIGGER full_disk ON delivery');
      expect(await endCapture(pool, context, endingOf(claimed))).toEqual({ deliveries: 1 });
      expect(await usageOf(pool, accountId)).toEqual({ used: 1, reserved: 0 });
    });
  });
});
