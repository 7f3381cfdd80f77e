import type { PageRequest } from '@capture/contract/options/fill-page';
import { type CDPSession, CDPSessionEvent } from 'puppeteer';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { preserveDrawings } from '../page/watch-page.ts';
import { applyChanges, changedParts, type EmulatedRequest, type Emulation, emulationOf, newPage } from './emulation.ts';
import { blocksResources, type InterceptedRequest, interceptFrame, interceptWorker } from './intercept.ts';

const callWithinMs = 10_000;

/** How long all frames may take to change, milliseconds. A frame whose scripts do not yield keeps its emulation. */
const changeWithinMs = 1_000;

interface FrameTerms {
  /** The CSS medium that the capture type uses by itself. */
  medium: PageRequest['media'];
  /** Whether the page is printed. */
  prints: boolean;
}

interface Followed {
  request: InterceptedRequest;
  prints: boolean;
  /** The emulation of every frame, and of each new one. */
  emulation: Emulation;
  /** The sessions of the frames and workers; null as long as no frame is paused. */
  sessions: Set<CDPSession> | null;
}

/** The frames of each page, by the page's session. */
const followed = new WeakMap<CDPSession, Followed>();

/**
 * Applies emulation and blocking to the cross-site frames to which Chromium gives their own processes and protocol targets: each
 * is paused at its start, configured and resumed. If there is nothing to configure, none is paused. Workers are paused only to
 * block their WebSockets, which request interception does not see.
 */
export async function followFrames(
  page: CapturePage,
  request: EmulatedRequest & InterceptedRequest,
  { medium, prints }: FrameTerms,
  deadline: Deadline,
): Promise<void> {
  const frames: Followed = { request, prints, emulation: emulationOf(request, medium), sessions: null };
  followed.set(page.session, frames);
  const isEmulated = changedParts(newPage, frames.emulation, true).length > 0;
  if (!isEmulated && !blocksResources(request) && !prints) return;
  await page.step('attaching to its frames', callWithinMs, deadline, followAll(page.session, frames));
}

/** Changes the emulation of a page's cross-site frames, and of those that start later. A frame that fails is left as it is. */
export async function changeFrames(page: CapturePage, to: Emulation, deadline: Deadline): Promise<void> {
  const frames = followed.get(page.session);
  if (!frames || changedParts(frames.emulation, to, true).length === 0) return;
  const from = frames.emulation;
  frames.emulation = to;
  const calls = frames.sessions
    ? [...frames.sessions].map((session) => applyChanges({ session }, from, to))
    : [followAll(page.session, frames)];
  const changing = withTimeLimit('changing frames', changeWithinMs, Promise.allSettled(calls));
  const within = changing.catch(() => undefined);
  await page.step('changing its frames', callWithinMs, deadline, within);
}

function followAll(session: CDPSession, frames: Followed): Promise<void> {
  frames.sessions = new Set();
  return follow(session, frames, frames.sessions);
}

/**
 * Follows the targets that a session starts: the page's frames and workers, and recursively theirs. Resolves when those that
 * had started before are configured.
 */
async function follow(session: CDPSession, frames: Followed, sessions: Set<CDPSession>): Promise<void> {
  let started: Promise<unknown>[] | null = [];
  const configure = (child: CDPSession) => {
    sessions.add(child);
    // Errors are ignored: the target may be gone, and workers do not support emulation.
    return Promise.allSettled([
      applyChanges({ session: child }, newPage, frames.emulation),
      interceptFrame(child, frames.request),
      interceptWorker(child, frames.request),
      frames.prints && preserveDrawings(child),
      follow(child, frames, sessions),
      child.send('Runtime.runIfWaitingForDebugger'),
    ]);
  };
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    const configuring = configure(child);
    started?.push(configuring);
  });
  session.on(CDPSessionEvent.SessionDetached, (child) => sessions.delete(child));
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'iframe' }, ...(frames.request.block_resources.includes('websocket') ? [{ type: 'worker' }] : [])],
  });
  const before = started;
  started = null;
  await Promise.all(before);
}
