import path from 'node:path';
import { findOwnPort } from '@capture/testing/network/own-port';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { openPlatform, type PlatformUnderTest } from '../platform.test-support.ts';

jest.setTimeout(400_000);

let platform: PlatformUnderTest;
let agent: Client;

beforeAll(async () => {
  platform = await openPlatform();
  platform.pages.serve({
    '/report': `<title>Report</title><body style="margin:0"><h1 id="sum" style="margin:0;width:300px;height:80px">4,711</h1>
      <div style="height:9000px;background:linear-gradient(#fff,#248)"></div>`,
  });
  const { apiKey } = await platform.newAccount();
  agent = await startAgent({ CAPTURE_SERVER: platform.url, CAPTURE_API_KEY: apiKey });
});
afterAll(async () => {
  await agent.close();
  await platform.close();
});

/** Starts `capture mcp` as an agent's client does. */
async function startAgent(env: Record<string, string>): Promise<Client> {
  const main = path.join(repositoryRoot, 'apps', 'cli', 'dist', 'main.js');
  const client = new Client({ name: 'test', version: '1.0.0' });
  const settings = { XDG_CONFIG_HOME: makeTestFolder('settings'), ...env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env: settings, stderr: 'ignore' }),
  );
  return client;
}

const call = async (name: string, args: object) =>
  (await agent.callTool({ name, arguments: { ...args } })) as CallToolResult;
const sizesOf = ({ content }: CallToolResult) =>
  Promise.all(
    content
      .filter((part) => part.type === 'image')
      .map(async ({ data }) => {
        const { width, height } = await sharp(Buffer.from(data, 'base64')).metadata();
        return `${width}×${height}`;
      }),
  );
const factsOf = ({ content }: CallToolResult) =>
  JSON.parse(String(content.flatMap((part) => (part.type === 'text' ? [part.text] : []))));

it('shows an agent an element, a page in parts, and five pages', async () => {
  const url = platform.pages.url('/report');
  const element = await call('take_screenshot', { url, selector: '#sum' });
  expect([await sizesOf(element), factsOf(element)]).toMatchObject([['300×80'], { title: 'Report', http_status: 200 }]);

  const page = await call('take_screenshot', { url, full_page: true });
  expect(await sizesOf(page)).toEqual(['1280×1568', '1280×1568', '1280×1568', '1280×1568', '1280×1568']);
  expect(factsOf(page)).toMatchObject({
    height: 9_080,
    note: expect.stringContaining('the first 7840 of 9080 pixels'),
  });

  const urls = Array.from({ length: 5 }, (_, n) => `${url}?${n}`);
  const { batch_id } = factsOf(await call('capture_batch', { urls }));
  let batch = factsOf(await call('get_batch', { batch_id }));
  while (batch.pending > 0) batch = factsOf(await call('get_batch', { batch_id }));
  expect(batch).toMatchObject({ succeeded: 5, failed: 0 });
});

it('says what is wrong with the key or the server', async () => {
  const wrongKey = startAgent({ CAPTURE_SERVER: platform.url, CAPTURE_API_KEY: `sk_${'0'.repeat(48)}` });
  await expect(wrongKey).rejects.toThrow('This API key is not valid');
  const silent = `http://127.0.0.1:${await findOwnPort()}`;
  const nothing = startAgent({ CAPTURE_SERVER: silent, CAPTURE_API_KEY: 'sk_x' });
  await expect(nothing).rejects.toThrow(`${silent} does not respond: connect ECONNREFUSED`);
});
