import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { captureFailed } from '@capture/contract/events/events';
import { forms } from '@capture/contract/forms/forms';
import { signatureHeaders } from '@capture/contract/forms/signatures';
import { type PlatformUnderTest, startPlatform } from '@capture/testing/processes/platform';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// Tests the package as users get it: packed, installed without a network in an empty project, used in both module systems.

let platform: PlatformUnderTest;
let project: string;
let packed: { files: { path: string }[]; filename: string; entryCount: number };
let env: Record<string, string>;

beforeAll(async () => {
  const pages = { '/': '<!doctype html><title>Hello</title><h1>Hello</h1>' };
  platform = await startPlatform({ services: ['capture-worker', 'webhook-dispatcher'], pages });
  const client = { CAPTURE_API_KEY: await platform.register(), OPERATOR_KEY: platform.operatorKey };
  env = { ...client, CAPTURE_URL: platform.url, WEBHOOK_SECRET: 'whsec_c2VjcmV0IHNlY3JldA==' };
  project = makeTestFolder('project');
  const sdk = path.join(repositoryRoot, 'packages', 'sdk');
  [packed] = JSON.parse(await run('npm', ['pack', '--json', '--silent', '--pack-destination', project], sdk));
  writeFileSync(path.join(project, 'package.json'), '{ "name": "project", "private": true }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await run('npm', ['install', ...quiet, `./${packed.filename}`]);
}, 300_000);
afterAll(async () => {
  await platform?.close();
  rmSync(project, { recursive: true, force: true });
});

/** Returns the output of a command that succeeds. */
async function run(command: string, args: readonly string[], cwd = project): Promise<string> {
  const running = startProcess({ name: `${command} ${args[0]}`, command, args, cwd, env: { ...env, NO_COLOR: '1' } });
  const { code } = await running.exited;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${running.output()}`);
  return running.output();
}

/** Writes a script into the project and runs it. */
function runScript(name: string, text: string, ...args: string[]): Promise<string> {
  writeFileSync(path.join(project, name), text);
  return run(process.execPath, [name, ...args]);
}

it('contains the built modules, their sources, a licence and a README, no tests, and has no dependencies', () => {
  const files = packed.files.map((file) => file.path);
  for (const name of ['LICENSE', 'README.md', 'dist/esm/client.js', 'dist/cjs/client.js', 'dist/cjs/client.d.ts']) {
    expect(files).toContain(name);
  }
  expect(files.filter((name) => /test|tsconfig|scripts/.test(name))).toEqual([]);
  expect(readdirSync(path.join(project, 'node_modules', '@capture-platform'))).toEqual(['sdk']);
  const manifest = JSON.parse(
    readFileSync(path.join(project, 'node_modules/@capture-platform/sdk/package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({ name: '@capture-platform/sdk', license: 'Apache-2.0', sideEffects: false });
  expect([manifest.private, manifest.dependencies]).toEqual([undefined, undefined]);
  for (const entry of Object.values<{ source: string }>(manifest.exports)) {
    const targets = typeof entry === 'string' ? [entry] : JSON.stringify(entry).match(/\.\/[^"]+/g)!;
    expect(targets.filter((target: string) => !files.includes(target.slice(2)))).toEqual([]);
  }
});

const use = `
async function main() {
  const client = new CaptureClient({ apiKey: process.env.CAPTURE_API_KEY, baseUrl: process.env.CAPTURE_URL });
  const { plan } = await client.account.get();
  const error = await client.captures.get('req_none').catch((thrown) => thrown);
  const { type, options } = fromUrlbox({ url: 'example.com', format: 'pdf' });
  console.log(plan, error instanceof NotFoundError, type, options.url, typeof saveTo, typeof verifyWebhook);
}
main();
`;
const used = 'business true pdf http://example.com function function\n';

const imports = {
  client: ['CaptureClient'],
  errors: ['NotFoundError'],
  migration: ['fromUrlbox'],
  node: ['saveTo'],
  'verify-webhook': ['verifyWebhook'],
};

describe('in an empty project', () => {
  it('works with import', async () => {
    const lines = Object.entries(imports).map(
      ([file, names]) => `import { ${names} } from '@capture-platform/sdk/${file}';`,
    );
    expect(await runScript('esm.mjs', lines.join('\n') + use)).toBe(used);
    expect(
      await runScript(
        'root.mjs',
        `import { CaptureClient } from '@capture-platform/sdk'; console.log(CaptureClient.name)`,
      ),
    ).toBe('CaptureClient\n');
  });

  it('works with require', async () => {
    const lines = Object.entries(imports).map(
      ([file, names]) => `const { ${names} } = require('@capture-platform/sdk/${file}');`,
    );
    expect(await runScript('cjs.cjs', lines.join('\n') + use)).toBe(used);
  });

  it('does not export internal modules', async () => {
    const hidden = `import('@capture-platform/sdk/http/transport').catch((error) => console.log(error.code))`;
    expect(await runScript('hidden.mjs', hidden)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });

  it.each([
    ['the types of a browser', { lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'], types: [] }],
    [
      'the types of Node',
      { lib: ['ES2023'], types: ['node'], typeRoots: [path.join(repositoryRoot, 'node_modules/@types')] },
    ],
  ])('is typed in both module systems, with %s', async (_, compilerOptions) => {
    const typed = `
import { CaptureClient, type BatchProgress, type ScreenshotOptions } from '@capture-platform/sdk/client';
import { CaptureError, RateLimitedError } from '@capture-platform/sdk/errors';
import type { CaptureRecord } from '@capture-platform/sdk/api-types';
import { fromGotenberg } from '@capture-platform/sdk/migration';
import { saveTo } from '@capture-platform/sdk/node';
import { verifyWebhook, type WebhookEvent } from '@capture-platform/sdk/verify-webhook';

export async function main(client: CaptureClient, error: unknown): Promise<WebhookEvent> {
  const options: ScreenshotOptions = { url: 'https://example.com/', format: 'webp' };
  await saveTo('page.webp', await client.screenshot(options));
  // @ts-expect-error the option does not exist
  await client.screenshot({ url: 'https://example.com/', fullpage: true });
  // @ts-expect-error a page is given by its address or as html
  await client.pdf({ paper: 'A4' });
  const onProgress = ({ percent }: BatchProgress): number => percent;
  const { succeeded } = await client.batches.wait('batch_1', { onProgress });
  const records: CaptureRecord[] = [];
  for await (const record of client.captures.list({ status: 'failed' })) records.push(record);
  const moved = fromGotenberg({ url: 'https://example.com/' }, '/forms/chromium/convert/url');
  if (moved.type === 'pdf') await client.pdf(moved.options);
  if (error instanceof RateLimitedError) throw new CaptureError('again', { ...error, status: succeeded });
  return (await verifyWebhook({ body: '', headers: {}, secret: 'secret' })).event;
}
`;
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      exactOptionalPropertyTypes: true,
    };
    const folder = path.join(project, 'typed');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'esm.mts'), typed);
    writeFileSync(path.join(folder, 'cjs.cts'), typed);
    const config = {
      compilerOptions: { ...options, ...compilerOptions, skipLibCheck: false },
      include: ['*.mts', '*.cts'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    await run(process.execPath, [path.join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  });
});

/** A runtime that has the globals of the web and none of Node's, so a module may only import files of the package. */
const bareRuntime = `
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
const { fetch, URL, URLSearchParams, Headers, Request, Response, Blob, ReadableStream, AbortController, AbortSignal } = globalThis;
const { TextEncoder, TextDecoder, crypto, atob, btoa, setTimeout, clearTimeout } = globalThis;
const web = { fetch, URL, URLSearchParams, Headers, Request, Response, Blob, ReadableStream, AbortController, AbortSignal };
const context = vm.createContext({ ...web, TextEncoder, TextDecoder, crypto, atob, btoa, setTimeout, clearTimeout });
const modules = new Map();
function load(url) {
  if (!modules.has(url.href)) modules.set(url.href, new vm.SourceTextModule(readFileSync(url, 'utf8'), { context, identifier: url.href }));
  return modules.get(url.href);
}
export async function use(name) {
  const module = load(new URL('./node_modules/@capture-platform/sdk/dist/esm/' + name + '.js', import.meta.url));
  if (module.status === 'unlinked') await module.link((specifier, from) => {
    if (!specifier.startsWith('.')) throw new Error(from.identifier + ' imports ' + specifier);
    return load(new URL(specifier, from.identifier));
  });
  await module.evaluate();
  return module.namespace;
}
`;

it('runs with web globals only', async () => {
  writeFileSync(path.join(project, 'bare-runtime.mjs'), bareRuntime);
  const url = JSON.stringify(platform.pages.url('/'));
  const script = `
import { use } from './bare-runtime.mjs';
const { CaptureClient } = await use('client');
for (const name of ['errors', 'operator', 'register', 'migration', 'events', 'generated/api-types']) await use(name);
const client = new CaptureClient({ apiKey: process.env.CAPTURE_API_KEY, baseUrl: process.env.CAPTURE_URL });
const screenshot = await client.screenshot({ url: ${url} });
const { batch_id } = await client.batches.create({ items: [{ url: ${url} }] });
const { status } = await client.batches.wait(batch_id);
const { verifyWebhook } = await use('verify-webhook');
const { reason } = await verifyWebhook({ body: '', headers: {}, secret: 'secret' }).catch((error) => error);
console.log(screenshot.contentType, (await screenshot.bytes()).length === screenshot.size, status, reason);`;
  writeFileSync(path.join(project, 'bare.mjs'), script);
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  expect(await run(process.execPath, [...flags, 'bare.mjs'])).toBe('image/png true completed missing_header\n');
});

/** Returns the examples of a document, each with a client and with URLs of the test servers. */
function readExamples(document: string): string[] {
  const text = readFileSync(path.join(repositoryRoot, document), 'utf8');
  const client = `import { CaptureClient } from '@capture-platform/sdk/client';
const client = new CaptureClient({ apiKey: process.env.CAPTURE_API_KEY, baseUrl: 'http://localhost:3000' });
`;
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) =>
    (code.includes('CaptureClient') ? code : client + code)
      .replaceAll('http://localhost:3000', platform.url)
      .replaceAll('https://example.com', platform.pages.url('').replace(/\/$/, ''))
      .replaceAll("'example.com'", `'127.0.0.1:${platform.pages.port}'`)
      .replaceAll('https://hooks.example.com', platform.receiver.url),
  );
}

describe.each<[string, { makes: string[]; says: RegExp }]>([
  ['packages/sdk/README.md', { makes: ['page.webp'], says: /^100 %$/m }],
  ['docs/sdk.md', { makes: ['all.zip', 'card.png', 'page.png'], says: /^2 of 2$[\s\S]*field: 'width'/m }],
  ['docs/migration.md', { makes: [], says: /^image\/jpeg$[\s\S]*^1000$[\s\S]*'completed'/m }],
])('the examples of %s', (document, { makes, says }) => {
  it('run', async () => {
    const examples = readExamples(document);
    expect(examples.length).toBeGreaterThan(1);
    const folder = path.join(project, path.basename(document, '.md'));
    mkdirSync(folder);
    for (const [index, code] of examples.entries()) writeFileSync(path.join(folder, `${index}.mjs`), code);
    const all = examples.map((_, index) => `await import('./${index}.mjs');`).join('\n');
    writeFileSync(path.join(folder, 'all.mjs'), all);
    const output = await run(process.execPath, ['all.mjs'], folder);
    expect(output).toMatch(says);
    expect(output).not.toMatch(/undefined|NaN|\[object/);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(makes));
  });
});

it('the receiver in docs/sdk.md accepts only signed webhooks', async () => {
  const receiver = readExamples('docs/sdk.md').find((code) => code.includes('function POST'))!;
  writeFileSync(path.join(project, 'receiver.mjs'), receiver);
  const fact = { request_id: 'req_1', url: 'https://example.com/', type: 'pdf', error_message: 'no' } as const;
  const { body } = captureFailed({ ...fact, error_code: 'HTTP_STATUS' }, new Date());
  const at = new Date();
  const headers = signatureHeaders(forms.B, { eventId: 'evt_1', body, at, secrets: [env.WEBHOOK_SECRET!] });
  const deliver = `import { POST } from './receiver.mjs';
const [headers, ...bodies] = JSON.parse(process.argv[2]);
for (const body of bodies) {
  const { status } = await POST(new Request('http://localhost/', { method: 'POST', body, headers }));
  console.log(status);
}`;
  const sent = JSON.stringify([headers, body.toString(), body.toString().replace('no', 'yes')]);
  expect(await runScript('deliver.mjs', deliver, sent)).toBe('evt_1 capture.failed\n204\n401\n');
});
