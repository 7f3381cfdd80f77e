/** A process of Chromium, as far as this needs it. */
interface Part {
  pid: number;
  type: string;
  /** CPU time since its start, milliseconds. */
  cpuMs: number;
}

interface DrawingWatchOptions {
  /** Resolves when a new page has drawn a pixel. */
  drawInNewPage: () => Promise<void>;
  /** Called with the process id of a GPU process in which a new page has to wait for what others draw. */
  slow: (pid: number) => void;
  /** The same, where it cannot draw at all. */
  blocked: (pid: number) => void;
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

/** A page that draws its first pixel. */
interface Check {
  /** The time and the CPU time at its start, milliseconds. */
  at: number;
  cpuMs: number;
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
  #check: Check = { at: Number.NEGATIVE_INFINITY, cpuMs: 0, done: true, isSlow: false, isBesideLarge: false };

  constructor(options: DrawingWatchOptions) {
    this.#options = options;
  }

  /** The process id of the GPU process; null while there is none. */
  get pid(): number | null {
    return this.#pid;
  }

  /** @param now as `performance.now()`. */
  note(parts: readonly Part[], now: number): void {
    const gpu = parts.find(({ type }) => type === 'gpu-process');
    if (gpu?.pid !== this.#pid)
      this.#check = { at: this.#check.at, cpuMs: 0, done: true, isSlow: false, isBesideLarge: false };
    this.#pid = gpu?.pid ?? null;
    if (!gpu) return;
    const check = this.#check;
    const passed = { ms: now - check.at, cpuMs: gpu.cpuMs - check.cpuMs };
    const isAfter = (limit: typeof passed) => passed.ms >= limit.ms && passed.cpuMs >= limit.cpuMs;
    if (check.done) {
      if (isAfter({ ms: checkEveryMs, cpuMs: checkEveryCpuMs })) this.#start({ at: now, cpuMs: gpu.cpuMs });
      return;
    }
    if (this.#options.drawsLarge()) check.isBesideLarge = true;
    if (!check.isSlow && isAfter(check.isBesideLarge ? slowBesideLargeAfter : slowAfter)) {
      check.isSlow = true;
      this.#options.slow(gpu.pid);
    }
    if (isAfter(blockedAfter)) {
      check.done = true;
      this.#options.blocked(gpu.pid);
    }
  }

  #start(from: Pick<Check, 'at' | 'cpuMs'>): void {
    const check = { ...from, done: false, isSlow: false, isBesideLarge: false };
    this.#check = check;
    const settled = () => {
      check.done = true;
    };
    this.#options.drawInNewPage().then(settled, settled);
  }
}
