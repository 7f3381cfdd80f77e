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
  /** Called with the process id of a GPU process in which a new page cannot draw. */
  blocked: (pid: number) => void;
}

/**
 * A check costs as much as a small capture (80 ms of CPU time), so one follows the other after this, milliseconds, and after
 * this much CPU time of the GPU process, which spends 25 ms on a capture.
 */
const checkEveryMs = 4_000;
const checkEveryCpuMs = 500;

/** A new page draws its first pixel within 100 ms, and beside one that draws with WebGL for seconds when that one has a break. */
const drawsWithinMs = 6_000;

/** CPU time that the GPU process has for it, milliseconds. On a loaded machine, time alone does not show that it is blocked. */
const drawsWithinCpuMs = 3_000;

/**
 * Watches whether the GPU process serves new pages. It draws for all of them, and one WebGL call of one page can keep it busy
 * for ever: Chromium cannot interrupt that, not even by closing the page.
 */
export class DrawingWatch {
  readonly #options: DrawingWatchOptions;
  #pid: number | null = null;
  /** The last check, with the time and the CPU time at its start; `done` is when the page has drawn, or failed to. */
  #check = { at: Number.NEGATIVE_INFINITY, cpuMs: 0, done: true };

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
    if (gpu?.pid !== this.#pid) this.#check = { at: this.#check.at, cpuMs: 0, done: true };
    this.#pid = gpu?.pid ?? null;
    if (!gpu) return;
    const { at, cpuMs, done } = this.#check;
    const ms = now - at;
    const usedMs = gpu.cpuMs - cpuMs;
    if (!done && ms >= drawsWithinMs && usedMs >= drawsWithinCpuMs) {
      this.#check.done = true;
      this.#options.blocked(gpu.pid);
    } else if (done && ms >= checkEveryMs && usedMs >= checkEveryCpuMs) {
      this.#start({ at: now, cpuMs: gpu.cpuMs, done: false });
    }
  }

  #start(check: { at: number; cpuMs: number; done: boolean }): void {
    this.#check = check;
    const settled = () => {
      check.done = true;
    };
    this.#options.drawInNewPage().then(settled, settled);
  }
}
