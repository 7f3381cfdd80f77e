import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { WaitEnd } from '../page/wait-end.ts';

/** How a capture has used a page. */
export interface PageUse {
  tries: number;
  waitEnded?: WaitEnd | undefined;
}

/** Where a capture takes its page from, and returns the page to. */
export interface PageSource {
  /**
   * @param deadline of the capture.
   * @throws {BrowserProblem} when no page can be made.
   */
  take(deadline: Deadline): Promise<CapturePage>;
  /**
   * Takes a page back once the capture no longer uses it. Never rejects.
   *
   * @param use null if no capture was rendered in it.
   */
  leave(page: CapturePage, use: PageUse | null): Promise<void>;
}
