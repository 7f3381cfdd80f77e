import { readFileSync } from 'node:fs';
import path from 'node:path';
import { identifyProcess, isRunning, type ProcessIdentity } from '@capture/provisioning/process-identity';
import { readRunning } from '@capture/provisioning/process-table';
import { openPageServer } from '@capture/testing/network/page-server';
import { registerAccount } from '@capture/testing/processes/accounts';
import { processTable, runStandalone, type Standalone, startStandalone } from '@capture/testing/processes/standalone';
import { makeTestFolder } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { captureSamplePage, findProgram, killProgram } from './platform.test-support.ts';

// These tests run the real platform: every process that `npm start` starts, with its Postgres, Redis and Chromium.
jest.setTimeout(400_000);

/** Lists all processes of a platform, to check later that they ended. */
function listProcesses(platform: Standalone, dataDir: string): ProcessIdentity[] {
  return [identifyProcess(platform.supervisor.pid) as ProcessIdentity, ...readRunning(processTable(dataDir))];
}

describe('npm start', () => {
  const dataDir = { path: '' };
  let platform: Standalone;
  let key: string;

  beforeAll(async () => {
    dataDir.path = makeTestFolder('platform');
    platform = await startStandalone(dataDir.path);
    key = await registerAccount(platform);
  });

  afterAll(() => platform.supervisor.stop());

  it('captures its sample page in the requested size', async () => {
    expect(await captureSamplePage(platform, key)).toEqual([1280, 720]);
    expect(await captureSamplePage(platform, key, '&width=640&height=400')).toEqual([640, 400]);
  });

  it('lets captures reach no other port of this machine', async () => {
    const pages = await openPageServer({ '/': 'secret' });
    const url = `${platform.url}/api/v1/screenshot?url=${encodeURIComponent(pages.url())}`;
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    expect(await response.json()).toMatchObject({ error_code: 'URL_BLOCKED' });
    expect(pages.hits()).toBe(0);
    await pages.close();
  });

  it('keeps the operator key from the processes that do not need it', () => {
    if (process.platform !== 'linux') return;
    const environment = (name: string) => readFileSync(`/proc/${findProgram(dataDir.path, name).pid}/environ`, 'utf8');
    expect(environment('api-gateway')).toContain(platform.operatorKey);
    for (const name of ['capture-worker', 'webhook-dispatcher', 'sample-page']) {
      expect(environment(name)).not.toContain(platform.operatorKey);
    }
    expect(environment('sample-page')).not.toMatch(/SECRET|DATABASE|REDIS/);
  });

  it('rejects a second start on the same data folder, in one sentence', async () => {
    const second = runStandalone(dataDir.path);
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.output().trim()).toMatch(/^Another platform \(process \d+\) runs on [^\n]+$/);
  });

  it('rejects a port that is taken, in one sentence', async () => {
    const { port } = new URL(platform.url);
    const second = runStandalone(makeTestFolder('platform'), { PORT: port });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.output().trim()).toMatch(new RegExp(`^Port ${port} is taken [^\n]+$`));
  });

  it('lists for Prometheus where each process serves its metrics, and requires the operator key to read them', async () => {
    const file = path.join(dataDir.path, 'prometheus-targets.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8')) as { targets: [string]; labels: { job: string } }[];
    const jobs = read().map(({ labels }) => labels.job);
    expect(jobs).toEqual(['api-gateway', 'capture-worker', 'webhook-dispatcher']);
    const authorization = `Bearer ${platform.operatorKey}`;
    for (const { targets, labels } of read()) {
      const url = `http://${targets[0]}/metrics`;
      const response = await fetch(url, { headers: { authorization } });
      expect(await response.text()).toContain(`service="${labels.job}"`);
      expect((await fetch(url)).status).toBe(401);
    }
    await killProgram(dataDir.path, 'webhook-dispatcher');
    const dispatcher = () => read().find(({ labels }) => labels.job === 'webhook-dispatcher')?.targets[0];
    const isHealthy = async () => (await fetch(`http://${dispatcher()}/healthz`)).ok;
    await waitUntil(isHealthy, { what: 'the dispatcher to respond at its listed address' });
  });

  // survival.test.ts shows what happens to captures when the other programs are killed.
  it('restarts the sample page when it is killed', async () => {
    await killProgram(dataDir.path, 'sample-page');
    const size = await waitUntil(() => captureSamplePage(platform, key), { what: 'a capture that succeeds' });
    expect(size).toEqual([1280, 720]);
  });
});

describe('stopping npm start and starting it again', () => {
  // One test covers all of this, because each start takes several seconds of processor time.
  it('ends all processes on a signal to its group, starts after it was killed, and keeps its data', async () => {
    const dataDir = makeTestFolder('platform');
    const first = await startStandalone(dataDir);
    const key = await registerAccount(first);
    const expectItsData = async (platform: Standalone) => {
      expect(platform.operatorKey).toBe(first.operatorKey);
      expect(await captureSamplePage(platform, key)).toEqual([1280, 720]);
    };
    const end = async (platform: Standalone, signal: 'SIGINT' | 'SIGTERM') => {
      const all = listProcesses(platform, dataDir);
      expect(all).toHaveLength(7);
      // npm and the terminal do the same: the group gets the signal, and then the process gets it again.
      platform.supervisor.signal(signal, true);
      platform.supervisor.signal(signal);
      expect([signal, await platform.supervisor.exited]).toEqual([signal, { code: 0, signal: null }]);
      expect(all.filter(isRunning)).toEqual([]);
    };
    await end(first, 'SIGINT');

    const second = await startStandalone(dataDir);
    await expectItsData(second);
    const all = listProcesses(second, dataDir);
    await second.supervisor.kill();
    const third = await startStandalone(dataDir);
    expect(all.filter(isRunning)).toEqual([]);
    await expectItsData(third);
    await end(third, 'SIGTERM');

    const other = runStandalone(dataDir, { CONTRACT_FORM: 'A' });
    expect(await other.exited).toEqual({ code: 1, signal: null });
    expect(other.output()).toMatch(/The data was created with API profile B[^\n]+\n$/);
    expect(readRunning(processTable(dataDir))).toEqual([]);
  });

  it.each([
    [
      'an unreachable DATABASE_URL',
      { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/db' },
      /^DATABASE_URL cannot be/,
    ],
    ['an unreachable REDIS_URL', { REDIS_URL: 'redis://:hidden@127.0.0.1:1' }, /^REDIS_URL cannot be used/],
    ['a browser that does not run', { PUPPETEER_EXECUTABLE_PATH: '/dev/null' }, /^PUPPETEER_EXECUTABLE_PATH names/],
  ])('rejects %s in one sentence', async (_, env, sentence) => {
    const platform = runStandalone(makeTestFolder('platform'), env);
    expect(await platform.exited).toEqual({ code: 1, signal: null });
    expect(platform.output().trim()).toMatch(sentence);
    expect(platform.output().trim()).not.toContain('\n');
    expect(platform.output()).not.toContain('hidden');
  });
});
