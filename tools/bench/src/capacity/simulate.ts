import { quantile } from '@capture/testing/statistics';

/** Arriving captures, and the workers that render them. Times are milliseconds. */
export interface Scenario {
  /** Arrival times, in order. */
  arrivalsMs: readonly number[];
  workOf(index: number): CaptureWork;
  workers: number;
  /** Concurrent captures in one worker. */
  pages: number;
  /** The cores of one worker. */
  cores: number;
}

export interface CaptureWork {
  /** The time from a page to the record of the capture on an idle machine: network, frames and processor. */
  aloneMs: number;
  /** The part of `aloneMs` that is processor time of all processes of the worker. */
  processorMs: number;
}

export interface Outcome {
  /** The time from the arrival to the end of each capture. */
  tookMs: number[];
  /** The part of `tookMs` until a page was available. */
  waitedMs: number[];
  /** The utilization of the processors while there was work, from 0 to 1. */
  busy: number;
}

interface Running {
  index: number;
  /** The remaining work at full speed. */
  leftMs: number;
  /** The cores that the capture uses at full speed. */
  load: number;
}

interface Worker {
  running: Running[];
  load: number;
}

/**
 * Simulates captures event by event. Captures are served in order of arrival, by the worker with the fewest captures. The
 * captures of one worker share its cores: if they need more cores, all slow down equally.
 */
export function simulate({ arrivalsMs, workOf, workers: count, pages, cores }: Scenario): Outcome {
  const workers: Worker[] = Array.from({ length: count }, () => ({ running: [], load: 0 }));
  const tookMs: number[] = [];
  const waitedMs: number[] = [];
  const queue: number[] = [];
  let now = 0;
  let next = 0;
  let usedMs = 0;
  let openMs = 0;
  for (;;) {
    const ending = earliestEnd(workers, cores);
    const arrival = arrivalsMs[next] ?? Number.POSITIVE_INFINITY;
    const at = Math.min(now + ending.inMs, arrival);
    if (!Number.isFinite(at)) break;
    const passed = at - now;
    for (const worker of workers) {
      const used = passed * Math.min(worker.load, cores);
      usedMs += used;
      const speed = speedOf(worker, cores);
      for (const each of worker.running) each.leftMs -= passed * speed;
    }
    if (workers.some(({ running }) => running.length > 0)) openMs += passed;
    now = at;
    if (arrival === at) {
      queue.push(next);
      next += 1;
    } else if (ending.worker) {
      const [ended] = ending.worker.running.splice(ending.place, 1);
      if (ended) {
        ending.worker.load -= ended.load;
        tookMs[ended.index] = now - (arrivalsMs[ended.index] ?? 0);
      }
    }
    while (queue.length > 0) {
      const free = leastBusy(workers);
      if (!free || free.running.length >= pages) break;
      const index = queue.shift() ?? 0;
      const { aloneMs, processorMs } = workOf(index);
      const load = processorMs / aloneMs;
      free.running.push({ index, leftMs: aloneMs, load });
      free.load += load;
      waitedMs[index] = now - (arrivalsMs[index] ?? 0);
    }
  }
  return { tookMs, waitedMs, busy: openMs > 0 ? usedMs / (openMs * cores * count) : 0 };
}

/** Returns the speed of captures: 1 while there are enough cores. */
function speedOf({ load }: Worker, cores: number): number {
  return load > cores ? cores / load : 1;
}

function earliestEnd(workers: readonly Worker[], cores: number) {
  let inMs = Number.POSITIVE_INFINITY;
  let found: Worker | undefined;
  let place = 0;
  for (const worker of workers) {
    const speed = speedOf(worker, cores);
    for (const [index, { leftMs }] of worker.running.entries()) {
      const left = Math.max(0, leftMs / speed);
      if (left < inMs) [inMs, found, place] = [left, worker, index];
    }
  }
  return { inMs, worker: found, place };
}

function leastBusy(workers: readonly Worker[]): Worker | undefined {
  return workers.reduce<Worker | undefined>(
    (best, each) => (best && best.running.length <= each.running.length ? best : each),
    undefined,
  );
}

/** Returns arrival times of independent captures at this average rate. */
export function poissonArrivals(count: number, ratePerS: number, random: () => number): number[] {
  let at = 0;
  return Array.from({ length: count }, () => {
    at += (-Math.log(1 - random()) * 1_000) / ratePerS;
    return at;
  });
}

export interface Demand {
  ratePerS: number;
  /** The measured work of captures, from which each capture is drawn. */
  work: readonly CaptureWork[];
  pages: number;
  cores: number;
}

/** Captures per simulation, enough to know p95 to a few percent. */
const simulated = 20_000;

export function expectedOf({ ratePerS, work, pages, cores }: Demand, workers: number, random: () => number) {
  const drawn = Array.from({ length: simulated }, () => work[Math.floor(random() * work.length)] ?? work[0]);
  const arrivalsMs = poissonArrivals(simulated, ratePerS, random);
  const workOf = (index: number) => drawn[index] ?? { aloneMs: 0, processorMs: 0 };
  const { tookMs, waitedMs, busy } = simulate({ arrivalsMs, workOf, workers, pages, cores });
  // The first captures find idle workers, so they do not count.
  const settled = tookMs.slice(simulated / 10);
  return {
    p50Ms: quantile(settled, 0.5),
    p95Ms: quantile(settled, 0.95),
    waitedP95Ms: quantile(waitedMs.slice(simulated / 10), 0.95),
    busy,
  };
}

/**
 * Finds the smallest number of workers with a p95 of at most `p95Ms`.
 *
 * @returns null if no number suffices, because one capture alone takes longer.
 */
export function workersFor(demand: Demand, p95Ms: number, random: () => number): number | null {
  const alone = quantile(
    demand.work.map(({ aloneMs }) => aloneMs),
    0.95,
  );
  if (alone > p95Ms) return null;
  const processorPerS = demand.ratePerS * mean(demand.work.map(({ processorMs }) => processorMs));
  // Fewer workers could never keep up.
  const fewest = Math.max(1, Math.floor(processorPerS / 1_000 / demand.cores));
  for (let workers = fewest; ; workers += Math.max(1, Math.floor(workers / 50))) {
    if (expectedOf(demand, workers, random).p95Ms <= p95Ms) return workers;
    if (workers > fewest * 4 + 10) return null;
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
