import type { ProcessDetail } from '@capture/queue/process-reports';
import type { CacheResults } from '@capture/runtime/metrics/cache-metrics';
import { Counter, Gauge, type Registry } from '@capture/runtime/metrics/metrics';
import { type ReadMetric, readMetrics } from '@capture/runtime/metrics/read-metrics';
import type { BrowserStatus, CellEvents, Cells } from '../cells/cells.ts';
import type { ContextPool } from '../pool/context-pool.ts';
import type { WarmPages } from '../pool/warm-pages.ts';
import type { RunningCaptures } from './running-captures.ts';

/** Counts the pages that captures take, if they may use a warm page. */
export function countTakenPages(registry: Registry): (page: 'warm' | 'new') => void {
  const taken = new Counter({
    name: 'capture_pages_taken_total',
    help: 'Pages taken by captures that may use the cleared page of an earlier one: warm or new.',
    labelNames: ['page'],
    registers: [registry],
  });
  for (const page of ['warm', 'new']) taken.inc({ page }, 0);
  return (page) => taken.inc({ page });
}

export function countBrowserEvents(registry: Registry): CellEvents {
  const registers = [registry];
  const launches = new Counter({
    name: 'capture_browser_launches_total',
    help: 'Started browsers by reason.',
    labelNames: ['reason'],
    registers,
  });
  const failures = new Counter({
    name: 'capture_browser_launch_failures_total',
    help: 'Browsers that did not start.',
    registers,
  });
  const ends = new Counter({
    name: 'capture_browser_ends_total',
    help: 'Ended browsers by reason.',
    labelNames: ['reason'],
    registers,
  });
  // Counters start at 0, so that a rate includes the first event.
  for (const reason of ['crashed', 'blocked', 'unresponsive', 'too_large']) ends.inc({ reason }, 0);
  return {
    launched: (reason) => launches.inc({ reason }),
    launchFailed: () => failures.inc(),
    ended: (reason) => ends.inc({ reason }),
  };
}

interface WatchedPages {
  cells: Pick<Cells, 'status'>;
  pool: Pick<ContextPool, 'ready'>;
  warmPages: Pick<WarmPages, 'idle'>;
  running: Pick<RunningCaptures, 'all'>;
  concurrency: number;
}

/** Gauges of the current browser and its pages. */
export function watchBrowser(registry: Registry, { cells, pool, warmPages, running, concurrency }: WatchedPages): void {
  readMetrics(registry, async () => cells.status(), statusMetrics, { keepMs: 0 });
  const pages = new Gauge({
    name: 'capture_pages',
    help: 'Pages by state: in use, created ahead, or kept for the next capture of an account and site.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      pages.set({ state: 'in_use' }, running.all.length);
      pages.set({ state: 'ready' }, pool.ready);
      pages.set({ state: 'warm' }, warmPages.idle);
    },
  });
  const limit = new Gauge({
    name: 'capture_pages_limit',
    help: 'Slots of this worker. Captures that have lasted for a second go on without one.',
    registers: [registry],
  });
  limit.set(concurrency);
}

const statusMetrics: ReadMetric<BrowserStatus>[] = [
  {
    name: 'capture_browser_up',
    help: 'Whether a browser is available for new pages.',
    show: (status) => Number(status?.state === 'running'),
  },
  {
    name: 'capture_browser_start_timestamp_seconds',
    help: 'Start time of the current browser.',
    show: (status) => status?.startedAt && status.startedAt.getTime() / 1_000,
  },
  {
    name: 'capture_browser_captures',
    help: 'Captures of the current browser; it is replaced after 200.',
    show: (status) => status?.captures,
  },
  {
    name: 'capture_browser_memory_bytes',
    help: "Memory of the current browser's processes, without shared memory.",
    show: (status) => status?.memoryBytes,
  },
];

/** Returns the worker's report about itself to the operator. */
export function workerDetail(worker: {
  concurrency: number;
  running: Pick<RunningCaptures, 'all'>;
  cells: Pick<Cells, 'status'>;
  cacheResults: Pick<CacheResults, 'uses'>;
}): ProcessDetail<'capture-worker'> {
  const { state, version, startedAt, captures, memoryBytes, restarts, lastError } = worker.cells.status();
  return {
    concurrency: worker.concurrency,
    running: worker.running.all.length,
    cache: worker.cacheResults.uses(),
    browser: {
      version,
      state,
      started_at: startedAt?.toISOString() ?? null,
      captures,
      restarts,
      memory_bytes: memoryBytes,
      last_error: lastError,
    },
  };
}
