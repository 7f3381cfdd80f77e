import { findRoots, isDocument } from '../dom/page-roots.ts';
import type { LookInput } from './look-input.ts';

/** The clock of a page is hurried no longer than this, in real milliseconds: a frame that takes longer ends it. */
const hurriedForMs = 500;

/** On a busy machine this time is up before all frames are drawn, milliseconds. */
const framesWithinMs = 250;

/** Waits for the frames after which a look begins. Returns whether the page's scripts were at work without a pause. */
export async function untilDrawn({ workEvent, idleWithinMs, afterFrames, hurriedFrames }: LookInput): Promise<boolean> {
  if (hurriedFrames > 0) await hurry(workEvent, hurriedFrames);
  // Frameworks render in slices of a few milliseconds, between which nothing is scheduled that could be seen.
  const idle = new Promise<boolean>((resolve) => {
    requestIdleCallback(({ didTimeout }) => resolve(didTimeout), { timeout: idleWithinMs });
  });
  for (let frame = 0; frame < afterFrames; frame += 1) await nextFrame();
  const busy = await idle;
  // A canvas of WebGL can be read only in the frame in which it is drawn.
  if (document.querySelector('canvas')) await nextFrame();
  return busy;
}

/** Lets time pass quickly for the page, and for its frames that can be read, while so many frames are drawn. */
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
