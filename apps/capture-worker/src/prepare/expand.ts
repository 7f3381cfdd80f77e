import type { Frame } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage, worldOf } from '../page/isolated-world.ts';
import { ScriptWorld } from '../page/script-world.ts';
import { partsOf } from '../wait/look-frames.ts';

const expandWithinMs = 10_000;

/** The time limit for measuring a frame, milliseconds: it takes a few, and a frame whose scripts do not yield stays as it is. */
const measureWithinMs = 1_000;

/** How many frames are measured: a page that is only a frame has few. */
const framesAtMost = 5;

/** Expands the container of a page whose window does not scroll; see `openScroller`. */
export async function expandPage(page: CapturePage, deadline: Deadline): Promise<void> {
  const limits = { what: 'expanding the page', limitMs: expandWithinMs, deadline };
  const inner = page.page.frames().filter((frame) => frame.parentFrame() === page.page.mainFrame());
  if (inner.length > 0 && (await bestEffort(runInPage(page, 'hasForeignFrame', null, limits)))) {
    const measuring = Promise.allSettled(inner.slice(0, framesAtMost).map((frame) => measureFrame(page, frame)));
    await bestEffort(page.step('measuring frames', measureWithinMs, deadline, measuring));
  }
  await bestEffort(runInPage(page, 'openScroller', null, limits));
}

/** Records the height of a document that scripts of the page cannot read, at the frame's element. */
async function measureFrame(page: CapturePage, frame: Frame): Promise<void> {
  const { client, _id: frameId } = partsOf(frame);
  const height = await new ScriptWorld(client, frameId).call('scrollRange', null);
  if (typeof height !== 'number' || !Number.isFinite(height)) return;
  const { backendNodeId } = await page.session.send('DOM.getFrameOwner', { frameId });
  const world = worldOf(page);
  const executionContextId = await world.contextId;
  const { object } = await page.session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  if (object.objectId !== undefined) await world.callOn('noteFrameHeight', object.objectId, height);
}
