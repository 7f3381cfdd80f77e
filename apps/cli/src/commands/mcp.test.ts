import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOwnPort } from '@capture/testing/network/own-port';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { openPlatform, type PlatformUnderTest } from '../platform.test-support.ts';

jest.setTimeout(400_000);

const chapters = { prices: 'Prices', start: 'Getting started', limits: 'Limits', support: 'Support' };
const chapter = (title: string, content: string) =>
  `<!doctype html><html lang="en"><title>${title} – Handbook</title><nav><a href="/handbook/">Handbook</a> <a href="/login">Sign in</a></nav>
  <main><h1>${title}</h1>${content}</main><footer>© Handbook</footer></html>`;
const prices = `<p>All plans include support by mail.</p><table border="1" style="width:240px;height:90px"><thead><tr><th>Plan</th><th>Price</th></tr></thead>
  <tbody><tr><td>Single</td><td>€ 5</td></tr><tr><td>Team</td><td>€ 20</td></tr></tbody></table>`;
const list = Object.entries(chapters).map(([name, title]) => `<li><a href="/handbook/${name}">${title}</a></li>`);

/** A site with an index, where an agent starts. */
const handbook = {
  '/handbook/': chapter('Contents', `<p>All that there is to know.</p><ul>${list.join('')}</ul>`),
  ...Object.fromEntries(
    Object.entries(chapters).map(([name, title]) => [
      `/handbook/${name}`,
      chapter(title, name === 'prices' ? prices : `<p>${title}, in short.</p>`),
    ]),
  ),
};

let platform: PlatformUnderTest;
let agent: Client;

beforeAll(async () => {
  platform = await openPlatform();
  platform.pages.serve({
    ...handbook,
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

/** Records the calls of an agent and their results as Markdown, without parts that differ in each run. */
class Transcript {
  private text = '';
  private readonly site: string;

  constructor(site: string) {
    this.site = site;
  }

  /** Calls a tool. @returns the text of its result. */
  async call(name: string, args: object): Promise<string> {
    const { content } = await call(name, args);
    const parts = content.map((part) => {
      if (part.type === 'text') return shown(part.text);
      return part.type === 'image' ? `(an image, ${part.mimeType})` : `(${part.type})`;
    });
    this.text += `\n**${name}** \`${JSON.stringify(args)}\`\n\n\`\`\`text\n${parts.join('\n')}\n\`\`\`\n`;
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  }

  /** Fails if the document has another transcript. With `WRITE_DOCS=1` the transcript is written there. */
  async compareWith(file: string): Promise<void> {
    const [begin, end] = ['<!-- transcript -->\n', '\n<!-- end of transcript -->'];
    const document = await readFile(file, 'utf8');
    const [before, rest = ''] = document.split(begin);
    const [kept, after] = rest.split(end);
    const steady = this.text
      .replaceAll(this.site, 'https://example.com/handbook/')
      .replaceAll(platform.url, 'http://localhost:3000')
      .replaceAll(/\b(req|batch)_[0-9a-z]{20,}/g, '$1_…')
      .replaceAll(/(\/files\/)[^"\s)]+/g, '$1…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      .replaceAll(/("(?:\w+_ms|position|file_size)": )\d+/g, '$1…');
    if (process.env.WRITE_DOCS === '1') await writeFile(file, before + begin + steady + end + after);
    else expect(kept).toBe(steady);
  }
}

/** Shortens a result as the document shows it: a list to its first two entries. */
function shown(text: string): string {
  if (!text.startsWith('{')) return text;
  const short = (_name: string, value: unknown) =>
    Array.isArray(value) && value.length > 2 ? [...value.slice(0, 2), `… and ${value.length - 2} more`] : value;
  return JSON.stringify(JSON.parse(text, short), null, 2);
}

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

it('shows an agent the outputs of one visit, and has each as a resource', async () => {
  const url = platform.pages.url('/handbook/prices');
  const result = await call('take_screenshot', {
    url,
    outputs: [
      { kind: 'markdown' },
      { kind: 'pdf', paper: 'A5' },
      { kind: 'screenshot', name: 'phone', device: 'iPhone 15 Pro', full_page: true },
      { kind: 'links' },
    ],
  });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  // A phone's first screen is two parts high.
  const [own, facts, markdown, , , titled, phone, , , links] = result.content;
  expect(result.content.map((part) => (part.type === 'resource_link' ? part.name : part.type))).toEqual([
    'image',
    'text',
    'text',
    'markdown',
    'pdf',
    'text',
    'image',
    'image',
    'phone',
    'text',
    'links',
  ]);
  expect([own, phone]).toMatchObject([{ mimeType: 'image/webp' }, { mimeType: 'image/webp' }]);
  expect(markdown).toMatchObject({ text: expect.stringContaining('| Team | € 20 |') });
  expect(titled).toMatchObject({ text: '# output phone' });
  expect(links).toMatchObject({ text: expect.stringContaining('"links": []') });
  if (facts?.type !== 'text') throw new Error('the facts are not text');
  const { request_id, outputs } = JSON.parse(facts.text);
  expect(outputs.map(({ name }: { name: string }) => name)).toEqual(['markdown', 'pdf', 'phone', 'links']);

  const read = async (name: string) =>
    (await agent.readResource({ uri: `capture://${request_id}/${name}` })).contents[0];
  expect(await read('markdown')).toMatchObject({
    mimeType: expect.stringMatching('text/markdown'),
    text: expect.any(String),
  });
  expect(await read('pdf')).toMatchObject({ mimeType: 'application/pdf', blob: expect.stringMatching(/^JVBER/) });
  await expect(read('nothing')).rejects.toThrow('has no output nothing');
  const { resources } = await agent.listResources();
  expect(resources.map(({ uri }) => uri)).toContain(`capture://${request_id}/phone`);

  const textOf = ({ content }: CallToolResult) => content.map((part) => (part.type === 'text' ? part.text : '')).join();
  expect(textOf(await call('read_page', { request_id, output: 'markdown' }))).toContain('# Prices');
  const wrong = await call('read_page', { request_id, output: 'pdf' });
  expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('can read: markdown, links')]);
  expect(textOf(await call('read_page', { url, output: 'markdown' }))).toContain('output needs the request_id');
  const nothing = textOf(await call('read_page', { url, include_selectors: ['.none'] }));
  expect(nothing).toContain('without the selector that the message names');
  const refused = textOf(await call('take_screenshot', { url, outputs: [{ kind: 'pdf', full_page: true }] }));
  expect(refused).toContain('outputs.0.full_page is an option of other kinds');
});

it('reads values of a page by selectors', async () => {
  const extract = {
    price: { selector: 'tr:last-child td:last-child' },
    plans: { selector: 'tbody tr', all: true, fields: { name: { selector: 'td' }, none: { selector: '.none' } } },
  };
  const result = await call('read_page', { url: platform.pages.url('/handbook/prices'), extract });
  const [text, facts] = result.content;
  expect(text).toMatchObject({ text: expect.stringContaining('# Prices') });
  expect(JSON.parse(facts?.type === 'text' ? facts.text : '')).toMatchObject({
    extracted: { price: '€ 20', plans: [{ name: 'Single', none: null }, { name: 'Team' }] },
    extract_errors: { 'plans.0.none': expect.any(String) },
  });
  const wrong = await call('read_page', {
    url: platform.pages.url('/'),
    extract: { a: { selector: 'b', fields: { c: { selector: 1 } } } },
  });
  expect(wrong.isError).toBe(true);
});

it('leaves a long text of an output to read_page, in parts', async () => {
  const words = Array.from({ length: 9_000 }, (_, index) => `word ${index}`).join(' ');
  platform.pages.serve({ '/long-text': chapter('Long', `<p>${words}</p>`) });
  const { content } = await call('take_screenshot', {
    url: platform.pages.url('/long-text'),
    outputs: [{ kind: 'text' }],
  });
  expect(content.map(({ type }) => type)).toEqual(['image', 'text', 'resource_link']);
  expect(content[2]).toMatchObject({
    description: expect.stringContaining('read_page with request_id and output: "text"'),
  });
  const facts = content[1]?.type === 'text' ? JSON.parse(content[1].text) : null;
  const first = await call('read_page', { request_id: facts.request_id, output: 'text' });
  const note = first.content.at(-1);
  expect(note).toMatchObject({ text: expect.stringMatching(/output: \\"text\\" and offset: \d+/) });
});

it('informs a client of the state while it waits, which keeps it from timing out', async () => {
  const url = platform.pages.url('/report');
  const states: (string | undefined)[] = [];
  const waiting = {
    onprogress: ({ message }: Progress) => void states.push(message),
    timeout: 5_000,
    resetTimeoutOnProgress: true,
  };
  const args = { name: 'take_screenshot', arguments: { url, delay_ms: 8_000 } };
  const result = (await agent.callTool(args, undefined, waiting)) as CallToolResult;
  expect(await sizesOf(result)).toEqual(['1280×720']);
  expect(states[0]).toMatch(/^queued/);
  expect(states.slice(1)).toEqual(expect.arrayContaining(['rendering']));
});

it('cancels the capture of a call that the client cancels', async () => {
  const cancelling = new AbortController();
  const url = platform.pages.url('/report?cancelled');
  const call = agent.callTool({ name: 'take_screenshot', arguments: { url, delay_ms: 30_000 } }, undefined, {
    signal: cancelling.signal,
  });
  const statusOf = async () => {
    const { rows } = await platform.database.pool.query('SELECT status FROM capture WHERE url = $1', [url]);
    return rows[0]?.status;
  };
  await waitUntil(async () => (await statusOf()) !== undefined, { what: 'the capture to be recorded' });
  cancelling.abort();
  await expect(call).rejects.toThrow();
  await waitUntil(async () => (await statusOf()) === 'cancelled', { what: 'its cancellation', timeoutMs: 20_000 });
  await expect(agent.ping()).resolves.toEqual({});
});

it('finds a page, reads it, looks at an element and captures five pages, as docs/agents.md shows', async () => {
  const site = platform.pages.url('/handbook/');
  const written = new Transcript(site);
  const index = await written.call('read_page', { url: site });
  const found = /\[Prices\]\(([^)]+)\)/.exec(index)?.[1];
  if (found === undefined) throw new Error(`the index has no link to the prices: ${index}`);
  expect(await written.call('read_page', { url: found })).toContain('| Team');
  await written.call('take_screenshot', { url: found, selector: 'table' });
  const urls = ['', 'prices', 'start', 'limits', 'support'].map((name) => new URL(name, site).href);
  const { batch_id } = JSON.parse(await written.call('capture_batch', { urls, options: { full_page: true } }));
  const isDone = async () => factsOf(await call('get_batch', { batch_id })).pending === 0;
  await waitUntil(isDone, { what: 'the end of the batch' });
  expect(await written.call('get_batch', { batch_id })).toContain('"succeeded": 5');
  await written.compareWith(path.join(repositoryRoot, 'docs', 'agents.md'));
});

it('says what is wrong with the key or the server', async () => {
  const wrongKey = startAgent({ CAPTURE_SERVER: platform.url, CAPTURE_API_KEY: `sk_${'0'.repeat(48)}` });
  await expect(wrongKey).rejects.toThrow('This API key is not valid');
  const silent = `http://127.0.0.1:${await findOwnPort()}`;
  const nothing = startAgent({ CAPTURE_SERVER: silent, CAPTURE_API_KEY: 'sk_x' });
  await expect(nothing).rejects.toThrow(`${silent} does not respond: connect ECONNREFUSED`);
});
