import { sample } from '../../dom/canvas-sample.ts';
import { nextFrame } from '../../dom/next-frame.ts';
import { hurry, readWork } from '../../dom/page-work.ts';
import type { Scenes } from '../../state/scenes.ts';

/** How long to wait at a stop for elements that follow the scroll position, milliseconds of the page's clock. */
const stopMs = 1_200;

/** How often an element may still move at the end of a stop before later stops no longer wait for it. */
const movesAtMost = 2;

/** Watches scenes while the window is scrolled from stop to stop. */
export class SceneWatch {
  readonly #scenes: Scenes;
  readonly #workEvent: string;
  readonly #budgetMs: number;
  /** The end of the watch, as `performance.now()`. */
  readonly #end: number;
  /** Elements that the watch follows to their last state. */
  readonly #followed: Set<Element>;
  readonly #watched: Set<Element>;
  readonly #states = new Map<Element, string>();
  /** How often an element still moved when the time for a stop was over. */
  readonly #moves = new Map<Element, number>();
  #stillFrames = 3;

  constructor(scenes: Scenes, workEvent: string, { budgetMs, end }: { budgetMs: number; end: number }) {
    this.#scenes = scenes;
    this.#workEvent = workEvent;
    this.#budgetMs = budgetMs;
    this.#end = end;
    this.#followed = new Set<Element>([...scenes.texts.keys(), ...scenes.canvases.keys(), ...scenes.sized.keys()]);
    this.#watched = new Set<Element>([...scenes.looks.keys(), ...this.#followed]);
  }

  /** Hurries the page's clock, and finds out whether that works. */
  async start(): Promise<void> {
    const before = this.#hurry();
    await nextFrame();
    await nextFrame();
    // Scripts that follow in their own frames start in the second frame, and a hurried page runs several at once.
    if (this.#hurry() > before) this.#stillFrames = 2;
  }

  stop(): void {
    hurry(this.#workEvent, 0);
  }

  /** Whether an element near the window is not complete yet, or is followed to its last state. */
  isOfInterest(): boolean {
    return [...this.#watched].some((element) => {
      const known = this.#scenes.looks.get(element as HTMLElement);
      if (known && known.distance < 0.001 && !this.#followed.has(element)) return false;
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > -window.innerHeight / 2 && top < window.innerHeight * 1.5;
    });
  }

  /** Waits until nothing moves, or the time for a stop is over. */
  async untilStill(): Promise<void> {
    const leaveAt = this.#pageNow() + stopMs;
    const isTime = () => performance.now() < this.#end && this.#pageNow() < leaveAt;
    let moving: Element[] = [];
    for (let still = 0; still < this.#stillFrames && isTime(); still = moving.length > 0 ? 0 : still + 1) {
      await nextFrame();
      moving = this.#changed();
    }
    for (const element of moving) this.#moves.set(element, (this.#moves.get(element) ?? 0) + 1);
  }

  #changed(): Element[] {
    return [...this.#watched].filter((element) => {
      const [before, now] = [this.#states.get(element), this.#stateOf(element)];
      this.#states.set(element, now);
      return before !== now && (this.#moves.get(element) ?? 0) < movesAtMost;
    });
  }

  #stateOf(element: Element): string {
    const { texts, canvases } = this.#scenes;
    const state = [element.getAttribute('style')];
    if (texts.has(element)) state.push(element.textContent);
    if (element instanceof HTMLCanvasElement && canvases.has(element)) state.push(`${sample(element)}`);
    return state.join('\n');
  }

  /** The time of the page's clock, milliseconds. */
  #pageNow(): number {
    return performance.now() + this.#hurry();
  }

  /** Keeps hurrying the clock. Returns how far the page's clock is ahead, milliseconds. */
  #hurry(): number {
    hurry(this.#workEvent, this.#budgetMs);
    return Number(readWork([document], this.#workEvent).aheadMs) || 0;
  }
}
