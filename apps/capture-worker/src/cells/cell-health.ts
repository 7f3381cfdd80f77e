import type { WorkingPart } from '../browser/watch-memory.ts';
import { withTimeLimit } from '../deadline.ts';

/** The calls by which Chromium shows that it serves its pages. */
export interface Probed {
  readonly alive: boolean;
  /** Whether Chromium is drawing a large image: it serves no page while it encodes an image. */
  readonly drawsLarge: boolean;
  /** Resolves when the main process responds. */
  respond(): Promise<void>;
  /** Resolves when a new page has drawn a pixel. @param opened called when the page is open, and begins to draw. */
  drawInNewPage(opened?: () => void): Promise<void>;
}

/** Why a cell no longer serves its pages: its main process does not respond, or a new page cannot draw its first pixel. */
export type HealthFault = 'unresponsive' | 'blocked';

interface Probe {
  fault: HealthFault;
  /** The process that all pages share, and that the probe waits for. */
  process: 'browser' | 'gpu-process';
  /**
   * The next probe starts after this time and this CPU time of the process, milliseconds: an idle process delays no page.
   * Drawing costs as much as a small capture, 80 ms of CPU time.
   */
  every: Span;
  /** The next probe starts after this time in any case, milliseconds. */
  atLeastEveryMs: number;
  run(chromium: Probed, begins: () => void): Promise<void>;
}

/** Time, and the CPU time of the process in it, milliseconds: time alone does not show that a process is busy. */
interface Span {
  ms: number;
  cpuMs: number;
}

const probes: readonly Probe[] = [
  {
    fault: 'unresponsive',
    process: 'browser',
    every: { ms: 250, cpuMs: 100 },
    atLeastEveryMs: 5_000,
    run: (chromium, begins) => {
      begins();
      return chromium.respond();
    },
  },
  {
    fault: 'blocked',
    process: 'gpu-process',
    every: { ms: 1_000, cpuMs: 500 },
    atLeastEveryMs: 30_000,
    // The wait begins when the page is open: until then the page waits for the main process, which the other probe watches.
    run: (chromium, begins) => chromium.drawInNewPage(begins),
  },
];

/**
 * How long a probe of a busy process may take. A response usually takes 5 ms, a first pixel 100 ms. While a page uses WebGL, it
 * takes seconds. Chromium does nothing else while it encodes an image, which takes 2 s of CPU time at 100 million pixels.
 */
const inShared: Record<HealthFault, Span> = {
  unresponsive: { ms: 500, cpuMs: 350 },
  blocked: { ms: 1_500, cpuMs: 1_000 },
};
const besideLargeImage: Span = { ms: 3_000, cpuMs: 2_500 };
/** In a private cell only pages of one account wait. */
const inPrivate: Span = { ms: 6_000, cpuMs: 3_000 };

/** How long a probe may take in any case, milliseconds. An image of 100 million pixels of noise takes 7 s. */
const defaultLimitMs = 15_000;

export interface HealthOptions {
  isPrivate: boolean;
  limitMs?: number | undefined;
  failed(fault: HealthFault): void;
  /** Milliseconds; `performance.now` unless given. */
  now?(): number;
}

/** A moment: the time, and the CPU time that the process had taken then, milliseconds. */
interface Moment {
  at: number;
  cpuMs: number;
}

interface Running {
  started: Moment;
  /** When the probe began to wait for the process, as `performance.now()`; null before. */
  waitsSince: number | null;
  /** The first moment noted after `waitsSince`. */
  began: Moment | null;
  /** When the probe ended; null before. */
  endedAt: number | null;
  isBesideLarge: boolean;
}

/** Probes a cell: one busy process of Chromium delays every page, and any page may keep the process busy. */
export class CellHealth {
  readonly #chromium: Probed;
  readonly #options: HealthOptions;
  readonly #running = new Map<Probe, Running>();
  readonly #failures = new Map<Probe, number>();

  constructor(chromium: Probed, options: HealthOptions) {
    this.#chromium = chromium;
    this.#options = options;
  }

  /** Call it several times a second. */
  note(parts: readonly WorkingPart[]): void {
    for (const probe of probes) {
      const cpuMs = parts.filter(({ type }) => type === probe.process).reduce((sum, part) => sum + part.cpuMs, 0);
      this.#noteProbe(probe, { at: this.#now(), cpuMs });
    }
  }

  /** Runs all probes at once. Resolves when they have ended or failed; never rejects. */
  async check(): Promise<void> {
    await Promise.all(
      probes.map(async ({ fault, run }) => {
        const running = () => run(this.#chromium, () => undefined);
        // The page of a probe may be lost while the browser is well, so a failed probe runs again.
        const trying = withTimeLimit('a health check', this.#limitMs, running().catch(running));
        await trying.catch(() => this.#fail(fault));
      }),
    );
  }

  #noteProbe(probe: Probe, is: Moment): void {
    const running = this.#running.get(probe);
    if (!running) return void this.#start(probe, is);
    if (running.waitsSince !== null) running.began ??= is;
    if (this.#chromium.drawsLarge) running.isBesideLarge = true;
    if (this.#isLate(probe, running, is)) return void this.#fail(probe.fault);
    if (running.endedAt !== null && isDue(probe, running.started, is)) this.#start(probe, is);
  }

  #isLate(probe: Probe, { started, waitsSince, began, endedAt, isBesideLarge }: Running, is: Moment): boolean {
    if (endedAt === null && is.at - started.at >= this.#limitMs) return true;
    if (waitsSince === null || began === null) return false;
    const limit = this.#options.isPrivate ? inPrivate : isBesideLarge ? besideLargeImage : inShared[probe.fault];
    const ms = (endedAt ?? is.at) - waitsSince;
    // A probe may end between two notes, so the CPU time between them is counted in proportion.
    const since = probe.fault === 'blocked' ? began : started;
    const cpuMs = ((is.cpuMs - since.cpuMs) * ms) / Math.max(ms, is.at - since.at);
    return ms >= limit.ms && cpuMs >= limit.cpuMs;
  }

  #start(probe: Probe, started: Moment): void {
    const running: Running = { started, waitsSince: null, began: null, endedAt: null, isBesideLarge: false };
    this.#running.set(probe, running);
    const ended = (failures: number) => {
      running.endedAt = this.#now();
      this.#failures.set(probe, failures);
      if (failures > 1) this.#fail(probe.fault);
    };
    const begins = () => {
      running.waitsSince = this.#now();
    };
    probe.run(this.#chromium, begins).then(
      () => ended(0),
      () => ended((this.#failures.get(probe) ?? 0) + 1),
    );
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }

  get #limitMs(): number {
    return this.#options.limitMs ?? defaultLimitMs;
  }

  #fail(fault: HealthFault): void {
    if (this.#chromium.alive) this.#options.failed(fault);
  }
}

function isAfter(from: Moment, to: Moment, limit: Span): boolean {
  return to.at - from.at >= limit.ms && to.cpuMs - from.cpuMs >= limit.cpuMs;
}

/** Whether the next probe is due. CPU time that falls shows that another process has replaced the one that ended. */
function isDue({ every, atLeastEveryMs }: Probe, started: Moment, is: Moment): boolean {
  return isAfter(started, is, every) || is.at - started.at >= atLeastEveryMs || is.cpuMs < started.cpuMs;
}
