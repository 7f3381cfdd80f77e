import { type CDPSession, CDPSessionEvent } from 'puppeteer';
import type { CapturePage } from '../page/capture-page.ts';

type Preparation = (session: CDPSession) => Promise<unknown>;

/**
 * Separate sessions with the page and with each of its out-of-process frames (those of other sites), which the page's own
 * session does not reach.
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
   * Prepares the sessions of the page and of all frames, now and later. A new frame is paused until it is prepared. Resolves
   * when the existing sessions are prepared.
   */
  async each(preparation: Preparation): Promise<void> {
    this.#preparations.push(preparation);
    const [page, ...frames] = this.#sessions;
    await Promise.all([page && preparation(page), ...frames.map((frame) => preparation(frame).catch(() => undefined))]);
  }

  /** The page's session comes first. */
  get all(): readonly CDPSession[] {
    return this.#sessions;
  }

  async #follow(session: CDPSession): Promise<void> {
    this.#sessions.push(session);
    session.on(CDPSessionEvent.SessionAttached, (child: CDPSession) => {
      // The frame may be removed meanwhile.
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
      // The calls are sent at once, and confirmed before the frame starts.
      await Promise.all([this.#follow(session), ...this.#preparations.map((prepare) => prepare(session))]);
    } finally {
      await session.send('Runtime.runIfWaitingForDebugger');
    }
  }
}
