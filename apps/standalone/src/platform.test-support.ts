import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ProcessEntry, readRunning } from '@capture/provisioning/process-table';
import { startProcess, type TestProcess } from '@capture/testing/processes';
import { repositoryRoot, required } from '@capture/testing/test-run';
import { waitUntil } from '@capture/testing/wait-until';

/** The real platform: every process that `npm start` starts, with its own Postgres, Redis and Chromium. */
export interface PlatformUnderTest {
  supervisor: TestProcess;
  url: string;
  samplePage: string;
  operatorKey: string;
}

export function runPlatform(dataDir: string, env: Record<string, string> = {}): TestProcess {
  return startProcess({
    name: 'platform',
    args: [path.join(repositoryRoot, 'apps', 'standalone', 'dist', 'main.js')],
    env: { DATA_DIR: dataDir, PORT: '0', PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'), ...env },
  });
}

/** Starts it and waits until it has said that it is ready. */
export async function startPlatform(dataDir: string, env: Record<string, string> = {}): Promise<PlatformUnderTest> {
  const supervisor = runPlatform(dataDir, env);
  await supervisor.waitForOutput(/Ctrl-C stops everything/, 180_000);
  const find = (pattern: RegExp) => pattern.exec(supervisor.output())?.[1] ?? '';
  return {
    supervisor,
    url: find(/address: +(\S+)/),
    samplePage: find(/--data-urlencode url=(\S+)/),
    operatorKey: find(/operator key: +(\S+)/),
  };
}

/** The key of a new account, of a plan that allows more than a capture a second. */
export async function register(platform: PlatformUnderTest): Promise<string> {
  const call = async (method: string, target: string, body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${platform.operatorKey}` };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${platform.url}/api/${target}`, request);
    if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const email = `somebody-${Date.now()}@example.com`;
  const { apiKey } = (await call('POST', 'auth/register', { email })) as { apiKey: string };
  const { accounts } = (await call('GET', `operator/accounts?email=${email}`)) as { accounts: { id: string }[] };
  await call('PATCH', `operator/accounts/${accounts[0]?.id}`, { plan: 'business' });
  return apiKey;
}

/** The width and height of a captured PNG; fails when there is none. */
export async function captureSamplePage(
  platform: PlatformUnderTest,
  key: string,
  query = '',
): Promise<[number, number]> {
  const url = `${platform.url}/api/v1/screenshot?url=${encodeURIComponent(platform.samplePage)}${query}`;
  const response = await fetch(url, { headers: { 'x-api-key': key } });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${response.status} ${bytes}`);
  if (bytes.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('this is no PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** Where a platform writes down its processes. */
export const processTable = (dataDir: string) => path.join(dataDir, 'run', 'processes.json');

export function findProgram(dataDir: string, name: string): ProcessEntry {
  const entry = readRunning(processTable(dataDir)).find((each) => each.name === name);
  if (!entry) throw new Error(`${name} does not run`);
  return entry;
}

/**
 * Kills a program of the platform, or the worker's Chromium, with SIGKILL; for a program it waits until another one runs
 * in its place.
 */
export async function killProgram(dataDir: string, name: string): Promise<void> {
  if (name === 'chromium') {
    for (const pid of childrenOf(findProgram(dataDir, 'capture-worker').pid)) killTree(pid);
    return;
  }
  const victim = findProgram(dataDir, name);
  // Redis and Postgres are each the only child of their warden.
  const pid = victim.role === 'warden' ? childrenOf(victim.pid)[0] : victim.pid;
  process.kill(pid as number, 'SIGKILL');
  await waitUntil(() => findProgram(dataDir, name).pid !== victim.pid, { what: `another ${name}` });
}

function killTree(pid: number): void {
  let children: number[] = [];
  try {
    children = childrenOf(pid);
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
  for (const child of children) killTree(child);
}

function childrenOf(pid: number): number[] {
  const list =
    process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return list.trim().split(/\s+/).filter(Boolean).map(Number);
}
