import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readRunning } from '@capture/provisioning/process-table';
import { openPageServer } from '@capture/testing/page-server';
import { makeTestFolder, required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it, jest } from '@jest/globals';
import { capture, runCapture } from '../platform.test-support.ts';

jest.setTimeout(400_000);

it('a call without a server brings its own platform up and down, twice, and once more when it is interrupted', async () => {
  const folder = makeTestFolder('embedded');
  const dataDir = path.join(folder, 'data');
  const pages = await openPageServer({ '/': '<h1>page</h1>', '/held': 'hang' });
  const call = (target: string) => [
    ...['screenshot', pages.url(target), '-o', path.join(folder, 'a.png')],
    ...['--data-dir', dataDir, '--allow', `127.0.0.1/32:${pages.port}`],
  ];
  // Settings of another platform are none of this one's.
  const env = {
    PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    STORAGE_URL: 'file:///nowhere',
  };
  const running = () => readRunning(path.join(dataDir, 'run', 'processes.json'));
  try {
    const first = await capture(call('/'), env);
    expect([first.code, first.output]).toEqual([0, expect.stringContaining('a.png (')]);
    expect(running()).toEqual([]);
    const operatorKey = JSON.parse(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')).OPERATOR_KEY;
    expect(first.output).not.toContain(operatorKey);
    expect(statSync(path.join(dataDir, 'command-line-key')).mode & 0o777).toBe(0o600);

    const run = runCapture(call('/held'), env);
    await waitUntil(() => pages.hits('/held') > 0, { what: 'the page to be asked for', timeoutMs: 180_000 });
    expect(running().length).toBeGreaterThan(4);
    run.signal('SIGKILL');
    await run.exited;
    await waitUntil(() => running().length === 0, { what: 'all processes to have ended', timeoutMs: 180_000 });

    const interrupted = runCapture(call('/held'), env);
    await waitUntil(() => pages.hits('/held') > 1, { what: 'the page to be asked for again', timeoutMs: 180_000 });
    interrupted.signal('SIGINT');
    expect(await interrupted.exited).toEqual({ code: 130, signal: null });
    expect(running()).toEqual([]);
  } finally {
    await pages.close();
  }
});

it('a checkout that is none is told in one sentence', async () => {
  const folder = makeTestFolder('embedded');
  const run = await capture(['screenshot', 'https://example.com/', '--platform', folder]);
  expect(run).toEqual({
    code: 2,
    output: `${folder} is no checkout of the capture platform: it has no bootstrap.mjs of it\n`,
  });
});
