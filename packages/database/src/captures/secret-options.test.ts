import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createEncryptor } from '../encryption.ts';
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
import { endCapture } from './end-capture.ts';
import { decryptSecretOptions, encryptSecretOptions } from './secret-options.ts';
import { visibleOptions } from './stored-options.ts';

const database = await useTestDatabase();
const { pool } = database;
const context = eventContext('B');
const url = 'https://example.com/';
const options = {
  url,
  width: 800,
  cookies: [{ name: 'session', value: 'secret-1', domain: 'example.com' }],
  headers: { Authorization: 'Bearer secret-2', 'X-A': 'secret-3' },
  basic_auth: { username: 'secret-4', password: 'secret-5' },
};
const masked = {
  url,
  width: 800,
  cookies: [{ name: 'session', value: '***', domain: 'example.com' }],
  headers: { Authorization: '***', 'X-A': '***' },
  basic_auth: { username: '***', password: '***' },
};

describe('secret options', () => {
  it('decrypt to the original, only for their capture and with their key', () => {
    const stored = encryptSecretOptions(encryptor, 'req_1', options);
    expect(JSON.stringify(stored)).not.toContain('secret');
    expect(decryptSecretOptions(encryptor, 'req_1', stored)).toEqual(options);
    expect(visibleOptions(stored)).toEqual(masked);
    expect(() => decryptSecretOptions(encryptor, 'req_2', stored)).toThrow();
    expect(() => decryptSecretOptions(createEncryptor(randomBytes(32).toString('hex')), 'req_1', stored)).toThrow();
  });

  it('of a capture without secrets stay unchanged', () => {
    const plain = { url, metadata: { cookies: 'secret' } };
    expect(encryptSecretOptions(encryptor, 'req_1', plain)).toEqual(plain);
    expect(decryptSecretOptions(encryptor, 'req_1', plain)).toEqual(plain);
    expect(visibleOptions(plain)).toEqual(plain);
  });
});

describe('in the row of a capture', () => {
  async function open() {
    const { id: accountId } = await newAccount(database);
    const id = newId('req');
    await reserve(pool, accountId, { id, options: encryptSecretOptions(encryptor, id, options) });
    return { id, accountId };
  }
  const optionsOf = async (id: string) => (await rowOf(pool, 'capture', id)).options;
  const isDropped = async (id: string) => expect(await optionsOf(id)).toEqual(masked);

  it('they stay encrypted while the capture is open, however often it is claimed and released', async () => {
    const { id } = await open();
    const first = await claim(pool, id);
    expect(decryptSecretOptions(encryptor, id, first.options)).toEqual(options);
    await releaseCapture(pool, first);
    const second = await claim(pool, id);
    expect(decryptSecretOptions(encryptor, id, second.options)).toEqual(options);
    expect(JSON.stringify(await optionsOf(id))).not.toContain('secret');
  });

  it.each([completed, failed])('they are dropped when the capture ends: $status', async (outcome) => {
    const { id } = await open();
    expect(await endCapture(pool, context, endingOf(await claim(pool, id), outcome))).not.toBeNull();
    await isDropped(id);
  });

  it('they are dropped when the capture is cancelled, alone or with its batch', async () => {
    const { id } = await open();
    expect(await cancelCapture(pool, context, id)).toBe(true);
    await isDropped(id);

    const { id: accountId } = await newAccount(database);
    const items = [newId('req'), newId('req')].map((item) => ({
      id: item,
      type: 'screenshot' as const,
      url,
      options: encryptSecretOptions(encryptor, item, options),
      metadata: null,
      fingerprint: randomBytes(32),
    }));
    const batchId = await newBatch(pool, accountId, items);
    for (const item of items)
      expect(decryptSecretOptions(encryptor, item.id, await optionsOf(item.id))).toEqual(options);
    await cancelBatch(pool, accountId, batchId);
    for (const item of items) await isDropped(item.id);
  });
});
