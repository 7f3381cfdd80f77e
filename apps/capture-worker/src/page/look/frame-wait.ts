/// <reference lib="dom" />
import type { LookInput } from './look.ts';
import type { PageRoots } from './page-roots.ts';

/** See `frameWait`. */
export type FrameWait = ReturnType<typeof frameWait>;

/** Waits for the frames after which a look begins. Part of `look`. */
export function frameWait({
  input: { workEvent, idleWithinMs, afterFrames, hurriedFrames },
  page: { findRoots, isDocument },
}: {
  input: LookInput;
  page: PageRoots;
}) {
  return { untilDrawn };

  /** Returns whether the page's scripts were at work without a pause. */
  async function untilDrawn(): Promise<boolean> {
    if (hurriedFrames > 0) await hurry();
    // Frameworks render in slices of a few milliseconds, between which nothing is scheduled that could be seen.
    const idle = new Promise<boolean>((resolve) => {
      requestIdleCallback(({ didTimeout }) => resolve(didTimeout), { timeout: idleWithinMs });
    });
    for (let frame = 0; frame < afterFrames; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const busy = await idle;
    // A canvas of WebGL can be read only in the frame in which it is drawn.
    if (document.querySelector('canvas')) await new Promise((resolve) => requestAnimationFrame(resolve));
    return busy;
  }

  /** Lets time pass quickly for the page, and for its frames that can be read. */
  async function hurry(): Promise<void> {
    const documents = findRoots().filter(isDocument);
    // If a frame takes longer, it ends by itself.
    const hurryAll = (forMs: number) => {
      for (const each of documents) each.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
    };
    hurryAll(500);
    // On a busy machine the time is up before the frames are.
    const end = performance.now() + 250;
    for (let frame = 0; frame < hurriedFrames && performance.now() < end; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    hurryAll(0);
  }
}
