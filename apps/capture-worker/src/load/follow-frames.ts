import type { PageRequest } from '@capture/contract/options/fill-page';
import { type CDPSession, CDPSessionEvent } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { preserveDrawings } from '../page/watch-page.ts';
import { type EmulatedRequest, emulateEnvironment, isDefaultEnvironment } from './emulation.ts';
import { blocksResources, type InterceptedRequest, interceptFrame, interceptWorker } from './intercept.ts';

const callWithinMs = 10_000;

interface FrameTerms {
  /** The CSS medium that the capture type uses by itself. */
  medium: PageRequest['media'];
  /** Whether the page is printed. */
  prints: boolean;
}

/**
 * Applies emulation and blocking to cross-site frames, which have their own processes and protocol targets: each target is paused
 * at its start, configured and resumed. If there is nothing to configure, no target is paused. Workers are paused only to block
 * their WebSockets, which request interception does not see.
 */
export async function followFrames(
  page: CapturePage,
  request: EmulatedRequest & InterceptedRequest,
  terms: FrameTerms,
  deadline: Deadline,
): Promise<void> {
  if (isDefaultEnvironment(request, terms.medium) && !blocksResources(request) && !terms.prints) return;
  const following = follow(page.session, request, terms);
  await page.step('attaching to its frames', callWithinMs, deadline, following);
}

/** Follows the targets that a session starts, the page's frames and workers, and recursively the targets that they start. */
async function follow(
  session: CDPSession,
  request: EmulatedRequest & InterceptedRequest,
  terms: FrameTerms,
): Promise<void> {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    const configuring = [
      emulateEnvironment(child, request, terms.medium),
      interceptFrame(child, request),
      interceptWorker(child, request),
      terms.prints && preserveDrawings(child),
      follow(child, request, terms),
    ];
    // Errors are ignored: the target may be closed, and workers do not support emulation.
    const resumed = Promise.allSettled([...configuring, child.send('Runtime.runIfWaitingForDebugger')]);
    void resumed.catch(() => undefined);
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'iframe' }, ...(request.block_resources.includes('websocket') ? [{ type: 'worker' }] : [])],
  });
}
