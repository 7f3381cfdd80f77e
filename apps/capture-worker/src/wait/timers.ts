import { checkEveryMs, readyWithinMs, type View } from './view.ts';

/** The wait includes timers that run this soon, within this time after the page was ready, milliseconds. */
export const timerLimits = { soonMs: 2_000, withinMs: 3_000 };

/**
 * The wait includes longer timers if the page says that it is loading or is covered, or if they open another page. Milliseconds.
 */
export const longestMs = 5_000;

/** Up to so many timers in a row may be a sequence, such as letters that are typed; more are a clock. */
const maxDepth = 100;

/** After so many timers that changed nothing, the wait includes only timers that run within this time, milliseconds. */
const fruitless = { most: 2, withinMs: 1_500 };

/** Decides which timers of a page to wait for, by the changes that earlier timers made. Times are those of the page's clock. */
export class Timers {
  #waitedFor: number | null = null;
  #fruitless = 0;
  /** Whether a timer has made a visible change. */
  #isFruitful = false;

  /** Returns how long until the next relevant timer has run, milliseconds; null if there is none. */
  nextMs(view: View): number | null {
    const { pageMs } = view;
    const isWaiting = view.impression === 'loading' || view.covered;
    this.#note(view);
    const opener = view.timers.find(({ inMs, opens }) => opens && pageMs + inMs <= readyWithinMs);
    if (opener) return Math.min(opener.inMs + 5, checkEveryMs);
    const soonMs = isWaiting ? longestMs : timerLimits.soonMs;
    const next = view.timers.find(({ inMs, depth }) => inMs <= soonMs && depth <= maxDepth);
    this.#count(view);
    if (!next || pageMs + next.inMs > this.#withinMs(view, isWaiting)) return null;
    this.#waitedFor ??= pageMs + next.inMs;
    return Math.max(10, Math.min(next.inMs + 5, checkEveryMs));
  }

  #note({ moving, inFlight }: View): void {
    if (moving || inFlight > 0) this.#fruitless = 0;
    this.#isFruitful ||= moving && this.#waitedFor !== null;
  }

  #count({ moving, pageMs }: View): void {
    if (this.#waitedFor === null || pageMs <= this.#waitedFor) return;
    this.#waitedFor = null;
    if (!moving) this.#fruitless += 1;
  }

  #withinMs({ hidden }: View, isWaiting: boolean): number {
    if (isWaiting) return readyWithinMs;
    if (this.#fruitless >= fruitless.most) return fruitless.withinMs;
    return hidden || this.#isFruitful ? readyWithinMs : timerLimits.withinMs;
  }
}
