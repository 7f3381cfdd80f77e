/// <reference lib="dom" />
import type { Frame } from 'puppeteer';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage, worldName } from '../page/isolated-world.ts';
import { partsOf } from '../page/look-frames.ts';

/** Frames that are held; the heaviest real pages have 100. */
const framesAtMost = 100;

/** How long the frames of a page may take, milliseconds. One whose scripts do not yield does not stand still. */
const holdWithinMs = 1_000;

/**
 * Holds a page still, so that everything that is drawn of it shows the same moment: its timers, animation frames, animations
 * and videos, in all frames. It still responds to events, as of a resized window.
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

/** In the world in which the page is copied: each session has worlds of its own. */
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
  // Others follow the scroll position.
  const roots: (Document | ShadowRoot)[] = [document];
  // Those of shadow trees are not among the document's. The list grows as it is read.
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
