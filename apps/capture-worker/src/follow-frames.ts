import type { PageRequest } from '@capture/contract/fill-page';
import { CDPSessionEvent } from 'puppeteer';
import type { CapturePage } from './capture-page.ts';
import type { Deadline } from './deadline.ts';
import { type EmulatedRequest, emulateVisitor, isUsualVisitor } from './emulate.ts';
import { blocksResources, type InterceptedRequest, interceptFrame } from './intercept.ts';

const callWithinMs = 10_000;

/**
 * Frames of other sites are processes, and in Chromium's protocol targets, of their own: each is held at its beginning,
 * told what the page was told, and let go. Where they need be told nothing, nothing is held.
 */
export async function followFrames(
  page: CapturePage,
  request: EmulatedRequest & InterceptedRequest,
  medium: PageRequest['media'],
  deadline: Deadline,
): Promise<void> {
  if (isUsualVisitor(request, medium) && !blocksResources(request)) return;
  page.session.on(CDPSessionEvent.SessionAttached, (frame) => {
    const telling = [emulateVisitor(frame, request, medium), interceptFrame(frame, request)];
    // A frame that is gone again, or a worker that knows no emulation, needs none of it.
    const told = Promise.allSettled([...telling, frame.send('Runtime.runIfWaitingForDebugger')]);
    void told.catch(() => undefined);
  });
  const following = page.session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'iframe' }],
  });
  await page.step('following its frames', callWithinMs, deadline, following);
}
