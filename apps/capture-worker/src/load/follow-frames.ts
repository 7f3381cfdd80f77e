import type { PageRequest } from '@capture/contract/options/fill-page';
import { type CDPSession, CDPSessionEvent } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { type EmulatedRequest, emulateEnvironment, isDefaultEnvironment } from './emulate.ts';
import { blocksResources, type InterceptedRequest, interceptFrame, interceptWorker } from './intercept.ts';

const callWithinMs = 10_000;

/**
 * Frames of other sites are processes, and in Chromium's protocol targets, of their own: each is held at its beginning,
 * told what the page was told, and let go. Where they need be told nothing, nothing is held. Of workers those are held
 * that could open a WebSocket where none is wanted: what stops requests does not see it.
 */
export async function followFrames(
  page: CapturePage,
  request: EmulatedRequest & InterceptedRequest,
  medium: PageRequest['media'],
  deadline: Deadline,
): Promise<void> {
  if (isDefaultEnvironment(request, medium) && !blocksResources(request)) return;
  const following = follow(page.session, request, medium);
  await page.step('following its frames', callWithinMs, deadline, following);
}

/** Follows what begins below a session: the page's, then those of its frames and workers, which may have others. */
async function follow(
  session: CDPSession,
  request: EmulatedRequest & InterceptedRequest,
  medium: PageRequest['media'],
): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (begun) => {
    const telling = [
      emulateEnvironment(begun, request, medium),
      interceptFrame(begun, request),
      interceptWorker(begun, request),
      follow(begun, request, medium),
    ];
    // What is gone again, or a worker that knows no emulation, needs none of it.
    const told = Promise.allSettled([...telling, begun.send('Runtime.runIfWaitingForDebugger')]);
    void told.catch(() => undefined);
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'iframe' }, ...(request.block_resources.includes('websocket') ? [{ type: 'worker' }] : [])],
  });
}
