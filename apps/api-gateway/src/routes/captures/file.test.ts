import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { openDiskStorage } from '@capture/storage/disk-storage';
import { signFileLink } from '@capture/storage/file-link';
import type { LinkedFile } from '@capture/storage/storage';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onePixel, startTestGateway, startTestWorker, type TestGateway } from '../../test-gateway.ts';

describe('GET /files/:name', () => {
  let gateway: TestGateway;
  let path: string;
  let captureId: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    startTestWorker(gateway, () => 'completed');
    const key = await gateway.register('files@example.com');
    const sent = gateway.as(key).post('/api/v1/screenshot');
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

  it('403: an altered or extended link, or one of another file', async () => {
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

  it('404: a deleted file', async () => {
    const capture = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: captureId } });
    await gateway.storage.remove(capture.storageKey!);
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
