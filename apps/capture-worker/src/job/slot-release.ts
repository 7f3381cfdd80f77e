import { withTimeout } from '@capture/runtime/timeout';

/** How long a slot belongs to one capture alone, milliseconds. Most captures have ended by then. */
const ownMs = 1_000;

/**
 * Clearing or closing an ordinary page takes 10 to 30 ms. A slot waits for that, milliseconds: what takes it next then finds the
 * page.
 */
const tidyMs = 250;

/** A capture that has a slot. Both promises are never rejected. */
export interface SlotUse {
  /** When it has its outcome, if it has pages that must be cleared or closed then. */
  captured: Promise<void>;
  /** When nothing of it is left. */
  ended: Promise<void>;
}

/**
 * Frees slots before their captures have ended. A page that hangs holds one for a minute, and one that floods the browser takes
 * seconds to close: the captures of others need not wait for either. Such pages still have their processes, so only some captures
 * may go on without a slot. Beyond that, slots wait.
 */
export class SlotRelease {
  readonly #atMost: number;
  readonly #times: { ownMs: number; tidyMs: number };
  /** The ends of those that go on without a slot. */
  readonly #open = new Set<Promise<void>>();

  /** @param atMost how many captures may go on without a slot. */
  constructor(atMost: number, times = { ownMs, tidyMs }) {
    this.#atMost = atMost;
    this.#times = times;
  }

  /** Resolves when the slot is free: its capture has ended, or goes on without it. */
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

  /** Resolves when all that went on without a slot has ended. */
  async whenAllEnded(): Promise<void> {
    await Promise.all(this.#open);
  }
}
