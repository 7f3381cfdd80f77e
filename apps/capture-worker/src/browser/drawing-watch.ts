/** A process of Chromium, as far as this needs it. */
interface Part {
  pid: number;
  type: string;
  /** CPU time since its start, milliseconds. */
  cpuMs: number;
}

/** The share of a core above which it is busy, for how long, milliseconds. On a loaded machine it does not get a whole one. */
const busyShare = 0.3;
const busyForMs = 2_000;

/**
 * Notices a GPU process that has been busy for a while. It draws for all pages; a page that draws is busy there for moments,
 * a large image for a second. One WebGL call can keep it busy for ever, and Chromium cannot interrupt that, not even by
 * closing the page.
 */
export class DrawingWatch {
  #pid = 0;
  #cpuMs = 0;
  #at = 0;
  #busySince = 0;

  /**
   * @param now as `performance.now()`.
   * @returns the process id of a busy GPU process; null otherwise.
   */
  note(parts: readonly Part[], now: number): number | null {
    const gpu = parts.find(({ type }) => type === 'gpu-process');
    if (!gpu) return null;
    const isKnown = gpu.pid === this.#pid;
    const isBusy = isKnown && gpu.cpuMs - this.#cpuMs >= (now - this.#at) * busyShare;
    if (!isBusy) this.#busySince = now;
    this.#pid = gpu.pid;
    this.#cpuMs = gpu.cpuMs;
    this.#at = now;
    return now - this.#busySince >= busyForMs ? gpu.pid : null;
  }
}
