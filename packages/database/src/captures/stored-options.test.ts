import { beforeEach, describe, expect, it } from '@jest/globals';
import { deleteAccount } from '../accounts/accounts.ts';
import { removeAccount } from '../accounts/remove-account.ts';
import { newId } from '../ids.ts';
import { cancelBatch } from './cancel-batch.ts';
import { cancelCapture } from './cancel-capture.ts';
import {
  claim,
  completed,
  encryptor,
  endingOf,
  eventContext,
  failed,
  newAccount,
  newBatch,
  reserve,
  rowOf,
  useTestDatabase,
} from './captures.test-support.ts';
import { releaseCapture } from './claim-capture.ts';
import { dropHtmlFromRows } from './drop-html.ts';
import { endCapture } from './end-capture.ts';
import { encryptSecretOptions } from './secret-options.ts';
import { htmlFileOf, visibleOptions, withHtml, withHtmlFile } from './stored-options.ts';

const database = await useTestDatabase();
const { pool } = database;
const context = eventContext('B');
const html = '<p>page';
const optionsOf = async (id: string) => (await rowOf(pool, 'capture', id)).options;

describe('html in a file', () => {
  it('is named by the stored options, and shown as … in records', () => {
    const stored = withHtmlFile({ html, width: 800 }, 'html/ab/x.html');
    expect(JSON.stringify(stored)).not.toContain('page');
    expect(htmlFileOf(stored)).toBe('html/ab/x.html');
    expect(withHtml(stored, html)).toEqual({ html, width: 800 });
    expect(visibleOptions(stored)).toEqual({ html: '…', width: 800 });
    expect(htmlFileOf({ html })).toBeNull();
    expect(visibleOptions({ html })).toEqual({ html: '…' });
  });

  const open = async (options = withHtmlFile({ html, width: 800 }, 'html/ab/x.html')) => {
    const { id: accountId } = await newAccount(database);
    const id = newId('req');
    const secrets = { ...options, cookies: [{ name: 'a', value: 'secret', domain: 'example.com' }] };
    await reserve(pool, accountId, { id, url: 'about:blank', options: encryptSecretOptions(encryptor, id, secrets) });
    return { id, accountId };
  };
  const ended = { html: '…', width: 800, cookies: [{ name: 'a', value: '***', domain: 'example.com' }] };

  it('stays named until the capture ends, however often it is claimed', async () => {
    const { id } = await open();
    await releaseCapture(pool, await claim(pool, id));
    expect(htmlFileOf((await claim(pool, id)).options)).toBe('html/ab/x.html');
  });

  it.each([
    ['in a file', withHtmlFile({ html, width: 800 }, 'html/ab/x.html')],
    ['in the row, of a previous version', { html, width: 800 }],
  ])('%s is dropped from the row when the capture ends, however it ends', async (_, options) => {
    for (const outcome of [completed, failed]) {
      const { id } = await open(options);
      await endCapture(pool, context, endingOf(await claim(pool, id), outcome));
      expect(await optionsOf(id)).toEqual(ended);
    }
    const { id } = await open(options);
    await cancelCapture(pool, context, id);
    expect(await optionsOf(id)).toEqual(ended);
  });

  it('of a cancelled batch is returned by its cancellation, once', async () => {
    const { id: accountId } = await newAccount(database);
    const item = { type: 'screenshot' as const, url: 'about:blank', metadata: null, fingerprint: Buffer.alloc(32) };
    const items = [
      { ...item, id: newId('req'), options: withHtmlFile({ html }, 'html/1') },
      { ...item, id: newId('req'), options: withHtmlFile({ html }, 'html/2') },
      { ...item, id: newId('req'), options: {} },
    ];
    const batchId = await newBatch(pool, accountId, items);
    await claim(pool, items[0]!.id);
    expect(await cancelBatch(pool, accountId, batchId)).toMatchObject({ html: ['html/2'] });
    expect(await optionsOf(items[1]!.id)).toEqual({ html: '…' });
    expect(await cancelBatch(pool, accountId, batchId)).toEqual({ count: 0, html: [] });
    expect(await cancelBatch(pool, accountId, 'batch_none')).toBeNull();
  });

  it('of open captures goes with their account', async () => {
    const { id, accountId } = await open();
    await deleteAccount(database, accountId);
    const files: string[] = [];
    const terms = {
      removeFiles: async (keys: string[]) => void files.push(...keys),
      onCancelled: async () => undefined,
      stopped: () => false,
    };
    expect(await removeAccount(pool, accountId, terms)).toBe(true);
    expect(files).toEqual(['html/ab/x.html']);
    expect(await rowOf(pool, 'capture', id)).toBeUndefined();
  });
});

describe('rows of a previous version', () => {
  beforeEach(async () => {
    await pool.query('TRUNCATE capture, sweeper_run');
  });

  /** Creates captures that ended an hour ago, two each at the same time, and an open capture. */
  async function arrange(): Promise<{ ended: string[]; open: string }> {
    const { id: accountId } = await newAccount(database);
    const now = Date.now();
    const add = async (status: string, secondsAgo: number | null, more: object = {}) => {
      const id = newId('req');
      const common = { id, accountId, type: 'screenshot', month: '2026-11', createdAt: new Date() };
      const completedAt = secondsAgo === null ? null : new Date(now - secondsAgo * 1_000);
      const data = { ...common, status, url: 'about:blank', options: { html, width: 800 }, completedAt, ...more };
      await database.prisma.capture.create({ data });
      return id;
    };
    const ended: string[] = [];
    for (const secondsAgo of [5_000, 5_000, 4_000, 4_000, 3_000]) ended.push(await add('completed', secondsAgo));
    await add('completed', 3_500, { url: 'https://example.com/', options: { width: 800 } });
    return { ended, open: await add('queued', null) };
  }

  it('lose their html in slices, which continue where the last run ended', async () => {
    const { ended, open } = await arrange();
    expect(await dropHtmlFromRows(pool, () => false, 1)).toBe(2);
    expect(await optionsOf(ended[0]!)).toEqual({ html: '…', width: 800 });
    expect(await optionsOf(ended[2]!)).toEqual({ html, width: 800 });
    expect(await dropHtmlFromRows(pool, () => true, 2)).toBe(3);
    for (const id of ended) expect(await optionsOf(id)).toEqual({ html: '…', width: 800 });
    expect(await optionsOf(open)).toEqual({ html, width: 800 });
    expect(await dropHtmlFromRows(pool)).toBe(0);
  });

  it('are left for a while after their end, as it may not be committed yet', async () => {
    const { id: accountId } = await newAccount(database);
    const id = await reserve(pool, accountId, { url: 'about:blank', options: { html } });
    await pool.query(`UPDATE capture SET status = 'completed', completed_at = now() WHERE id = $1`, [id]);
    expect(await dropHtmlFromRows(pool)).toBe(0);
    await pool.query(`UPDATE capture SET completed_at = now() - interval '11 minutes' WHERE id = $1`, [id]);
    expect(await dropHtmlFromRows(pool)).toBe(1);
  });
});
