import type { Frame } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import { partsOf } from '../wait/look-frames.ts';
import type { CapturePage } from './capture-page.ts';
import { bestEffort, runInPage, worldName, worldOf } from './isolated-world.ts';
import { hasForeignFrame, noteFrameHeight, scrollRange } from './scroll/frame-scripts.ts';
import { openScroller } from './scroll/open-scroller.ts';

const expandWithinMs = 10_000;

/** Measuring a frame takes a few milliseconds; one whose scripts do not yield stays as it is. */
const measureWithinMs = 1_000;

/** A page that is only a frame has few. */
const framesAtMost = 5;

/** Expands what holds the content of a page whose window does not scroll; see `openScroller`. */
export async function expandPage(page: CapturePage, deadline: Deadline): Promise<void> {
  const limits = { what: 'expanding the page', limitMs: expandWithinMs, deadline };
  const inner = page.page.frames().filter((frame) => frame.parentFrame() === page.page.mainFrame());
  if (inner.length > 0 && (await bestEffort(runInPage(page, hasForeignFrame, null, limits)))) {
    const measuring = Promise.allSettled(inner.slice(0, framesAtMost).map((frame) => measureFrame(page, frame)));
    await bestEffort(page.step('measuring frames', measureWithinMs, deadline, measuring));
  }
  await bestEffort(runInPage(page, openScroller, null, limits));
}

/** Notes the height of a document that scripts of the page cannot read, at the frame's element. */
async function measureFrame(page: CapturePage, frame: Frame): Promise<void> {
  const { client, _id: frameId } = partsOf(frame);
  const { session } = page;
  const world = await client.send('Page.createIsolatedWorld', { frameId, worldName });
  const { result } = await client.send('Runtime.evaluate', {
    contextId: world.executionContextId,
    expression: `(${scrollRange})()`,
    returnByValue: true,
  });
  if (typeof result.value !== 'number' || !Number.isFinite(result.value)) return;
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
  const executionContextId = await worldOf(page).contextId;
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  await session.send('Runtime.callFunctionOn', {
    functionDeclaration: `function (height) { (${noteFrameHeight})(this, height) }`,
    objectId: object.objectId ?? '',
    arguments: [{ value: result.value }],
  });
}
