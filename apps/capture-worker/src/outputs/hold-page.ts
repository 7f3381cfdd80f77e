import type { Frame } from 'puppeteer';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { ScriptWorld } from '../page/script-world.ts';
import { partsOf } from '../wait/look-frames.ts';

/** The maximum number of held frames. The heaviest real pages have 100. */
const framesAtMost = 100;

/** The time for all frames of a page, milliseconds. A frame whose scripts do not yield does not stand still. */
const holdWithinMs = 1_000;

/**
 * Holds a page still in all frames, with its timers, animation frames, animations and videos, so that all outputs show the same
 * moment. The page still responds to events, such as a resized window.
 */
export async function holdPage(page: CapturePage, deadline: Deadline): Promise<void> {
  await inAllFrames(page, 'holdStill', deadline);
  await keepCopies(page, true, deadline);
}

/** Lets a held page move on. */
export async function releasePage(page: CapturePage, deadline: Deadline): Promise<void> {
  await inAllFrames(page, 'moveOn', deadline);
  await keepCopies(page, false, deadline);
}

/** Keeps or discards copies in the world that copies the page. Each session has other worlds. */
async function keepCopies(page: CapturePage, areKept: boolean, deadline: Deadline): Promise<void> {
  const limits = { what: 'keeping copies', limitMs: holdWithinMs, deadline };
  await bestEffort(runInPage(page, 'keepCopies', areKept, limits));
}

async function inAllFrames(page: CapturePage, script: 'holdStill' | 'moveOn', deadline: Deadline): Promise<void> {
  const frames = page.page.frames().slice(0, framesAtMost);
  const inFrame = (frame: Frame) => {
    const { client, _id: frameId } = partsOf(frame);
    const calling = new ScriptWorld(client, frameId).call(script, page.workEvent);
    return withTimeLimit('holding a frame', holdWithinMs, calling);
  };
  await page.step('holding the page', holdWithinMs * 2, deadline, Promise.allSettled(frames.map(inFrame)));
}
