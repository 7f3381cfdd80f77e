import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from '@capture/provisioning/process-identity';
import { type ProcessEntry, readRunning } from '@capture/provisioning/process-table';
import type { Report } from '@capture/provisioning/report';

/** How long the leftovers have, in milliseconds: a service to drain (20 s, then 5 s to close), a server to write. */
export const leftoverPatience = { services: 26_000, wardens: 12_000 };

/**
 * Ends what a supervisor that was killed left behind. Its services have seen the channel to it close and are already
 * draining; its servers end when these have. Whoever takes too long is killed with its group.
 */
export async function endLeftovers(
  processTable: string,
  report: Report,
  patience: typeof leftoverPatience = leftoverPatience,
): Promise<void> {
  const left = (role: ProcessEntry['role']) => readRunning(processTable).filter((entry) => entry.role === role);
  const names = readRunning(processTable).map((entry) => `${entry.name} (process ${entry.pid})`);
  if (names.length === 0) return;
  report(`an earlier run was killed; waiting for what is left of it to end: ${names.join(', ')}`);
  for (const service of left('service')) signalProcess(service, 'SIGTERM');
  await end(() => left('service'), patience.services, report);
  await end(() => left('warden'), patience.wardens, report);
}

async function end(left: () => ProcessEntry[], patienceMs: number, report: Report): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until && left().length > 0; ) await sleep(50);
  for (const entry of left()) {
    report(`${entry.name} (process ${entry.pid}) did not end in ${patienceMs / 1000} s: killing it`);
    signalProcess(entry, 'SIGKILL', true);
  }
  while (left().length > 0) await sleep(20);
}
