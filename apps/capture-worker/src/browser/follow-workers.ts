import type { CDPSession } from 'puppeteer';
import type { UserAgent } from './user-agent.ts';

/** The types of workers that belong to no page. */
const types = ['service_worker', 'shared_worker'];

/** Without metadata a worker, unlike a page, would keep the hints of a headless browser. */
const noHints = { brands: [], platform: '', platformVersion: '', architecture: '', model: '', mobile: false };

/** Ends the sessions of the shared and service workers of a browser context: a worker that has a session would not end. */
export type LeaveWorkers = (contextId: string | undefined) => void;

/**
 * Gives shared and service workers the client hints of the browser's user agent: they belong to no page, so the settings of a
 * page do not reach them. Each worker is paused at its start, configured and resumed. Its `navigator.userAgent` is always that
 * of the command line.
 *
 * @param session the browser's session.
 */
export async function followWorkers(session: CDPSession, userAgent: UserAgent): Promise<LeaveWorkers> {
  /** The browser context of each session. */
  const workers = new Map<string, string | undefined>();
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const worker = session.connection()?.session(sessionId);
    if (!worker) return;
    workers.set(sessionId, targetInfo.browserContextId);
    const calls = [
      worker.send('Emulation.setUserAgentOverride', { userAgentMetadata: noHints, ...userAgent }),
      worker.send('Runtime.runIfWaitingForDebugger'),
    ];
    // The worker may be gone.
    for (const call of calls) call.catch(() => undefined);
  });
  session.on('Target.detachedFromTarget', ({ sessionId }) => workers.delete(sessionId));
  const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  // Puppeteer attaches to all targets but pages, and resumes them: a worker would start before it is configured.
  const others = ['page', ...types].map((type) => ({ type, exclude: true }));
  await session.connection()?.send('Target.setAutoAttach', { ...attach, filter: [...others, {}] });
  await session.send('Target.setAutoAttach', { ...attach, filter: types.map((type) => ({ type })) });
  return (contextId) => {
    for (const [sessionId, context] of workers) {
      if (context === contextId) session.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
    }
  };
}
