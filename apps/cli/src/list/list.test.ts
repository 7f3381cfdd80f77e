import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { monthOf, nextMonth } from '@capture/contract/api/month';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { CaptureClient } from '@capture-platform/sdk/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openPlatform, type PlatformUnderTest, runCapture } from '../platform.test-support.ts';
import { computeChecksum, type Outcome } from './folder.ts';

jest.setTimeout(400_000);

let platform: PlatformUnderTest;
let env: Record<string, string>;
let folder: string;
/** Pages below /held respond when this promise is resolved. */
let released: Promise<void>;
let release: () => void;
const capture: PlatformUnderTest['capture'] = (...call) => platform.capture(...call);

beforeAll(async () => {
  // The limit is smaller than the lists below, so that they take several batches.
  platform = await openPlatform({ BATCH_MAX_ITEMS: '3', CAPTURE_CONCURRENCY: '4' });
});
afterAll(() => platform.close());

beforeEach(async () => {
  env = { CAPTURE_SERVER: platform.url, CAPTURE_API_KEY: (await platform.newAccount()).apiKey };
  folder = makeTestFolder('list');
  released = new Promise((resolve) => {
    release = resolve;
  });
});

/** Serves pages. The last `held` pages do not respond until `release()`. @returns their URLs. */
function servePages(count: number, { held = 0 } = {}): string[] {
  return Array.from({ length: count }, (_, index) => {
    const isHeld = index >= count - held;
    const route = isHeld ? `/held/${index}` : `/page/${index}`;
    platform.pages.serve({
      [route]: async (_request: unknown, response: { end(text: string): void }) => {
        if (isHeld) await released;
        response.end(`<h1>${index}</h1>`);
      },
    });
    return platform.pages.url(route);
  });
}

function listFile(lines: readonly string[], name = 'urls.txt'): string {
  const file = path.join(makeTestFolder('source'), name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const small = ['--width', '160', '--height', '120', '--timeout-ms', '120000'];
const list = (source: string, ...more: string[]) => ['list', source, '--out', folder, ...small, ...more];

function manifest(): Outcome[] {
  const lines = readFileSync(path.join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

const files = () => readdirSync(folder).filter((name) => name !== 'manifest.jsonl' && name !== '.capture');

/** Counts the captures that the account has created, including those of batches. */
async function countCaptures(): Promise<number> {
  const client = new CaptureClient({ baseUrl: platform.url, apiKey: String(env.CAPTURE_API_KEY) });
  let count = 0;
  for await (const _ of client.captures.list()) count += 1;
  return count;
}

/** Expects that the folder has exactly the files of the manifest, with their checksums. */
async function expectCompleteFolder(count: number): Promise<void> {
  const outcomes = manifest().filter(({ status }) => status === 'completed');
  expect(new Set(outcomes.map(({ file }) => file)).size).toBe(count);
  expect(files().sort()).toEqual([...new Set(outcomes.map(({ file }) => String(file)))].sort());
  for (const { file, sha256 } of outcomes) expect(await computeChecksum(path.join(folder, String(file)))).toBe(sha256);
}

describe('a list', () => {
  it('0: is captured into files with checksums, and a second run captures nothing', async () => {
    const source = listFile(['# a comment', '', ...servePages(7), platform.pages.url('/page/3')]);
    const first = await capture(list(source), env);
    expect(first).toEqual({ code: 0, output: '7 of 7 captured\n' });
    await expectCompleteFolder(7);
    expect(files()).toContain(`127.0.0.1-${platform.pages.port}-page-6.png`);
    const second = await capture(list(source), env);
    expect(second).toEqual({ code: 0, output: '7 of 7 captured\n' });
    expect(await countCaptures()).toBe(7);

    // Only missing and damaged files are captured again.
    const [gone, damaged] = files();
    rmSync(path.join(folder, String(gone)));
    const bytes = readFileSync(path.join(folder, String(damaged)));
    writeFileSync(path.join(folder, String(damaged)), bytes.fill(0, bytes.length - 8));
    expect((await capture(list(source, '--verify'), env)).output).toMatch(/^5 of 7 already captured; 2 to do\n/);
    await expectCompleteFolder(7);
    expect(await countCaptures()).toBe(9);
  });

  it('0: is captured with the outputs of each, which are kept like the files themselves', async () => {
    const source = listFile(servePages(2));
    const flags = ['--outputs', 'text,metadata'];
    expect(await capture(list(source, ...flags), env)).toEqual({ code: 0, output: '2 of 2 captured\n' });
    const saved = manifest().flatMap(({ file, outputs = [] }) => [
      String(file),
      ...outputs.map((output) => output.file),
    ]);
    expect(saved).toHaveLength(6);
    expect(files().sort()).toEqual(saved.sort());
    const text = `127.0.0.1-${platform.pages.port}-page-1.png--text.txt`;
    expect(readFileSync(path.join(folder, text), 'utf8')).toBe('1\n');
    rmSync(path.join(folder, text));
    const second = await capture(list(source, ...flags), env);
    expect(second.output).toMatch(/^1 of 2 already captured; 1 to do\n/);
    expect(files().sort()).toEqual(saved);
  });

  it('1: reports failures with reasons, and retries them on request', async () => {
    const urls = servePages(5);
    const bad = platform.pages.url('/bad');
    platform.pages.serve({ '/bad': { status: 500, body: 'down' } });
    const source = listFile([...urls.slice(0, 3), bad, 'ftp://example.com/', ...urls.slice(3)]);
    const flags = ['--fail-on-status', '4xx,5xx'];
    const first = await capture(list(source, ...flags), env);
    expect(first.code).toBe(1);
    expect(first.output).toContain(`${bad}: The page responded with status 500.\nftp://example.com/: `);
    expect(first.output).toContain('5 of 7 captured, 2 failed');
    const failed = manifest().filter(({ status }) => status === 'failed');
    expect(failed.map(({ url, error_code }) => [url, error_code]).sort()).toEqual([
      ['ftp://example.com/', 'INVALID_REQUEST'],
      [bad, 'HTTP_STATUS'],
    ]);
    expect(failed.find(({ url }) => url === bad)).toMatchObject({ error_message: expect.stringContaining('500') });

    platform.pages.serve({ '/bad': 'up again' });
    expect((await capture(list(source, ...flags), env)).output).toContain('2 failed');
    const retried = await capture(list(source, ...flags, '--retry-failed'), env);
    expect(retried.output).toContain('6 of 7 captured, 1 failed');
    await expectCompleteFolder(6);
    expect(await countCaptures()).toBe(7);
  });

  it('2: names the flag that the server refuses, and captures nothing', async () => {
    const source = listFile(servePages(3));
    const run = await capture(['list', source, '--out', folder, '--width', '5'], env);
    expect(run).toEqual({ code: 2, output: '--width must be at least 16\n' });
    expect(await countCaptures()).toBe(0);
  });
});

describe('an interrupted run', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)('by %s is continued without capturing anything twice', async (signal) => {
    const source = listFile(servePages(7, { held: 4 }));
    const run = runCapture(list(source), env);
    // Only one capture is certain, because the second batch, whose pages are all held, may occupy all slots but one.
    await waitUntil(() => manifest().length >= 1, { what: 'a capture to be in the manifest' });
    run.signal(signal);
    const { code } = await run.exited;
    if (signal === 'SIGINT') {
      expect(code).toBe(130);
      expect(run.output()).toMatch(/\d+ of 7 done; run the same command again to continue\n/);
    }
    release();
    const next = await capture(list(source), env);
    expect(next.code).toBe(0);
    expect(next.output).toMatch(/7 of 7 captured\n$/);
    await expectCompleteFolder(7);
    expect(await countCaptures()).toBe(7);
  });

  it('before the server’s response is continued with the same key', async () => {
    const source = listFile(servePages(2));
    await capture(list(source), env);
    // The journal ends as if the run was killed while submitting the batch, in the middle of a line.
    const journal = path.join(folder, '.capture', 'journal.jsonl');
    const [begin = ''] = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${begin}\n{"accep`);
    writeFileSync(path.join(folder, 'manifest.jsonl'), '{"key":"half');
    expect(await capture(list(source), env)).toEqual({ code: 0, output: '2 of 2 captured\n' });
    expect(await countCaptures()).toBe(2);
    expect(files()).toHaveLength(2);
  });

  it('is repeated for another account', async () => {
    const source = listFile(servePages(2, { held: 2 }));
    const run = runCapture(list(source), env);
    const journal = path.join(folder, '.capture', 'journal.jsonl');
    await waitUntil(() => readFileSync(journal, 'utf8').includes('accepted'), { what: 'the batch to be accepted' });
    await run.kill();
    release();
    env.CAPTURE_API_KEY = (await platform.newAccount()).apiKey;
    expect(await capture(list(source), env)).toEqual({ code: 0, output: '2 of 2 captured\n' });
    expect(await countCaptures()).toBe(2);
  });

  it('locks the folder against a second run', async () => {
    const source = listFile(servePages(2, { held: 2 }));
    const run = runCapture(list(source), env);
    await waitUntil(() => readFileSync(path.join(folder, '.capture', 'lock'), 'utf8'), { what: 'the lock' });
    const second = await capture(list(source), env);
    expect(second.code).toBe(2);
    expect(second.output).toMatch(/^another run \(process \d+\) is using this folder/);
    release();
    expect((await run.exited).code).toBe(0);
  });
});

describe('the month’s quota', () => {
  it('ends a list that can be continued when there is quota again', async () => {
    const account = await platform.newAccount('free');
    env.CAPTURE_API_KEY = account.apiKey;
    const use = (count: number) =>
      platform.database.pool.query(
        `INSERT INTO usage (account_id, month, used) SELECT $1, unnest($2::text[]), $3
         ON CONFLICT (account_id, month) DO UPDATE SET used = $3`,
        // The month may change during the test.
        [account.id, [monthOf(new Date()), monthOf(nextMonth(new Date()))], count],
      );
    const source = listFile(servePages(5));
    await use(198);
    const first = await capture(list(source), env);
    expect(first.code).toBe(1);
    expect(first.output).toMatch(/2 of 5 captured, 3 remaining; run the same command again when there is quota/);
    await use(0);
    expect(await capture(list(source), env)).toMatchObject({ code: 0 });
    expect(await countCaptures()).toBe(5);
  });
});
