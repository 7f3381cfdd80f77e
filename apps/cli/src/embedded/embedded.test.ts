import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { readRunning } from '@capture/provisioning/process-table';
import { openPageServer } from '@capture/testing/network/page-server';
import { makeTestFolder, required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it, jest } from '@jest/globals';
import { runCapture } from '../platform.test-support.ts';

jest.setTimeout(400_000);

/** Runs the command line until it exits. */
async function capture(args: readonly string[], env: Record<string, string> = {}) {
  const run = runCapture(args, env);
  const { code } = await run.exited;
  return { code, output: run.output() };
}

it('a call without a server starts and stops an embedded platform, also when killed or interrupted', async () => {
  const folder = makeTestFolder('embedded');
  const dataDir = path.join(folder, 'data');
  const pages = await openPageServer({ '/': '<h1>page</h1>', '/held': 'hang' });
  const call = (target: string) => [
    ...['screenshot', pages.url(target), '-o', path.join(folder, 'a.png')],
    ...['--data-dir', dataDir, '--allow', `127.0.0.1/32:${pages.port}`],
  ];
  // The embedded platform ignores the settings of another platform.
  const env = {
    PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'),
    DATABASE_URL: 'postgres://unused@127.0.0.1:1/none',
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
    await waitUntil(() => pages.hits('/held') > 0, { what: 'the request for the page', timeoutMs: 180_000 });
    expect(running().length).toBeGreaterThan(4);
    run.signal('SIGKILL');
    await run.exited;
    await waitUntil(() => running().length === 0, { what: 'all processes to exit', timeoutMs: 180_000 });

    const interrupted = runCapture(call('/held'), env);
    await waitUntil(() => pages.hits('/held') > 1, { what: 'the second request for the page', timeoutMs: 180_000 });
    interrupted.signal('SIGINT');
    expect(await interrupted.exited).toEqual({ code: 130, signal: null });
    expect(running()).toEqual([]);
  } finally {
    await pages.close();
  }
});

it('reports a folder that is not a checkout', async () => {
  const folder = makeTestFolder('embedded');
  const run = await capture(['screenshot', 'https://example.com/', '--platform', folder]);
  expect(run).toEqual({
    code: 2,
    output: `${folder} is not a checkout of the capture platform\n`,
  });
});
