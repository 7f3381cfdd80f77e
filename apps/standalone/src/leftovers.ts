import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from '@capture/provisioning/process-identity';
import { type ProcessEntry, readRunning } from '@capture/provisioning/process-table';
import type { Report } from '@capture/provisioning/provisioning-error';

/** The time that leftover processes have to end, milliseconds. Services need 20 s to drain and 5 s to close. */
export const leftoverTimeouts = { services: 26_000, guards: 12_000 };

/**
 * Ends the processes of a supervisor that was killed. Its services are already draining, because their channel to it closed, and
 * its servers end after them. A process that takes too long is killed with its process group.
 */
export async function endLeftovers(
  processTable: string,
  report: Report,
  timeouts: typeof leftoverTimeouts = leftoverTimeouts,
): Promise<void> {
  const remaining = (role: ProcessEntry['role']) => readRunning(processTable).filter((entry) => entry.role === role);
  const names = readRunning(processTable).map((entry) => `${entry.name} (process ${entry.pid})`);
  if (names.length === 0) return;
  report(`an earlier run was killed; waiting for its processes to end: ${names.join(', ')}`);
  for (const service of remaining('service')) signalProcess(service, 'SIGTERM');
  await end(() => remaining('service'), timeouts.services, report);
  await end(() => remaining('guard'), timeouts.guards, report);
}

async function end(remaining: () => ProcessEntry[], timeoutMs: number, report: Report): Promise<void> {
  for (const until = Date.now() + timeoutMs; Date.now() < until && remaining().length > 0; ) await sleep(50);
  for (const entry of remaining()) {
    report(`${entry.name} (process ${entry.pid}) did not end within ${timeoutMs / 1000} s: killing it`);
    signalProcess(entry, 'SIGKILL', true);
  }
  while (remaining().length > 0) await sleep(20);
}
