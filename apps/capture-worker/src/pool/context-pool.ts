import type { OpenCaptureProxy } from '@capture/egress/capture-proxy';
import type { Logger } from '@capture/runtime/log';
import type { Browser } from '../browser/browser.ts';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import { BrowserProblem } from '../capture-failure.ts';
import { withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { makePage } from './make-page.ts';
import type { PageSource } from './page-source.ts';

/** A context and its page take 35 to 60 ms to make. */
const makeWithinMs = 10_000;

/** Browsers that may end while a page is made in them, one after the other. */
const browsersTried = 3;

export interface ContextPoolOptions {
  browser: Browser;
  /** Opens the way out of each page. */
  openProxy: OpenCaptureProxy;
  /** How many pages are kept ready. */
  size: number;
  log: Pick<Logger, 'warn'>;
}

/**
 * Pages made ahead, each used once. The pool is refilled after a capture rather than during one, so that nobody waits
 * for the making: that is 50 ms of a small page's 130.
 */
export class ContextPool implements PageSource {
  readonly #options: ContextPoolOptions;
  #ready: CapturePage[] = [];
  #making = 0;
  readonly #closing = new AbortController();

  constructor(options: ContextPoolOptions) {
    this.#options = options;
    options.browser.onReplaced(() => void this.refill());
  }

  /**
   * A page that nobody used yet.
   *
   * @throws {BrowserProblem} when none could be made.
   */
  async take(): Promise<CapturePage> {
    for (let page = this.#ready.shift(); page; page = this.#ready.shift()) {
      if (page.usable) return page;
      void page.close();
    }
    return this.#make();
  }

  /** How many pages are ready. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Throws a page away. */
  async leave(page: CapturePage): Promise<void> {
    await page.close();
  }

  /**
   * A page in a browser of its own, which ends with it: for a capture whose browser was ended under it, by a page beside
   * it perhaps, and that page comes again as well.
   *
   * @throws {BrowserProblem} when none could be made.
   */
  async takeIsolated(): Promise<CapturePage> {
    try {
      return await this.#makeWith(await this.#options.browser.startIsolated());
    } catch (cause) {
      throw new BrowserProblem('unavailable', 'no page could be made in a browser of its own', { cause });
    }
  }

  /**
   * Makes pages until as many of the current browser are ready as should be; one that cannot be made now is made another
   * time. While there is no browser it waits for one, or for the closing of the pool.
   */
  async refill(): Promise<void> {
    try {
      while (!this.#closed) {
        const current = await this.#currentUnlessClosed();
        const ready = this.#ready.filter((page) => page.chromium === current && page.usable);
        if (ready.length + this.#making >= this.#options.size) {
          // Those of a browser that was replaced were good until now.
          for (const old of this.#ready.filter((page) => !ready.includes(page))) void old.close();
          this.#ready = ready;
          return;
        }
        await this.#makeOneMore();
      }
    } catch (error) {
      if (!this.#closed) this.#options.log.warn({ err: error }, 'no page could be made ahead');
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#ready.splice(0).map((page) => page.close()));
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /**
   * The current browser; null once the pool is closed. A race with a promise that lasts as long as the pool would keep every
   * browser that ever won it.
   */
  #currentUnlessClosed(): Promise<ChromiumProcess | null> {
    const { signal } = this.#closing;
    return new Promise((resolve, reject) => {
      const onAbort = () => resolve(null);
      signal.addEventListener('abort', onAbort);
      const leave = () => signal.removeEventListener('abort', onAbort);
      this.#options.browser.current().then(resolve, reject).finally(leave);
    });
  }

  async #makeOneMore(): Promise<void> {
    this.#making += 1;
    try {
      const page = await this.#make();
      if (this.#closed) await page.close();
      else this.#ready.push(page);
    } finally {
      this.#making -= 1;
    }
  }

  async #make(): Promise<CapturePage> {
    for (let tries = 1; ; tries += 1) {
      const chromium = await this.#current();
      try {
        return await this.#makeWith(chromium);
      } catch (cause) {
        // One that ended meanwhile has a successor; one that is there, and does not make pages, is looked into.
        if (chromium.alive) void this.#options.browser.suspect(chromium);
        else if (tries < browsersTried) continue;
        throw new BrowserProblem('unavailable', 'no page could be made', { cause });
      }
    }
  }

  async #current(): Promise<ChromiumProcess> {
    try {
      return await withTimeLimit('waiting for a browser', makeWithinMs, this.#options.browser.current());
    } catch (cause) {
      throw new BrowserProblem('unavailable', 'there is no browser', { cause });
    }
  }

  async #makeWith(chromium: ChromiumProcess): Promise<CapturePage> {
    const { browser, openProxy } = this.#options;
    const making = makePage(chromium, openProxy, browser.use(chromium));
    try {
      return await withTimeLimit('making a page', makeWithinMs, making);
    } catch (error) {
      making.then(
        (late) => late.close(),
        () => undefined,
      );
      throw error;
    }
  }
}
