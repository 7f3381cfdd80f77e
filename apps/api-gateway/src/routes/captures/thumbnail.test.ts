import { thumbnailKey } from '@capture/storage/file-key';
import { beforeAll, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { onePixel, startSharedGateway, startTestWorker } from '../../test-gateway.ts';

const gateway = await startSharedGateway();
let key: string;
let path: string;
let storedKey: string;

beforeAll(async () => {
  startTestWorker(gateway, () => 'completed');
  key = await gateway.register('thumbnails@example.com');
  const sent = gateway.as(key).post('/api/v1/screenshot');
  const { body } = await sent.send({ url: 'https://example.com/', response_type: 'json' }).expect(200);
  path = `/api/v1/captures/${body.request_id}`;
  const capture = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: body.request_id } });
  storedKey = thumbnailKey(capture.storageKey!)!;
});

it('404: a capture whose file was deleted, and a capture of another account', async () => {
  const stranger = await gateway.register('stranger@example.com');
  await gateway.as(stranger).get(`${path}/thumbnail`).expect(404);
  const file = storedKey.replace('.thumbnail.webp', '');
  await gateway.storage.remove(file);
  await gateway.as(key).get(`${path}/thumbnail`).expect(404);
  await gateway.storage.put(file, onePixel);
});

it('401: no key', () => gateway.http.get(`${path}/thumbnail`).expect(401));

it('200: a WebP, drawn once and stored with the file', async () => {
  expect(await gateway.storage.open(storedKey)).toBeNull();
  const written = jest.spyOn(gateway.storage, 'put');
  const responses = await Promise.all([1, 2].map(() => gateway.as(key).get(`${path}/thumbnail`).expect(200)));
  const { body, headers } = await gateway.as(key).get(`${path}/thumbnail`).expect(200);
  expect(headers['content-type']).toBe('image/webp');
  expect(await sharp(body).metadata()).toMatchObject({ format: 'webp', width: 1, height: 1 });
  for (const each of responses) expect(Buffer.compare(each.body, body)).toBe(0);
  expect(written.mock.calls.map(([name]) => name)).toEqual([storedKey]);
});

it('is kept no longer than the capture, and not served after it', async () => {
  const { headers } = await gateway.as(key).get(`${path}/thumbnail`).expect(200);
  const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(headers['cache-control']!)!;
  const where = { id: path.split('/').at(-1)! };
  const { expiresAt } = await gateway.database.prisma.capture.findUniqueOrThrow({ where });
  expect(Number(seconds) * 1_000).toBeLessThanOrEqual(expiresAt!.getTime() - Date.now() + 1_000);
  await gateway.database.prisma.capture.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
  await gateway.as(key).get(`${path}/thumbnail`).expect(404);
});

it('is deleted with the capture’s file', async () => {
  await gateway.as(key).delete(path).expect(204);
  expect(await gateway.storage.open(storedKey)).toBeNull();
  await gateway.as(key).get(`${path}/thumbnail`).expect(404);
});
