import { withTimeout } from '@capture/runtime/timeout';

/** How long a slot belongs to one capture alone, milliseconds. Most captures end sooner. */
const ownMs = 1_000;

/** Clearing or closing an ordinary page takes 10 to 30 ms. The next capture should find the page. Milliseconds. */
const tidyMs = 250;

/** A capture that has a slot. Both promises never reject. */
export interface SlotUse {
  /** Resolves with the outcome, if the capture has pages that must be cleared or closed then. */
  captured: Promise<void>;
  /** Resolves when nothing of the capture is left. */
  ended: Promise<void>;
}

/**
 * Frees slots before their captures have ended. A page that hangs holds a slot for a minute, and a page that floods the browser
 * takes seconds to close. Captures of other accounts need not wait for them. Captures without a slot still have their
 * processes, so their number is limited. Beyond that number, slots wait.
 */
export class SlotRelease {
  readonly #atMost: number;
  readonly #times: { ownMs: number; tidyMs: number };
  /** The ends of captures that go on without a slot. */
  readonly #open = new Set<Promise<void>>();

  /** @param atMost the number of captures that may go on without a slot. */
  constructor(atMost: number, times = { ownMs, tidyMs }) {
    this.#atMost = atMost;
    this.#times = times;
  }

  /** Resolves when the slot is free, because its capture has ended or goes on without a slot. */
  async whenFree({ captured, ended }: SlotUse): Promise<void> {
    let [hasCaptured, hasEnded] = [false, false];
    const capture = captured.then(() => {
      hasCaptured = true;
    });
    const end = ended.then(() => {
      hasEnded = true;
    });
    await withTimeout(this.#times.ownMs, Promise.race([capture, end]), () => undefined);
    if (hasCaptured) await withTimeout(this.#times.tidyMs, end, () => undefined);
    while (!hasEnded && this.#open.size >= this.#atMost) await Promise.race([end, ...this.#open]);
    if (hasEnded) return;
    this.#open.add(end);
    void end.then(() => this.#open.delete(end));
  }

  /** Resolves when all captures without a slot have ended. */
  async whenAllEnded(): Promise<void> {
    await Promise.all(this.#open);
  }
}
