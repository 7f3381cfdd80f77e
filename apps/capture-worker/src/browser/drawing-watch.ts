import type { TimeSpan } from './chromium-process.ts';
import type { WorkingPart } from './watch-memory.ts';

interface DrawingWatchOptions {
  /** Resolves when a new page has drawn a pixel. @param opened called when the page is open, and begins to draw. */
  drawInNewPage: (opened: () => void) => Promise<void>;
  /** Called with the process id of a GPU process in which a new page has to wait, and when the drawing that blocks it began. */
  slow: (pid: number, began: TimeSpan) => void;
  /** The same, where it cannot draw at all. */
  blocked: (pid: number, began: TimeSpan) => void;
  /** Whether a large image is being drawn: the browser serves no page while it encodes one. */
  drawsLarge: () => boolean;
}

/**
 * A check costs as much as a small capture (80 ms of CPU time), so one follows the other after this, milliseconds, and after
 * this much CPU time of the GPU process, which spends 25 ms on a capture.
 */
const checkEveryMs = 1_000;
const checkEveryCpuMs = 600;

/**
 * How long a new page may take for its first pixel, and the CPU time that the GPU process has for it, milliseconds: on a loaded
 * machine, time alone does not show that it is busy. Usually it takes 100 ms, and beside a page that draws with WebGL for seconds
 * until that one has a break.
 */
const slowAfter = { ms: 1_500, cpuMs: 1_000 };
/** The same while a large image is drawn: 100 million pixels take the GPU process 2 s of CPU time. */
const slowBesideLargeAfter = { ms: 3_000, cpuMs: 2_500 };
const blockedAfter = { ms: 6_000, cpuMs: 3_000 };

/** How long after it is open a page draws its pixel, milliseconds, if nothing blocks the GPU process; 50 on an idle machine. */
const drawsWithinMs = 1_000;

/** A check starts at most this long after a page has blocked the GPU process, milliseconds, also on a loaded machine. */
const checkWithinMs = 10_000;

/** A page that draws its first pixel. */
interface Check {
  /** The time and the CPU time at its start, milliseconds. */
  start: { at: number; cpuMs: number };
  /** The same when its page was open: until then it waits for the main process. */
  opened: { at: number; cpuMs: number } | null;
  isOpen: boolean;
  /** Whether the page has drawn, or failed to. */
  done: boolean;
  isSlow: boolean;
  /** Whether a large image was drawn in the meantime. */
  isBesideLarge: boolean;
}

/**
 * Watches whether the GPU process serves new pages. It draws for all of them, and one WebGL call of one page can keep it busy
 * for ever: Chromium cannot interrupt that, not even by closing the page.
 */
export class DrawingWatch {
  readonly #options: DrawingWatchOptions;
  #pid: number | null = null;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** The start of the last check that has drawn: nothing had blocked the GPU process before. */
  #drewAt = Number.NEGATIVE_INFINITY;
  #check: Check = { ...newCheck({ at: Number.NEGATIVE_INFINITY, cpuMs: 0 }), done: true };

  constructor(options: DrawingWatchOptions) {
    this.#options = options;
  }

  /** The process id of the GPU process; null while there is none. */
  get pid(): number | null {
    return this.#pid;
  }

  /** When a page began what blocks the GPU process, if it is blocked. @param now as `performance.now()`. */
  began(now: number): TimeSpan {
    const { done, start, opened, isBesideLarge } = this.#check;
    // A page that is open draws its pixel soon, except while a large image is drawn.
    const to = done || isBesideLarge || !opened ? now : Math.min(now, opened.at + drawsWithinMs);
    return { from: Math.max(this.#drewAt, (done ? now : start.at) - checkWithinMs), to };
  }

  /** @param now as `performance.now()`. */
  note(parts: readonly WorkingPart[], now: number): void {
    const gpu = parts.find(({ type }) => type === 'gpu-process');
    if (gpu?.pid !== this.#pid) {
      this.#check = { ...newCheck({ at: this.#check.start.at, cpuMs: 0 }), done: true };
      this.#drewAt = this.#notedAt;
    }
    this.#pid = gpu?.pid ?? null;
    this.#notedAt = now;
    if (!gpu) return;
    const check = this.#check;
    const is = { at: now, cpuMs: gpu.cpuMs };
    if (check.done) {
      if (isAfter(check.start, { ms: checkEveryMs, cpuMs: checkEveryCpuMs })) this.#start(is);
      return;
    }
    if (check.isOpen) check.opened ??= is;
    if (this.#options.drawsLarge()) check.isBesideLarge = true;
    if (
      !check.isSlow &&
      check.opened &&
      isAfter(check.opened, check.isBesideLarge ? slowBesideLargeAfter : slowAfter)
    ) {
      check.isSlow = true;
      this.#options.slow(gpu.pid, this.began(now));
    }
    if (isAfter(check.start, blockedAfter)) {
      const began = this.began(now);
      check.done = true;
      this.#options.blocked(gpu.pid, began);
    }

    function isAfter(from: Check['start'], limit: typeof slowAfter): boolean {
      return is.at - from.at >= limit.ms && is.cpuMs - from.cpuMs >= limit.cpuMs;
    }
  }

  #start(start: Check['start']): void {
    const check = newCheck(start);
    this.#check = check;
    const settled = () => {
      check.done = true;
    };
    const drew = () => {
      if (this.#check === check) this.#drewAt = start.at;
      settled();
    };
    const opened = () => {
      check.isOpen = true;
    };
    this.#options.drawInNewPage(opened).then(drew, settled);
  }
}

function newCheck(start: Check['start']): Check {
  return { start, opened: null, isOpen: false, done: false, isSlow: false, isBesideLarge: false };
}
