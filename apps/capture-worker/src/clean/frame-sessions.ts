import { type CDPSession, CDPSessionEvent } from 'puppeteer';
import type { CapturePage } from '../page/capture-page.ts';

type Preparation = (session: CDPSession) => Promise<unknown>;

/**
 * A session of our own with the page, and one with each frame of it that Chromium keeps in a process of its own (those of
 * other sites): what is asked of a page's session does not reach into them.
 */
export class FrameSessions {
  readonly #sessions: CDPSession[] = [];
  readonly #preparations: Preparation[] = [];

  static async open(page: CapturePage): Promise<FrameSessions> {
    const sessions = new FrameSessions();
    await sessions.#follow(await page.openSession());
    return sessions;
  }

  /**
   * Prepares the session of the page, those of its frames, and those that come: a new frame does nothing before it is
   * prepared. Resolves when the ones that are there are.
   */
  async each(preparation: Preparation): Promise<void> {
    this.#preparations.push(preparation);
    const [page, ...frames] = this.#sessions;
    await Promise.all([page && preparation(page), ...frames.map((frame) => preparation(frame).catch(() => undefined))]);
  }

  /** The page's comes first. */
  get all(): readonly CDPSession[] {
    return this.#sessions;
  }

  async #follow(session: CDPSession): Promise<void> {
    this.#sessions.push(session);
    session.on(CDPSessionEvent.SessionAttached, (child: CDPSession) => {
      // A frame that goes away meanwhile needs nothing any more.
      this.#followFrame(child).catch(() => undefined);
    });
    await session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'iframe' }, { exclude: true }],
    });
  }

  async #followFrame(session: CDPSession): Promise<void> {
    try {
      // Both are sent at once: Chromium takes a session's calls in their order.
      await Promise.all([this.#follow(session), ...this.#preparations.map((prepare) => prepare(session))]);
    } finally {
      await session.send('Runtime.runIfWaitingForDebugger');
    }
  }
}
