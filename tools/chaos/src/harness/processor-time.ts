import { readFileSync } from 'node:fs';
import type { TestedPlatform } from './tested-platform.ts';

/** The activity of the main threads of some processes in each second, summed, milliseconds. */
export interface ProcessorTime {
  /** The time on a processor. */
  ran: number;
  /** The time of waiting for a processor that other processes used. */
  waited: number;
}

/**
 * Watches the main threads of a platform's services. A thread that waits long is slow because the machine is busy, not because
 * of its work. Works on Linux only.
 *
 * @returns a function that returns the time since, by service.
 */
export function watchProcessors({
  gateways,
  workers,
  dispatchers,
}: TestedPlatform): () => Record<string, ProcessorTime> {
  if (process.platform !== 'linux') return () => ({});
  const startedAt = performance.now();
  const services = { gateways, workers, dispatchers };
  const watched = Object.entries(services).map(([name, list]) => {
    const pids = list.map((service) => service.process.pid);
    return { name, pids, before: sumTimes(pids) };
  });
  return () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const since = ({ pids, before }: (typeof watched)[number]): ProcessorTime => {
      const now = sumTimes(pids);
      return {
        ran: Math.round((now.ran - before.ran) / seconds),
        waited: Math.round((now.waited - before.waited) / seconds),
      };
    };
    return Object.fromEntries(watched.map((each) => [each.name, since(each)]));
  };
}

/** Sums the times of the main threads since their start. The kernel counts nanoseconds. */
function sumTimes(pids: readonly number[]): ProcessorTime {
  const times = pids.map((pid) => readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number));
  const sum = (index: number) => times.reduce((total, each) => total + (each[index] ?? 0) / 1e6, 0);
  return { ran: sum(0), waited: sum(1) };
}
