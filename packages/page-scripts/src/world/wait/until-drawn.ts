import { findRoots, isDocument } from '../dom/page-roots.ts';
import type { LookInput } from './look-input.ts';

/** How long a page's clock is hurried at most, in real milliseconds: a frame that takes longer ends hurrying. */
const hurriedForMs = 500;

/** The time limit for drawing the frames, milliseconds: a busy machine does not draw all of them in time. */
const framesWithinMs = 250;

/** Waits for the frames after which a look begins. Returns whether the page's scripts were at work without a pause. */
export async function untilDrawn({ workEvent, idleWithinMs, afterFrames, hurriedFrames }: LookInput): Promise<boolean> {
  if (hurriedFrames > 0) await hurry(workEvent, hurriedFrames);
  // Frameworks render in slices of a few milliseconds, between which no scheduled work is visible.
  const idle = new Promise<boolean>((resolve) => {
    requestIdleCallback(({ didTimeout }) => resolve(didTimeout), { timeout: idleWithinMs });
  });
  for (let frame = 0; frame < afterFrames; frame += 1) await nextFrame();
  const busy = await idle;
  // A WebGL canvas can be read only in the frame in which it is drawn.
  if (document.querySelector('canvas')) await nextFrame();
  return busy;
}

/** Hurries the clock of the page, and of its readable frames, while so many frames are drawn. */
async function hurry(workEvent: string, frames: number): Promise<void> {
  const documents = findRoots(workEvent).filter(isDocument);
  const hurryAll = (forMs: number) => {
    for (const each of documents) each.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
  };
  hurryAll(hurriedForMs);
  const end = performance.now() + framesWithinMs;
  for (let frame = 0; frame < frames && performance.now() < end; frame += 1) await nextFrame();
  hurryAll(0);
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
