import type { OpenCaptureProxy } from '@capture/egress/capture-proxy';
import type { Logger } from '@capture/runtime/service/log';
import type { SiteIsolation } from '../browser/chromium-flags.ts';
import { BrowserProblem } from '../capture-failure.ts';
import type { Cell } from '../cells/cell.ts';
import type { Cells } from '../cells/cells.ts';
import type { PrivateUse } from '../cells/private-cells.ts';
import { withTimeLimit } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { makePage } from './make-page.ts';
import type { PageSource } from './page-source.ts';

/** Creating a context and its page takes 35 to 60 ms. */
const makeWithinMs = 10_000;

/** How many browsers to try, if each ends while it makes a page. */
const maxBrowsers = 3;

interface ContextPoolOptions {
  cells: Cells;
  /** The kind of shared cell for the pages; the main kind unless given. */
  siteIsolation?: SiteIsolation;
  /** Opens the proxy of each page. */
  openProxy: OpenCaptureProxy;
  /** How many pages are kept ready. */
  size: number;
  log: Pick<Logger, 'warn'>;
}

/**
 * Pages made ahead, each used once. The pool is refilled after each capture, outside of its slot: a capture that waited for a
 * new page would take 180 ms instead of 130.
 */
export class ContextPool implements PageSource {
  readonly #options: ContextPoolOptions;
  #ready: CapturePage[] = [];
  #making = 0;
  readonly #closing = new AbortController();

  constructor(options: ContextPoolOptions) {
    this.#options = options;
    options.cells.onReplaced((siteIsolation) => {
      if (siteIsolation === this.#kind) void this.refill();
    });
  }

  /**
   * Takes an unused page.
   *
   * @throws {BrowserProblem} when no page can be made.
   */
  take(): Promise<CapturePage> {
    return this.#take(0);
  }

  /**
   * A source that leaves the last ready page, for an account that already has captures in this worker: the next account still
   * finds a page. Making a page takes seconds when other pages keep the browser busy.
   */
  get leavingLast(): PageSource {
    return {
      take: () => this.#take(1),
      leave: (page) => this.leave(page),
    };
  }

  async #take(left: number): Promise<CapturePage> {
    while (this.#ready.length > left) {
      const page = this.#ready.shift();
      if (page?.usable) return page;
      void page?.close();
    }
    return this.#make();
  }

  /** How many pages are ready. */
  get ready(): number {
    return this.#ready.length;
  }

  /** Closes a page. */
  async leave(page: CapturePage): Promise<void> {
    await page.close();
  }

  /**
   * Takes a page in a private cell.
   *
   * @throws {BrowserProblem} when no page can be made.
   */
  async takePrivate(use: PrivateUse): Promise<CapturePage> {
    try {
      const cell = await this.#options.cells.private(use);
      const page = await this.#makeIn(cell);
      // The cell serves this capture only.
      if (use.alone) cell.retire();
      return page;
    } catch (cause) {
      throw new BrowserProblem('unavailable', 'no page could be made in a private browser', { cause });
    }
  }

  /**
   * Makes pages of the shared cell until enough are ready. A page that cannot be made is left to the next call. Waits while
   * there is no cell, until the pool is closed; does nothing while the second shared cell is not running.
   */
  async refill(): Promise<void> {
    const { cells } = this.#options;
    // The second shared cell neither starts nor stays for pages made ahead.
    if (this.#kind !== cells.mainKind && !cells.open(this.#kind)) {
      for (const old of this.#ready.splice(0)) void old.close();
      return;
    }
    try {
      while (!this.#closed) {
        const current = await this.#currentUnlessClosed();
        const ready = this.#ready.filter((page) => page.cell === current && page.usable);
        if (ready.length + this.#making >= this.#options.size) {
          // The pages of a replaced browser were usable until now.
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

  /** The current browser; null once the pool is closed. `Promise.race` with a long-lived promise keeps browsers in memory. */
  #currentUnlessClosed(): Promise<Cell | null> {
    const { signal } = this.#closing;
    return new Promise((resolve, reject) => {
      const onAbort = () => resolve(null);
      signal.addEventListener('abort', onAbort);
      const stopListening = () => signal.removeEventListener('abort', onAbort);
      this.#options.cells.current(this.#kind).then(resolve, reject).finally(stopListening);
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
      const cell = await this.#waitForCell();
      try {
        return await this.#makeIn(cell);
      } catch (cause) {
        // A cell that has failed is replaced. A cell that is alive but makes no pages is probed.
        if (cell.isOpen) void cell.check();
        else if (tries < maxBrowsers) continue;
        throw new BrowserProblem('unavailable', 'no page could be made', { cause });
      }
    }
  }

  async #waitForCell(): Promise<Cell> {
    try {
      const starting = this.#options.cells.current(this.#kind);
      return await withTimeLimit('waiting for a browser', makeWithinMs, starting);
    } catch (cause) {
      throw new BrowserProblem('unavailable', 'there is no browser', { cause });
    }
  }

  async #makeIn(cell: Cell): Promise<CapturePage> {
    const making = makePage(cell, this.#options.openProxy);
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

  get #kind(): SiteIsolation {
    return this.#options.siteIsolation ?? this.#options.cells.mainKind;
  }
}
