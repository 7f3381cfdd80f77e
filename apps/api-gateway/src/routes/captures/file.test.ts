import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { forms } from '@capture/contract/forms/forms';
import { openDiskStorage } from '@capture/storage/disk-storage';
import { outputKey } from '@capture/storage/file-key';
import { signFileLink } from '@capture/storage/file-link';
import type { LinkedFile } from '@capture/storage/storage';
import { s3Credentials, startS3Server } from '@capture/testing/network/s3-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Admission } from '../../limits/admission.ts';
import {
  onePixel,
  startSecondGateway,
  startTestGateway,
  startTestWorker,
  type TestGateway,
} from '../../test-gateway.ts';

const pixel = { file_size: onePixel.length, width: expect.any(Number), height: expect.any(Number) };

describe('GET /files/:name', () => {
  let gateway: TestGateway;
  let path: string;
  let captureId: string;
  let accountKey: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    startTestWorker(gateway, () => 'completed');
    accountKey = await gateway.register('files@example.com');
    const sent = gateway.as(accountKey).post('/api/v1/screenshot');
    const { body } = await sent.send({ url: 'https://example.com/', response_type: 'json' }).expect(200);
    captureId = body.request_id;
    path = body.file_url.replace('http://capture.test', '');
  });
  afterAll(() => gateway.close());

  it('200: serves the file without a key', async () => {
    const { body, headers } = await gateway.http.get(path).expect(200);
    expect(Buffer.compare(body, onePixel)).toBe(0);
    expect(headers['content-disposition']).toBe(`inline; filename="${captureId}.png"`);
    expect(headers['content-length']).toBe(String(onePixel.length));
  });

  it('403: an altered or extended link, or the link of another file', async () => {
    const altered = [
      path.replace(/signature=./, (text) => (text.endsWith('A') ? 'signature=B' : 'signature=A')),
      path.replace(/expires=\d/, 'expires=9'),
      path.replace(captureId, 'req_00000000000000000000000000'),
      path.replace('.png', '.pdf'),
      path.split('?')[0]!,
      `/files/..%2f..%2fetc%2fpasswd?${path.split('?')[1]}`,
    ];
    for (const link of altered) expect((await gateway.http.get(link)).status).toBe(403);
  });

  it('503: the store is unavailable', async () => {
    Object.assign(process.env, s3Credentials);
    const store = await startS3Server();
    const remote = await startSecondGateway(gateway, { settings: { STORAGE_URL: `s3://captures?${store.parameter}` } });
    await store.close();
    const { body, headers } = await remote.http.get(path).expect(503);
    expect(body).toMatchObject({ error_code: 'OVERLOADED', error_message: expect.stringContaining('file store') });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('403: an expired link', async () => {
    const expired = signFileLink({
      publicUrl: '',
      captureId,
      extension: 'png',
      expiresAt: new Date(Date.now() - 1_000),
      secret: gateway.links.secretKey,
    });
    expect((await gateway.http.get(expired).expect(403)).body.error_message).toContain('expired');
  });

  it('200: serves each output by a separate link', async () => {
    const { prisma } = gateway.database;
    const { storageKey } = await prisma.capture.findUniqueOrThrow({ where: { id: captureId } });
    const key = outputKey(storageKey!, 2, 'markdown');
    const outputs = [{ name: 'words', kind: 'markdown', format: 'markdown', size: 6, key }];
    await gateway.storage.put(key, Buffer.from('# Page'));
    await prisma.capture.update({ where: { id: captureId }, data: { outputs } });
    const { body: record } = await gateway.as(accountKey).get(`/api/v1/captures/${captureId}`).expect(200);
    expect(record.outputs).toEqual([
      { name: 'screenshot', kind: 'screenshot', format: 'png', file_url: record.file_url, ...pixel },
      { name: 'words', kind: 'markdown', format: 'markdown', file_url: expect.any(String), file_size: 6 },
    ]);
    const link = record.outputs[1].file_url.replace('http://capture.test', '');
    expect(link).toContain(`/files/${captureId}-2.markdown?`);
    const { text, headers } = await gateway.http.get(link).expect(200);
    expect([text, headers['content-type']]).toEqual(['# Page', 'text/markdown; charset=utf-8']);
    expect(headers['content-disposition']).toBe(`inline; filename="${captureId}-words.md"`);
    await gateway.http.get(link.replace('-2.', '-3.')).expect(403);
    await gateway.as(accountKey).delete(`/api/v1/captures/${captureId}`).expect(204);
    await gateway.http.get(link).expect(404);
    expect(await gateway.storage.open(key)).toBeNull();
  });

  it('404: a deleted file', async () => {
    await gateway.http.get(path).expect(404);
  });
});

describe('GET /files/:name with a storage that serves its files itself', () => {
  let gateway: TestGateway;
  let folder: string;
  let path: string;
  let captureId: string;
  const linked: LinkedFile[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(`${tmpdir()}/linked-files-`);
    const storage = await openDiskStorage({ directory: folder });
    const link = async (key: string, file: LinkedFile) => {
      linked.push(file);
      return `https://store.example.com/${key}?signed`;
    };
    gateway = await startTestGateway('B', { parts: { storage: { ...storage, link } } });
    startTestWorker(gateway, () => 'completed');
    const key = await gateway.register('linked@example.com');
    const sent = gateway.as(key).post('/api/v1/screenshot');
    const { body } = await sent.send({ url: 'https://example.com/', response_type: 'json' }).expect(200);
    captureId = body.request_id;
    path = body.file_url.replace('http://capture.test', '');
  });
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  it('302: redirects to a link with the same file headers, valid for at most a minute', async () => {
    const { headers } = await gateway.http.get(path).expect(302);
    expect(headers.location).toBe(`https://store.example.com/${captureId}-1.png?signed`);
    expect(headers['cache-control']).toBe('private, no-store');
    const [file] = linked.splice(0);
    expect(file).toMatchObject({
      contentType: 'image/png',
      contentDisposition: `inline; filename="${captureId}.png"`,
      cacheControl: expect.stringMatching(/^private, max-age=\d+, immutable$/),
    });
    expect(file?.expiresInS).toBeGreaterThan(0);
    expect(file?.expiresInS).toBeLessThanOrEqual(60);
  });

  it('403: an altered link does not redirect', async () => {
    await gateway.http.get(path.replace(/expires=\d/, 'expires=9')).expect(403);
    expect(linked).toEqual([]);
  });

  it.each([
    ['a page of the dashboard', { 'Sec-Fetch-Site': 'same-origin' }],
    ['the dashboard over plain http', { Cookie: 'capture_session=a.b.c' }],
  ])('200: serves the bytes to %s, which loads nothing from other origins', async (_caller, headers) => {
    const { body } = await gateway.http.get(path).set(headers).expect(200);
    expect(Buffer.compare(body, onePixel)).toBe(0);
    expect(linked).toEqual([]);
  });
});

it('sends as many files of an account at once as it has slots; further files wait, and no other account does', async () => {
  const gateway = await startTestGateway('B', {
    parts: { admission: new Admission(forms.B, { linkFile: { perAccount: 2 } }) },
  });
  startTestWorker(gateway, () => 'completed');
  /** Stores a file that fits into no buffer, and returns its path. */
  const store = async (email: string) => {
    const sent = gateway.as(await gateway.register(email)).post('/api/v1/screenshot');
    const { body } = await sent.send({ url: 'https://example.com/', response_type: 'json' }).expect(200);
    const stored = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: body.request_id } });
    await gateway.storage.remove(stored.storageKey!);
    await gateway.storage.put(stored.storageKey!, Buffer.alloc(30_000_000));
    return body.file_url.replace('http://capture.test', '');
  };
  const [path, neighbours] = [await store('slow@example.com'), await store('quick@example.com')];
  const server = createServer(gateway.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Opens a client that receives the head and reads no further. */
  const open = async () => {
    const [response] = (await once(get(origin + path, { agent: false }), 'response')) as [IncomingMessage];
    return response.pause();
  };
  const slow = [await open(), await open()];
  let started = false;
  const third = open().finally(() => {
    started = true;
  });
  for (let turn = 0; turn < 5; turn += 1) await gateway.http.get(neighbours).expect(200);
  expect(started).toBe(false);
  slow[0]?.destroy();
  (await third).destroy();
  slow[1]?.destroy();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await gateway.close();
});
