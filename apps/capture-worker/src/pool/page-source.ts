import type { CapturePage } from '../page/capture-page.ts';
import type { WaitEnd } from '../page/settle.ts';

/** What a capture that was drawn in a page says of how that went. */
export interface PageUse {
  tries: number;
  waitEnded?: WaitEnd | undefined;
}

/** Where a capture takes its page from, and where it returns it. */
export interface PageSource {
  take(): Promise<CapturePage>;
  /** A page in a browser of its own. */
  takeIsolated(): Promise<CapturePage>;
  /**
   * Takes a page back once the capture no longer uses it. Never rejects.
   *
   * @param use the capture that was drawn in it; null if none was.
   */
  leave(page: CapturePage, use: PageUse | null): Promise<void>;
}
