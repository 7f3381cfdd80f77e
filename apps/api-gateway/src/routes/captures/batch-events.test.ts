import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { startSharedGateway } from '../../test-gateway.ts';

const gateway = await startSharedGateway();

/** Creates a batch of a new account, which no worker captures. */
async function openBatch(email: string) {
  const key = await gateway.register(email, 'pro');
  const { id: accountId } = await gateway.database.prisma.account.findUniqueOrThrow({ where: { email } });
  const { body } = await gateway
    .as(key)
    .post('/api/v1/batches')
    .send({ items: [{ url: 'https://example.com/' }] })
    .expect(202);
  return { key, accountId, path: `/api/v1/batches/${body.batch_id}/events` };
}

/** Opens a stream. @returns a promise of the whole text of the stream. */
async function listen(path: string, headers: Record<string, string>): Promise<Promise<string>[]> {
  const before = gateway.batchWatcher.size;
  const ended = gateway.http
    .get(path)
    .set(headers)
    .expect(200)
    .then(({ text }) => text);
  await waitUntil(() => gateway.batchWatcher.size > before, { what: 'the stream to open', timeoutMs: 10_000 });
  return [ended];
}

describe('a stream of a batch’s events ends when', () => {
  it('its key is revoked, while the stream of another key continues', async () => {
    const { key, path } = await openBatch('revoked@example.com');
    const other = (await gateway.as(key).post('/api/v1/keys').expect(201)).body;
    const [ended] = await listen(path, { 'X-API-Key': other.apiKey });
    let otherEnded = false;
    const sent = gateway.as(key).get(path);
    sent.then(
      () => {
        otherEnded = true;
      },
      () => undefined,
    );
    await gateway.as(key).delete(`/api/v1/keys/${other.id}`).expect(204);
    expect(await ended).toContain('event: progress');
    await gateway.as(other.apiKey).get(path).expect(401);
    expect(otherEnded).toBe(false);
    sent.abort();
  });

  it('its account is suspended', async () => {
    const { key, accountId, path } = await openBatch('suspended@example.com');
    const [ended] = await listen(path, { 'X-API-Key': key });
    await gateway.asOperator.patch(`/api/operator/accounts/${accountId}`).send({ status: 'suspended' }).expect(200);
    expect(await ended).toContain('event: progress');
  });

  it('its session is closed', async () => {
    const { key, path } = await openBatch('session@example.com');
    const signedIn = await gateway.http
      .post('/api/auth/session')
      .set({ 'Sec-Fetch-Site': 'same-origin', 'X-Requested-With': 'dashboard' })
      .send({ api_key: key })
      .expect(200);
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const [ended] = await listen(path, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
    await gateway.database.prisma.session.deleteMany();
    expect(await ended).toContain('event: progress');
  });
});

it('writes nothing after the last event, however late the client reads it', async () => {
  const { key, path } = await openBatch('late@example.com');
  await gateway.as(key).post(path.replace('events', 'cancel')).expect(200);
  const watched = gateway.batchWatcher.size;
  let stream: ServerResponse | undefined;
  // The stream waits behind a response that never arrives.
  const server = createServer((req, res) => {
    if (req.url === '/never') return;
    stream = res;
    gateway.app(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = (url: string) => `GET ${url} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;
  socket.write(head('/never') + head(path));
  await waitUntil(() => stream?.writableEnded, { what: 'the last event' });
  expect(stream?.closed).toBe(false);
  expect(gateway.batchWatcher.size).toBe(watched);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

describe('streams of one account', () => {
  it('are at most 20; a further one is refused until one has ended', async () => {
    const { key, path } = await openBatch('streams@example.com');
    const other = await openBatch('other@example.com');
    const server = createServer(gateway.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = (from: string, apiKey: string) =>
      fetch(`http://127.0.0.1:${port}${from}`, { headers: { 'X-API-Key': apiKey } });
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(path, key)));
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refused = await open(path, key);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const others = await open(other.path, other.key);
    expect(others.status).toBe(200);
    await streams[0]?.body?.cancel();
    const again = await waitUntil(
      async () => {
        const response = await open(path, key);
        return response.status === 200 && response;
      },
      { what: 'a slot for a stream', timeoutMs: 10_000 },
    );
    for (const { body } of [...streams.slice(1), others, again]) await body?.cancel();
    await new Promise((resolve) => server.close(resolve));
  });
});
