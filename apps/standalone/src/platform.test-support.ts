import type { ProcessEntry } from '@capture/provisioning/process-table';
import { childrenOf } from '@capture/testing/processes/process-list';
import { runningPrograms, type Standalone } from '@capture/testing/processes/standalone';
import { waitUntil } from '@capture/testing/wait-until';

/** Captures the sample page as PNG. Returns its width and height; throws if there is no image. */
export async function captureSamplePage(platform: Standalone, key: string, query = ''): Promise<[number, number]> {
  const url = `${platform.url}/api/v1/screenshot?url=${encodeURIComponent(platform.samplePage)}${query}`;
  const response = await fetch(url, { headers: { 'x-api-key': key } });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${response.status} ${bytes}`);
  if (bytes.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('this is not a PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

export function findProgram(dataDir: string, name: string): ProcessEntry {
  const entry = runningPrograms(dataDir).find((each) => each.name === name);
  if (!entry) throw new Error(`${name} is not running`);
  return entry;
}

/** Kills a program of the platform, or the worker's Chromium, with SIGKILL, and waits for a program's replacement. */
export async function killProgram(dataDir: string, name: string): Promise<void> {
  if (name === 'chromium') {
    for (const pid of childrenOf(findProgram(dataDir, 'capture-worker').pid)) killTree(pid);
    return;
  }
  const victim = findProgram(dataDir, name);
  // Redis and Postgres are each the only child of their process guard.
  const pid = victim.role === 'guard' ? childrenOf(victim.pid)[0] : victim.pid;
  process.kill(pid as number, 'SIGKILL');
  await waitUntil(() => findProgram(dataDir, name).pid !== victim.pid, { what: `another ${name}` });
}

function killTree(pid: number): void {
  const children = childrenOf(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just exited.
  }
  for (const child of children) killTree(child);
}
