import { createServer } from 'node:http';
import { listen } from '@capture/testing/network/listen';
import { type S3Server, s3Credentials, startS3Server } from '@capture/testing/network/s3-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStorage, parseBucketUrl } from './open-storage.ts';
import { createBucket, openS3Storage } from './s3-storage.ts';
import { testStorage } from './storage-suite.ts';

let server: S3Server;
const environment = { ...process.env };

beforeAll(async () => {
  Object.assign(process.env, s3Credentials);
  server = await startS3Server();
});

afterAll(async () => {
  process.env = environment;
  await server.close();
});

let folders = 0;

testStorage('s3', async () => ({
  storage: await openStorage(`s3://captures/test/${++folders}?${server.parameter}`),
  discard: async () => {},
}));

describe('a bucket', () => {
  it('keeps the files of different prefixes separate', async () => {
    const one = await openStorage(`s3://captures/one?${server.parameter}`);
    const other = await openStorage(`s3://captures/one-more?${server.parameter}`);
    await one.put('file', Buffer.from('of one'));
    expect(await other.open('file')).toBeNull();
    await other.remove('file');
    const listed: string[] = [];
    for await (const key of one.list(new Date(Date.now() + 60_000))) listed.push(key);
    expect(listed).toEqual(['file']);
  });

  it('is rejected in one sentence without keys', async () => {
    await expect(openStorage(`s3://missing?${server.parameter}`)).rejects.toThrow(
      /^STORAGE_URL: the bucket missing cannot be used \(/,
    );
    process.env.AWS_ACCESS_KEY_ID = 'stranger';
    process.env.AWS_SECRET_ACCESS_KEY = 'hidden';
    await expect(openStorage(`s3://captures?${server.parameter}`)).rejects.toThrow(
      /^STORAGE_URL: the bucket captures cannot be used \(((?!hidden).)*\)\.$/,
    );
    Object.assign(process.env, s3Credentials);
  });

  it('returns links to its files that need no key and set their headers', async () => {
    const storage = await openStorage(`s3://captures/linked?links=presigned&${server.parameter}`);
    await storage.put('one', Buffer.from('an image'));
    const file = { contentType: 'image/png', contentDisposition: 'inline; filename="a.png"', cacheControl: 'private' };
    const link = await storage.link!('one', { ...file, expiresInS: 60 });
    const response = await fetch(link);
    expect([response.status, await response.text()]).toEqual([200, 'an image']);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="a.png"');
    expect(new URL(link).searchParams.get('X-Amz-Expires')).toBe('60');
  });

  it('returns links with the endpoint that clients use', async () => {
    const elsewhere = 'links=presigned&links_endpoint=https://files.example.com';
    const storage = await openStorage(`s3://captures/linked?${elsewhere}&${server.parameter}`);
    const file = { contentType: 'image/png', contentDisposition: 'inline', cacheControl: 'private', expiresInS: 60 };
    const { origin, pathname } = new URL(await storage.link!('one', file));
    expect(origin + pathname).toBe('https://files.example.com/captures/linked/one');
    expect((await openStorage(`s3://captures/linked?${server.parameter}`)).link).toBeUndefined();
  });

  it('is created if it does not exist', async () => {
    const options = parseBucketUrl(new URL(`s3://new-captures?${server.parameter}`));
    expect(await createBucket(options)).toBe(true);
    expect(await createBucket(options)).toBe(false);
    await (await openStorage(`s3://new-captures?${server.parameter}`)).put('file', Buffer.from('x'));
  });
});

it('stops waiting for a store that begins its response a byte at a time', async () => {
  const server = createServer((req, res) => {
    if (req.method === 'HEAD') return void res.end();
    res.socket?.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => res.socket?.write('X-More: to come\r\n'), 50);
    res.once('close', () => clearInterval(drip));
  });
  const { port, close } = await listen(server, 'dripping store', { host: '127.0.0.1', port: 0 });
  const endpoint = `http://127.0.0.1:${port}`;
  const options = { bucket: 'captures', prefix: '', region: 'us-east-1', endpoint, respondWithinMs: 500 };
  const storage = await openS3Storage(options);
  const timeout = { name: 'StoreUnavailable', cause: { name: 'TimeoutError' } };
  await expect(storage.put('file', Buffer.from('x'))).rejects.toMatchObject(timeout);
  await expect(storage.open('file')).rejects.toMatchObject(timeout);
  await expect(storage.remove('file')).rejects.toMatchObject(timeout);
  await close();
});
