import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { processorMs } from '@capture/testing/processes/process-usage';
import { waitUntil } from '@capture/testing/wait-until';
import { expect, it } from '@jest/globals';
import { OtherWork } from './other-work.ts';

const computing = 'while (process.cpuUsage().user < 1e6); setTimeout(() => {}, 60_000)';

it('counts the processor time of a process that is not its own', async () => {
  const startedAt = performance.now();
  const others = new OtherWork();
  // The shell ends at once, so that its child is not a descendant of this process.
  const script = '"$0" -e "$1" > /dev/null 2>&1 & echo $!';
  const pid = Number(execFileSync('sh', ['-c', script, process.execPath, computing], { encoding: 'utf8' }));
  try {
    await waitUntil(() => processorMs([pid]) >= 1_000, { what: 'the other process to compute', timeoutMs: 60_000 });
    const usedMs = others.end() * (performance.now() - startedAt) * os.availableParallelism();
    expect(usedMs).toBeGreaterThan(900);
  } finally {
    process.kill(pid);
  }
});
