import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { callApi } from '@capture/testing/processes/accounts';
import { operatorKey } from '@capture/testing/processes/platform';
import { startProcess } from '@capture/testing/processes/processes';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openPlatform, type PlatformUnderTest } from './platform.test-support.ts';

jest.setTimeout(400_000);

// The tests share a platform, because starting one takes seconds of processor time.
let platform: PlatformUnderTest;
let key: string;
let env: Record<string, string>;
const capture: PlatformUnderTest['capture'] = (...call) => platform.capture(...call);

beforeAll(async () => {
  platform = await openPlatform();
  platform.pages.serve({ '/page': '<title>t</title><h1>page</h1>' });
  for (const route of ['/', '/about', '/phone'])
    platform.pages.serve({ [route]: `<title>${route}</title><p>${route}` });
  key = (await platform.newAccount()).apiKey;
  env = { CAPTURE_SERVER: platform.url, CAPTURE_API_KEY: key };
});
afterAll(() => platform.close());

/** Finds the format of a file by its first bytes. */
function detectFormat(file: string | Buffer): string {
  const bytes = typeof file === 'string' ? readFileSync(file) : file;
  if (bytes.subarray(1, 4).toString() === 'PNG') return `png ${bytes.readUInt32BE(16)}×${bytes.readUInt32BE(20)}`;
  if (bytes.subarray(8, 12).toString() === 'WEBP') return 'webp';
  return bytes.subarray(0, 5).toString();
}

describe('one page', () => {
  it('0: is written to a file in the format of its extension', async () => {
    const folder = makeTestFolder('one');
    const at = (name: string) => path.join(folder, name);
    const url = platform.pages.url('/page');
    const run = await capture(['screenshot', url, '-o', at('a.png'), '--width', '320', '--height', '200'], env);
    expect([run.code, run.output]).toEqual([0, expect.stringMatching(/a\.png \([\d,]+ bytes\)\n$/)]);
    expect(detectFormat(at('a.png'))).toBe('png 320×200');
    expect((await capture(['screenshot', url, '-o', at('a.webp')], env)).code).toBe(0);
    expect(detectFormat(at('a.webp'))).toBe('webp');
    expect((await capture(['pdf', url, '-o', at('a.pdf'), '--paper', 'A5'], env)).code).toBe(0);
    expect(detectFormat(at('a.pdf'))).toBe('%PDF-');
    expect((await capture(['og-image', url, '-o', at('og.png')], env)).code).toBe(0);
    expect(detectFormat(at('og.png'))).toBe('png 1200×630');
  });

  it('0: is written with a file for each of its outputs', async () => {
    const folder = makeTestFolder('one');
    const url = platform.pages.url('/page');
    const phone = { kind: 'screenshot', name: 'phone', width: 300, height: 200, format: 'webp' };
    const run = await capture(['page', url, '-o', path.join(folder, 'a.png'), '--outputs', 'pdf,markdown'], env);
    expect([run.code, run.output]).toEqual([0, expect.stringMatching(/a\.png .*a-pdf\.pdf .*a-markdown\.md /s)]);
    expect(readFileSync(path.join(folder, 'a-markdown.md'), 'utf8')).toContain('page');
    platform.pages.serve({ '/broken': '<h1>page</h1><img src=/missing.png width=99 height=99>' });
    const broken = platform.pages.url('/broken');
    const doubtful = await capture(['page', broken, '-o', path.join(folder, 'c.png'), '--outputs', 'text'], env);
    expect(doubtful.output).toMatch(/c\.png \([\d,]+ bytes; check it: incomplete\)/);
    await capture(['preset', 'put', 'several', '--outputs', 'text'], env);
    await capture(['page', url, '-o', path.join(folder, 'd.png'), '--preset', 'several'], env);
    expect(readFileSync(path.join(folder, 'd-text.txt'), 'utf8')).toBe('page\n');
    await capture(['preset', 'delete', 'several'], env);
    const list = ['--outputs', JSON.stringify([phone]), '--json'];
    const listed = await capture(['page', url, '-o', path.join(folder, 'b.png'), ...list], env);
    const { outputs } = JSON.parse(listed.output);
    expect(outputs.map(({ name }: { name: string }) => name)).toEqual(['screenshot', 'phone']);
    expect(detectFormat(path.join(folder, 'b-phone.webp'))).toBe('webp');
  });

  it('0: is written to standard output, or its record is', async () => {
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [path.join(repositoryRoot, 'apps', 'cli', 'dist', 'main.js'), ...args], {
        env: { ...process.env, ...env },
        cwd: makeTestFolder('one'),
        encoding: 'buffer',
      });
    const url = platform.pages.url('/page');
    const bytes = await run('screenshot', url, '-o', '-', '--width', '300', '--height', '100');
    expect([detectFormat(bytes.stdout), bytes.stderr.toString()]).toEqual(['png 300×100', '']);
    const record = JSON.parse((await run('screenshot', url, '--json')).stdout.toString());
    expect(record).toMatchObject({ status: 'completed', url, format: 'png', receipt: { http_status: 200 } });
    expect(path.basename(record.file)).toBe(`127.0.0.1-${platform.pages.port}-page.png`);
    expect(statSync(record.file).size).toBe(record.file_size);
  });

  it('1: reports a failed capture', async () => {
    const run = await capture(['screenshot', 'http://127.0.0.1:1/', '-o', '-'], env);
    expect([run.code, run.output]).toEqual([1, expect.stringMatching(/ \(URL_BLOCKED\)\n$/)]);
  });

  it.each([
    [['screenshot'], 'there is no URL to capture'],
    [['screenshot', 'example'], 'it is not a URL that begins with http:// or https://'],
    [['screenshot', 'https://example.com', '-o', 'a.gif'], 'a.gif: the image needs a name in .png, .jpg or .webp'],
    [
      ['screenshot', 'https://example.com', '--format', 'png', '-o', 'a.webp'],
      'needs a name in .png, as --format says',
    ],
    [['pdf', 'https://example.com', '-o', 'a.png'], 'a.png: a PDF needs a name in .pdf'],
    [['screenshot', 'https://example.com', '--nonsense'], "unknown option '--nonsense'"],
    [['screenshot', 'https://example.com', '--width', '5'], 'width must be at least 16'],
    [['screenshot', 'https://example.com', '--json', '-o', '-'], 'not both'],
    [['shoot'], "unknown command 'shoot'"],
    [['list', '/nowhere', '--out', '/tmp/x'], '/nowhere cannot be read'],
  ])('2: rejects %j', async (args, message) => {
    const run = await capture(args, env);
    expect([run.code, run.output]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('the key', () => {
  it('comes from a private file, or from the one that login writes', async () => {
    const folder = makeTestFolder('key');
    const file = path.join(folder, 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    const url = platform.pages.url('/page');
    const call = ['screenshot', url, '-o', path.join(folder, 'a.png'), '--server', platform.url, '--key-file', file];
    expect((await capture(call)).code).toBe(0);
    chmodSync(file, 0o644);
    expect(await capture(call)).toEqual({ code: 2, output: expect.stringContaining('chmod 600') });

    const home = { XDG_CONFIG_HOME: folder };
    const login = promisify(execFile);
    const main = path.join(repositoryRoot, 'apps', 'cli', 'dist', 'main.js');
    const running = login(process.execPath, [main, 'login', platform.url], { env: { ...process.env, ...home } });
    running.child.stdin?.end(`${key}\n`);
    expect((await running).stderr).toMatch(/^signed in as \S+@example\.com \(plan business\)/);
    const config = path.join(folder, 'capture', 'config.json');
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await capture(['screenshot', url, '-o', path.join(folder, 'b.png')], home)).code).toBe(0);

    // The key is never sent to another server.
    const other = await capture(['screenshot', url, '--server', 'https://captures.example.com'], home);
    expect(other).toEqual({ code: 2, output: expect.stringContaining('there is no API key for https://captures') });
  });

  it('1: is never printed, even when it is wrong', async () => {
    const wrong = `${key.slice(0, -1)}_`;
    const run = await capture(['screenshot', platform.pages.url('/page')], { ...env, CAPTURE_API_KEY: wrong });
    expect(run.code).toBe(1);
    expect(run.output).toContain('UNAUTHORIZED');
    expect(run.output).not.toContain(wrong);
  });
});

describe('a preset', () => {
  it('0: is stored, used by a capture and by a link, listed and deleted', async () => {
    const folder = makeTestFolder('preset');
    const at = (name: string) => path.join(folder, name);
    const url = platform.pages.url('/page');
    const put = (...flags: string[]) => capture(['preset', 'put', 'small', ...flags], env);
    const stored = await put('--width', '320', '--height', '200');
    expect([stored.code, JSON.parse(stored.output)]).toEqual([
      0,
      expect.objectContaining({ name: 'small', version: 1, options: { width: 320, height: 200 } }),
    ]);
    expect((await put('--width', '640', '--height', '200')).code).toBe(0);
    for (const [preset, format] of [
      ['small', 'png 640×200'],
      ['small@1', 'png 320×200'],
    ] as const) {
      expect((await capture(['screenshot', url, '-o', at('a.png'), '--preset', preset], env)).code).toBe(0);
      expect(detectFormat(at('a.png'))).toBe(format);
    }
    const own = ['--preset', 'small', '--width', '100'];
    expect((await capture(['screenshot', url, '-o', at('own.png'), ...own], env)).code).toBe(0);
    expect(detectFormat(at('own.png'))).toBe('png 100×200');

    const { secret } = await callApi(platform.url, key, 'POST', '/api/v1/links/secret');
    const { keys } = await callApi(platform.url, key, 'GET', '/api/v1/keys');
    const signing = { ...env, CAPTURE_LINK_SECRET: secret, CAPTURE_KEY_ID: keys[0].id };
    const link = await capture(['link', 'screenshot.png', url, '--preset', 'small@1'], signing);
    expect(link.code).toBe(0);
    const shown = await fetch(link.output.trim());
    expect(detectFormat(Buffer.from(await shown.arrayBuffer()))).toBe('png 320×200');

    expect(await capture(['preset', 'list'], env)).toMatchObject({ code: 0, output: 'small@2\n' });
    expect(JSON.parse((await capture(['preset', 'get', 'small@1'], env)).output)).toMatchObject({ version: 1 });
    expect(await capture(['preset', 'delete', 'small'], env)).toMatchObject({ code: 0, output: '' });
    const gone = await capture(['screenshot', url, '-o', at('gone.png'), '--preset', 'small'], env);
    expect(gone.code).not.toBe(0);
    expect(gone.output).toContain('is not a preset of this account');
  });

  it('is not stored with an option that no capture accepts', async () => {
    const refused = await capture(['preset', 'put', 'bad', '--full-page', '--paper', 'A4'], env);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/full_page|paper/);
  });
});

/** Returns the `sh` blocks of a guide. */
function readCommands(guide: string): string {
  const text = readFileSync(path.join(repositoryRoot, 'docs', 'guides', guide), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
  return blocks
    .join('\n')
    .replaceAll('http://localhost:3000', platform.url)
    .replaceAll(/https:\/\/example\.com\/?(\w*)/g, (_, name) => platform.pages.url(`/${name}`));
}

it('the commands of the guides work as written', async () => {
  const folder = makeTestFolder('guides');
  const commands = ['first-screenshot.md', 'batch-from-csv.md'].map(readCommands).join('\n');
  // Readers run npm in the checkout.
  const script = `npm() { command npm --prefix "${repositoryRoot}" "$@"; }\n${commands}`;
  const shell = startProcess({
    name: 'the guides',
    command: 'bash',
    args: ['-euo', 'pipefail', '-c', script],
    cwd: folder,
    env: { OPERATOR_KEY: operatorKey, PUBLIC_URL: platform.url, XDG_CONFIG_HOME: folder },
  });
  const { code } = await shell.exited;
  expect([code, shell.output()]).toEqual([0, expect.stringContaining('3 of 3 captured')]);
  const headOf = (name: string) => readFileSync(path.join(folder, name)).subarray(0, 12).toString('latin1');
  for (const name of ['page.png', 'full-page.png', 'card.png']) expect(headOf(name)).toContain('PNG');
  expect(headOf('page.pdf')).toContain('%PDF');
  for (const name of ['home', 'about', 'phone']) expect(headOf(`captures/${name}.webp`)).toContain('WEBP');
  expect(shell.output()).toContain('"receipt":');
  expect(shell.output()).toContain('"batch_id":"batch_');
});

describe('the example client for batches', () => {
  /** Runs the example in its own folder. */
  async function runClient(apiKey: string, urls: readonly string[]) {
    const folder = makeTestFolder('client');
    const client = startProcess({
      name: 'the client',
      args: [path.join(repositoryRoot, 'docs', 'examples', 'batch.mjs'), ...urls],
      cwd: folder,
      env: { CAPTURE_API_KEY: apiKey, CAPTURE_SERVER: platform.url },
    });
    const { code } = await client.exited;
    return { code, output: client.output(), folder };
  }

  it('submits, polls, downloads, and reports failures', async () => {
    const { apiKey } = await platform.newAccount();
    const gone = 'http://127.0.0.1:1/';
    const pages = ['/', '/about', '/phone'].map((route) => platform.pages.url(route));
    const { code, output, folder } = await runClient(apiKey, [...pages, gone]);
    expect([code, output]).toEqual([0, expect.stringContaining(`4 of 4\n${gone}: URL_BLOCKED\n`)]);
    const files = readdirSync(path.join(folder, 'captures'));
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(file).toMatch(/^req_\w+\.png$/);
      expect(readFileSync(path.join(folder, 'captures', file)).toString('latin1', 1, 4)).toBe('PNG');
    }
  });

  it('waits for the rate limit, but not for the next month', async () => {
    const { id, apiKey } = await platform.newAccount('free');
    const url = platform.pages.url('/');
    const runs = await Promise.all([runClient(apiKey, [url]), runClient(apiKey, [url]), runClient(apiKey, [url])]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);

    await platform.database.pool.query('UPDATE usage SET used = 199 WHERE account_id = $1', [id]);
    const { code, output } = await runClient(apiKey, [url, url]);
    expect([code, output]).toEqual([1, expect.stringContaining('QUOTA_EXCEEDED')]);
  });
});
