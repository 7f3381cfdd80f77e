import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect as openSocket, type Socket } from 'node:net';
import { findOwnPort } from '@capture/testing/network/own-port';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { limits } from '../../limits/admission.ts';
import { failIfBad, startSecondGateway, startSharedGateway, startTestWorker } from '../../test-gateway.ts';

const port = await findOwnPort();
const gateway = await startSharedGateway('B', { settings: { PORT: port } });
let server: Server;
let key: string;
let agent: Client;
/** The worker waits for this promise before a capture ends. */
let held: Promise<void> | undefined;
let worker: ReturnType<typeof startTestWorker>;
const outcomeOf: Parameters<typeof startTestWorker>[1] = (capture) =>
  capture.url.endsWith('/slow') ? { code: 'CAPTURE_TIMEOUT', message: 'It took too long.' } : failIfBad(capture);
const startWorker = () => {
  worker = startTestWorker(gateway, outcomeOf, async () => held);
};

async function connect(apiKey: string, send: typeof fetch = fetch): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${apiKey}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers },
      fetch: (url, init) => send(url, init),
    }),
  );
  return client;
}

const call = async (name: string, args: Record<string, unknown>) =>
  (await agent.callTool({ name, arguments: args })) as CallToolResult;
const textOf = ({ content }: CallToolResult) =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join();
const factsOf = (result: CallToolResult) => JSON.parse(textOf(result));

beforeAll(async () => {
  server = gateway.app.listen(port);
  startWorker();
  key = await gateway.register('agent@example.com', 'business');
  agent = await connect(key);
});

afterAll(async () => {
  await agent.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('lists its tools, each with a description of every option', async () => {
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'take_screenshot',
    'make_pdf',
    'make_og_image',
    'read_page',
    'get_capture',
    'capture_batch',
    'get_batch',
    'get_account',
  ]);
  const options = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties ?? {}).map(([option, schema]) => ({ name: `${name}.${option}`, schema })),
  );
  const silent = options.filter(({ schema }) => !('description' in schema));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

describe('take_screenshot', () => {
  it('shows the image, and names its page', async () => {
    const result = await call('take_screenshot', { url: 'https://example.com/' });
    const [image] = result.content;
    if (image?.type !== 'image') throw new Error(`no image: ${textOf(result)}`);
    expect(image.mimeType).toBe('image/webp');
    expect(await sharp(Buffer.from(image.data, 'base64')).metadata()).toMatchObject({ width: 1, height: 1 });
    expect(factsOf(result)).toMatchObject({
      request_id: expect.stringMatching(/^req_/),
      status: 'completed',
      file_url: expect.stringContaining('/files/'),
      width: 1,
    });
    const { rows } = await gateway.database.pool.query('SELECT options FROM capture ORDER BY id DESC LIMIT 1');
    expect(rows[0].options).toMatchObject({ block_cookie_banners: true, format: 'png' });
  });

  it('waits for its turn to load the image, and not for its turn to capture', async () => {
    const { id } = await gateway.database.prisma.account.findUniqueOrThrow({ where: { email: 'agent@example.com' } });
    const take = () => gateway.admission.take('agentFile', id);
    const taken = [await take(), await take()];
    let ended = false;
    const result = call('take_screenshot', { url: 'https://example.com/turn' }).finally(() => {
      ended = true;
    });
    await waitUntil(
      () => gateway.database.prisma.capture.count({ where: { url: { endsWith: '/turn' }, status: 'completed' } }),
      {
        what: 'the capture to complete',
      },
    );
    await waitUntil(() => gateway.captureWaiter.size === 0, { what: 'its wait to end' });
    for (let turn = 0; turn < 10; turn += 1) await call('get_account', {});
    expect(ended).toBe(false);
    for (const release of taken) release();
    expect((await result).content[0]).toMatchObject({ type: 'image' });
  });

  it('shows the link of an image of more than 32 MB, and loads none of it', async () => {
    await gateway.database.pool.query(`
      CREATE FUNCTION enlarge() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.url LIKE '%/huge' AND NEW.file_size IS NOT NULL THEN NEW.file_size := 40000000; END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER enlarge BEFORE UPDATE ON capture FOR EACH ROW EXECUTE FUNCTION enlarge()`);
    const result = await call('take_screenshot', { url: 'https://example.com/huge' });
    expect(result.content).toHaveLength(1);
    expect(factsOf(result)).toMatchObject({
      file_url: expect.stringContaining('/files/'),
      note: expect.stringContaining('too large to show'),
    });
    await gateway.database.pool.query('DROP TRIGGER enlarge ON capture; DROP FUNCTION enlarge()');
  });

  it('says of a failed capture what to do next, and costs nothing', async () => {
    const used = async () => factsOf(await call('get_account', {})).usage.used;
    const before = await used();
    const result = await call('take_screenshot', { url: 'https://example.com/bad' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/\(NAVIGATION_FAILED\)\nCheck the address/);
    expect(await used()).toBe(before);
  });

  it('gives advice after a timeout that works for a client that waits for 60 s', async () => {
    const result = await call('take_screenshot', { url: 'https://example.com/slow' });
    expect(textOf(result)).toMatch(/CAPTURE_TIMEOUT.*timeout_ms: 50000.*capture_batch with timeout_ms: 120000/s);
    const urls = ['https://example.com/slow-batch'];
    const batch = factsOf(await call('capture_batch', { urls, options: { timeout_ms: 120_000 } }));
    const { results } = factsOf(await call('get_batch', { batch_id: batch.batch_id }));
    expect(results).toMatchObject([{ url: urls[0] }]);
    const { rows } = await gateway.database.pool.query('SELECT options FROM capture ORDER BY id DESC LIMIT 1');
    expect(rows[0].options).toMatchObject({ timeout_ms: 120_000 });
  });

  it('refuses an unknown option', async () => {
    const result = await call('take_screenshot', { url: 'https://example.com/', fullPage: true });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('fullPage');
    const batch = await call('capture_batch', { urls: ['https://example.com/'], options: { js: '1' } });
    expect([batch.isError, textOf(batch)]).toEqual([true, expect.stringContaining('js')]);
  });

  it('names the kinds of outputs', async () => {
    const result = await call('take_screenshot', { url: 'https://example.com/', outputs: ['foo'] });
    expect([result.isError, textOf(result)]).toEqual([
      true,
      expect.stringContaining('one of screenshot, pdf, og_image'),
    ]);
  });

  it('explains an option that is wrong', async () => {
    const result = await call('take_screenshot', { url: 'https://example.com/', full_page: true, selector: 'h1' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/selector cannot be combined with full_page.*INVALID_REQUEST/);
  });
});

describe('a client that gives a progress token', () => {
  it('is informed of the state every few seconds, which keeps it from timing out', async () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    const progress: Progress[] = [];
    const result = agent.callTool({ name: 'take_screenshot', arguments: { url: 'https://example.com/' } }, undefined, {
      onprogress: (state) => void progress.push(state),
      timeout: 5_000,
      resetTimeoutOnProgress: true,
    });
    const rendering = () => progress.filter(({ message }) => message === 'rendering').length;
    // Two reports arrive after six seconds.
    await waitUntil(() => rendering() === 2, { what: 'two reports of the rendering', timeoutMs: 20_000 });
    release();
    held = undefined;
    expect(await result).toMatchObject({ content: [{ type: 'image' }, { type: 'text' }] });
    expect(progress[0]?.message).toMatch(/^queued/);
    const steps = progress.map((state) => state.progress);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  });

  it('gets JSON if it accepts no stream', async () => {
    const params = { name: 'get_account', arguments: {}, _meta: { progressToken: 1 } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { body } = await gateway.as(key).post('/mcp').set('Accept', 'application/json').send(message).expect(200);
    expect(body).toMatchObject({ id: 1, result: { content: expect.any(Array) } });
  });
});

describe('the capture of a call', () => {
  const calling = (name: string) => ({ name: 'take_screenshot', arguments: { url: urlOf(name) } });
  const urlOf = (name: string) => `https://example.com/${name}`;
  const statusOf = async (name: string) =>
    (await gateway.database.prisma.capture.findFirst({ where: { url: urlOf(name) } }))?.status;
  const reaches = (name: string, status: string) =>
    waitUntil(async () => (await statusOf(name)) === status, { what: `${name} to be ${status}`, timeoutMs: 10_000 });
  const reserved = async () => (await gateway.database.prisma.usage.findMany()).map((usage) => usage.reserved);

  /** Holds the worker back, so that a capture stays in a state. */
  async function hold(status: 'queued' | 'processing', work: () => Promise<void>) {
    let release = () => {};
    if (status === 'queued') await worker.close();
    else held = new Promise((resolve) => (release = resolve));
    try {
      await work();
    } finally {
      release();
      held = undefined;
      if (status === 'queued') startWorker();
    }
  }

  it.each(['queued', 'processing'] as const)('is cancelled with the call while it is %s', (status) =>
    hold(status, async () => {
      const cancelling = new AbortController();
      const call = agent.callTool(calling(`cancel-${status}`), undefined, { signal: cancelling.signal });
      await reaches(`cancel-${status}`, status);
      cancelling.abort();
      await expect(call).rejects.toThrow();
      await reaches(`cancel-${status}`, 'cancelled');
      expect(await reserved()).toEqual([0]);
      await waitUntil(() => gateway.captureWaiter.size === 0, { what: 'the wait to end' });
    }),
  );

  it('is cancelled by way of another gateway, and while a stream is open', async () => {
    const second = await startSecondGateway(gateway);
    const other = second.app.listen(0);
    const { port: otherPort } = other.address() as AddressInfo;
    const cancels = (init?: RequestInit) => String(init?.body).includes('notifications/cancelled');
    const client = await connect(key, (url, init) =>
      fetch(cancels(init) ? `http://127.0.0.1:${otherPort}/mcp` : url, init),
    );
    await hold('processing', async () => {
      const cancelling = new AbortController();
      const states: unknown[] = [];
      const call = client.callTool(calling('elsewhere'), undefined, {
        signal: cancelling.signal,
        onprogress: (state) => void states.push(state),
      });
      await reaches('elsewhere', 'processing');
      await waitUntil(() => states.length > 0, { what: 'the stream' });
      cancelling.abort();
      await expect(call).rejects.toThrow();
      await reaches('elsewhere', 'cancelled');
    });
    await client.close();
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });

  it('is cancelled when the request ends', () =>
    hold('queued', async () => {
      const ending = new AbortController();
      const params = calling('ended');
      const sent = fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        signal: ending.signal,
      });
      await reaches('ended', 'queued');
      ending.abort();
      await expect(sent).rejects.toThrow();
      await reaches('ended', 'cancelled');
    }));

  it('is not cancelled by another client with the same key and the same id', async () => {
    const other = await connect(key);
    await hold('processing', async () => {
      const call = agent.callTool(calling('kept'));
      await reaches('kept', 'processing');
      // Both clients count from 0.
      for (let requestId = 0; requestId < 100; requestId += 1) {
        await other.notification({ method: 'notifications/cancelled', params: { requestId } });
      }
      expect(await statusOf('kept')).toBe('processing');
      void call;
    });
    await reaches('kept', 'completed');
    await other.close();
  });

  it('keeps its file if it has ended', async () => {
    const { request_id } = factsOf(await call('take_screenshot', { url: urlOf('done') }));
    await agent.notification({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(factsOf(await call('get_capture', { request_id }))).toMatchObject({ status: 'completed' });
  });
});

it('reads an earlier text again only without a page of its own', async () => {
  const result = await call('read_page', {
    request_id: 'req_1',
    url: 'https://example.com/',
    outputs: [{ kind: 'pdf' }],
  });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('leave out url and outputs');
});

it('says which argument is missing', async () => {
  for (const tool of ['take_screenshot', 'make_pdf', 'make_og_image']) {
    expect(textOf(await call(tool, {}))).toBe('url is required, or html.');
  }
  expect(textOf(await call('read_page', {}))).toBe(
    'url is required, or html; or request_id, to read an earlier text again.',
  );
});

it('captures a batch, and reads its results', async () => {
  const urls = ['https://example.com/', 'https://example.com/bad'];
  const { batch_id } = factsOf(await call('capture_batch', { urls, options: { selector: 'main', delay_ms: 10 } }));
  const { rows } = await gateway.database.pool.query('SELECT options FROM capture ORDER BY id DESC LIMIT 1');
  expect(rows[0].options).toMatchObject({ selector: 'main', delay_ms: 10, block_cookie_banners: true });
  let batch = factsOf(await call('get_batch', { batch_id }));
  while (batch.pending > 0) batch = factsOf(await call('get_batch', { batch_id }));
  expect(batch).toMatchObject({ succeeded: 1, failed: 1, results: [{ status: 'completed' }, { status: 'failed' }] });
});

it('lists the outputs of a batch, and fewer results at once the more outputs it has', async () => {
  const urls = Array.from({ length: 6 }, (_, index) => `https://example.com/several/${index}`);
  const { batch_id } = factsOf(await call('capture_batch', { urls }));
  const read = async (cursor?: string) => factsOf(await call('get_batch', { batch_id, ...(cursor && { cursor }) }));
  await waitUntil(async () => (await read()).pending === 0, { what: 'the batch to end' });
  expect((await read()).results).toHaveLength(6);
  const outputs = Array.from({ length: 10 }, (_, index) => ({
    name: `text-${index}`,
    kind: 'text',
    format: 'text',
    size: 1,
    key: `${index}`,
  }));
  await gateway.database.prisma.capture.updateMany({ where: { batchId: batch_id }, data: { outputs } });
  const first = await read();
  expect(first.results).toHaveLength(4);
  const names = first.results[3].outputs.map(({ name }: { name: string }) => name);
  expect(names).toEqual(outputs.map(({ name }) => name));
  const rest = await read(first.next_cursor);
  expect([...first.results, ...rest.results].map(({ url }) => url)).toEqual(urls);
  expect(rest.next_cursor).toBeNull();
});

it('offers stored captures as resources', async () => {
  const { request_id } = factsOf(await call('take_screenshot', { url: 'https://example.com/stored' }));
  const { resources } = await agent.listResources();
  expect(resources[0]).toMatchObject({ uri: `capture://${request_id}`, mimeType: 'image/png' });
  const { contents } = await agent.readResource({ uri: `capture://${request_id}` });
  expect(contents[0]).toMatchObject({ mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) });
  expect(factsOf(await call('get_capture', { request_id }))).toMatchObject({ request_id, status: 'completed' });
  for (const missing of ['req_none', `${request_id}/none`]) {
    await expect(agent.readResource({ uri: `capture://${missing}` })).rejects.toMatchObject({ code: -32_002 });
  }
});

it('loads files for no more results than the clients of an account read', async () => {
  const { request_id } = factsOf(await call('take_screenshot', { url: 'https://example.com/unread' }));
  const { storageKey } = await gateway.database.prisma.capture.findUniqueOrThrow({ where: { id: request_id } });
  // A socket's buffers hold less.
  await gateway.storage.put(String(storageKey), Buffer.alloc(8_000_000));
  const uri = `capture://${request_id}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
  const head = `POST /mcp HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
  const begun: string[] = [];
  const slow = Array.from({ length: limits.agentResult.perAccount }, () => {
    const socket = openSocket(port, '127.0.0.1').on('error', () => {});
    return socket.once('data', (data) => {
      begun.push(data.toString('latin1', 0, 1_000));
      socket.pause();
    });
  });
  try {
    for (const socket of slow) socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const what = 'all results to begin';
    await waitUntil(() => begun.length === slow.length, { what, timeoutMs: 90_000 });
    // A response that reports an error is short, and its slot is free at once.
    for (const response of begun) expect(response).toContain('"result":{"contents":');
    let contents: unknown;
    const result = agent.readResource({ uri }).then((read) => {
      contents = read.contents;
      return read;
    });
    for (let turn = 0; turn < 20; turn += 1) await call('get_account', {});
    expect(contents).toBeUndefined();
    slow.pop()?.destroy();
    expect((await result).contents).toHaveLength(1);
  } finally {
    for (const socket of slow) socket.destroy();
  }
});

it('uses no connection to the API twice, which may be about to close', async () => {
  const { request_id } = factsOf(await call('take_screenshot', { url: 'https://example.com/' }));
  const sockets: Socket[] = [];
  const note = ({ url, socket }: IncomingMessage) => url !== '/mcp' && sockets.push(socket);
  server.on('request', note);
  try {
    await call('get_account', {});
    await call('get_capture', { request_id });
    await agent.readResource({ uri: `capture://${request_id}` });
  } finally {
    server.off('request', note);
  }
  expect(sockets.length).toBeGreaterThan(3);
  expect(new Set(sockets).size).toBe(sockets.length);
});

it('shows an account no data of another account', async () => {
  const { request_id } = factsOf(await call('take_screenshot', { url: 'https://example.com/' }));
  const other = await connect(await gateway.register('other@example.com'));
  const result = await other.callTool({ name: 'get_capture', arguments: { request_id } });
  expect(textOf(result as CallToolResult)).toMatch(/NOT_FOUND/);
  await expect(other.readResource({ uri: `capture://${request_id}` })).rejects.toThrow();
  expect((await other.listResources()).resources).toEqual([]);
  await other.close();
});

it('401 without a key, 405 for other methods, 400 for a body that is no message', async () => {
  await expect(connect('nope')).rejects.toThrow();
  await gateway.http.post('/mcp').send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }).expect(401);
  await gateway.as(key).get('/mcp').expect(405);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  await gateway.as(key).post('/mcp').send([message]).expect(400);
  const { body } = await gateway.as(key).post('/mcp').send({ jsonrpc: '2.0', id: {} }).expect(400);
  expect(body).toMatchObject({ error_code: 'INVALID_REQUEST' });
  expect(JSON.stringify(body)).toContain('JSON-RPC');
});

it('responds in JSON whatever the client accepts, with 202 to a notification', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { body } = await gateway.as(key).post('/mcp').set('Accept', 'text/plain').send(message).expect(200);
  expect(body).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  await gateway.as(key).post('/mcp').send({ jsonrpc: '2.0', method: 'notifications/initialized' }).expect(202);
});
