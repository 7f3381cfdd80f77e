import { withTimeout } from '@capture/runtime/timeout';

/**
 * Clearing or closing an ordinary page takes 10 to 30 ms. A slot waits for that, milliseconds: what takes it next then finds the
 * page, and no capture more than the slots has a page.
 */
const tidyWithinMs = 250;

/**
 * Frees slots whose pages take long to clear or close: a page that floods the browser takes seconds, and no client waits for it.
 * Such a page still has its processes, so only some may go on without a slot. Beyond that, slots wait.
 */
export class SlotRelease {
  readonly #atMost: number;
  readonly #tidyWithinMs: number;
  /** What goes on without a slot. */
  readonly #open = new Set<Promise<void>>();

  /** @param atMost how many captures may have pages without a slot. */
  constructor(atMost: number, withinMs = tidyWithinMs) {
    this.#atMost = atMost;
    this.#tidyWithinMs = withinMs;
  }

  /**
   * Resolves when the slot of a capture is free: its pages are tidied, or may go on without it.
   *
   * @param tidying ends when they are tidied.
   */
  async whenFree(tidying: Promise<void>): Promise<void> {
    let tidied = false;
    const ended = tidying.finally(() => {
      tidied = true;
    });
    await withTimeout(this.#tidyWithinMs, ended, () => undefined);
    while (!tidied && this.#open.size >= this.#atMost) await Promise.race([ended, ...this.#open]);
    if (tidied) return;
    this.#open.add(ended);
    const close = () => void this.#open.delete(ended);
    ended.then(close, close);
  }
}
