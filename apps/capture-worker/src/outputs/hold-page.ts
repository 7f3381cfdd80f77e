/// <reference lib="dom" />
import type { Frame } from 'puppeteer';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage, worldName } from '../page/isolated-world.ts';
import { partsOf } from '../page/look-frames.ts';

/** The maximum number of held frames. The heaviest real pages have 100. */
const framesAtMost = 100;

/** The time for all frames of a page, milliseconds. A frame whose scripts do not yield does not stand still. */
const holdWithinMs = 1_000;

/**
 * Holds a page still in all frames, with its timers, animation frames, animations and videos, so that all outputs show the same
 * moment. The page still responds to events, such as a resized window.
 */
export async function holdPage(page: CapturePage, deadline: Deadline): Promise<void> {
  await inAllFrames(page, deadline, hold, 'hold');
  await keepCopies(page, true, deadline);
}

/** Lets a held page move on. */
export async function releasePage(page: CapturePage, deadline: Deadline): Promise<void> {
  await inAllFrames(page, deadline, release, 'release');
  await keepCopies(page, false, deadline);
}

/** Keeps or discards copies in the world that copies the page. Each session has other worlds. */
async function keepCopies(page: CapturePage, areKept: boolean, deadline: Deadline): Promise<void> {
  const limits = { what: 'keeping copies', limitMs: holdWithinMs, deadline };
  await bestEffort(runInPage(page, 'keepCopies', areKept, limits));
}

async function inAllFrames(
  page: CapturePage,
  deadline: Deadline,
  script: (event: string) => void,
  suffix: string,
): Promise<void> {
  const expression = `(${script})(${JSON.stringify(`${page.workEvent}-${suffix}`)})`;
  const inFrame = async (frame: Frame) => {
    const { client, _id: frameId } = partsOf(frame);
    const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', { frameId, worldName });
    await client.send('Runtime.evaluate', { contextId, expression });
  };
  const frames = page.page.frames().slice(0, framesAtMost);
  const all = Promise.allSettled(frames.map((frame) => withTimeLimit('holding a frame', holdWithinMs, inFrame(frame))));
  await page.step('holding the page', holdWithinMs * 2, deadline, all);
}

function hold(event: string): void {
  document.dispatchEvent(new CustomEvent(event));
  // Animations with another timeline follow the scroll position, and need no hold.
  const roots: (Document | ShadowRoot)[] = [document];
  // `document.getAnimations()` does not include shadow trees. The list grows while the loop reads it.
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  const running = roots
    .flatMap((root) => root.getAnimations())
    .filter(({ timeline, playState }) => timeline === document.timeline && playState === 'running');
  for (const animation of running) animation.pause();
  Object.assign(globalThis, { captureHeld: running });
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) media.pause();
  for (const image of document.querySelectorAll('svg')) image.pauseAnimations();
}

function release(event: string): void {
  document.dispatchEvent(new CustomEvent(event));
  const { captureHeld: paused = [] } = globalThis as { captureHeld?: Animation[] };
  for (const animation of paused) animation.play();
}
