import type { CaptureProxy } from '@capture/egress/capture-proxy';
import { type BrowserContext, type CDPSession, type Page, type Protocol, ProtocolError } from 'puppeteer';
import { BrowserTrouble, CaptureFailure } from './capture-failure.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { type Deadline, TimeLimitError, withinTime } from './deadline.ts';
import { PageActivity } from './page-activity.ts';

/** Closing a context takes 10 to 30 ms, and has been seen to hang (puppeteer #8006). */
const closeWithinMs = 5_000;

/**
 * A page in a browser context of its own behind a proxy of its own: made ahead, used for one capture, thrown away. No
 * cookie, storage, cache or connection outlives it.
 */
export class CapturePage {
  readonly chromium: ChromiumProcess;
  readonly page: Page;
  /**
   * Navigation, emulation and pictures all go through this session: Chromium keeps emulation by session and undoes, when
   * it has taken a picture, what another session had set.
   */
  readonly session: CDPSession;
  readonly proxy: CaptureProxy;
  readonly activity: PageActivity;
  /** What keeps the errors of a document that is written anew: a script for each world. */
  readonly errorScripts: { mainWorld: string; ownWorld: string };
  readonly #context: BrowserContext;
  readonly #release: () => void;
  readonly #lost: Promise<never>;
  #usable = true;
  #closed: Promise<void> | undefined;

  constructor(parts: {
    chromium: ChromiumProcess;
    context: BrowserContext;
    page: Page;
    session: CDPSession;
    proxy: CaptureProxy;
    errorScripts: { mainWorld: string; ownWorld: string };
    /** Called when the page is closed. */
    release: () => void;
  }) {
    this.chromium = parts.chromium;
    this.page = parts.page;
    this.session = parts.session;
    this.proxy = parts.proxy;
    this.errorScripts = parts.errorScripts;
    this.activity = new PageActivity(parts.page, parts.session);
    this.#context = parts.context;
    this.#release = parts.release;
    this.#lost = new Promise((_, reject) => {
      parts.page.once('error', (error) =>
        reject(new BrowserTrouble('crashed', "the page's renderer crashed", { cause: error })),
      );
      parts.page.once('close', () => reject(new BrowserTrouble('ended', 'the page was closed')));
      void parts.chromium.ended.then(() => reject(new BrowserTrouble('ended', 'the browser ended')));
    });
    this.#lost.catch(() => {
      this.#usable = false;
    });
    // A dialog stops the page until it is answered; who would not let go of it is left all the same.
    parts.page.on('dialog', (dialog) => {
      const answering = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      answering.catch(() => undefined);
    });
  }

  /** False once its renderer or its browser is gone. */
  get usable(): boolean {
    return this.#usable && this.chromium.alive;
  }

  /**
   * Waits for one step of a capture.
   *
   * @param limitMs what the step may take at most, milliseconds; the capture's deadline may leave it less.
   * @throws {CaptureFailure} `CAPTURE_TIMEOUT` when the deadline passed.
   * @throws {BrowserTrouble} when the browser or the renderer ended, or the step hung.
   */
  async step<T>(what: string, limitMs: number, deadline: Deadline, work: Promise<T>): Promise<T> {
    const leftMs = deadline.left();
    // Whichever of the two loses the race fails unheard.
    work.catch(() => undefined);
    try {
      return await withinTime(what, Math.min(limitMs, leftMs), Promise.race([work, this.#lost]));
    } catch (error) {
      if (error instanceof TimeLimitError) {
        if (leftMs <= limitMs) throw timedOut(what, error);
        throw new BrowserTrouble('hung', error.message, { cause: error });
      }
      if (isClosed(error) || !this.chromium.alive) {
        throw new BrowserTrouble('ended', `the browser went away during ${what}`, { cause: error });
      }
      throw error;
    }
  }

  /** Grants the page and what it embeds these permissions, and refuses every other one. */
  async allow(permissions: Protocol.Browser.PermissionType[]): Promise<void> {
    const { id } = this.#context;
    const context = id === undefined ? {} : { browserContextId: id };
    await this.chromium.session.send('Browser.grantPermissions', { permissions, ...context });
  }

  /** Throws the context away; never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      // Whatever the page still loads ends here, not when its context is taken apart.
      await this.proxy.close();
      if (this.chromium.alive) await withinTime('closing a context', closeWithinMs, this.#context.close());
    } catch {
      // The supervisor finds out whether the browser still answers.
    } finally {
      this.#release();
    }
  }
}

/** Puppeteer's errors for a page or a browser that is gone; it does not export their classes. */
function isClosed(error: unknown): boolean {
  return error instanceof ProtocolError && ['TargetCloseError', 'ConnectionClosedError'].includes(error.name);
}

export function timedOut(during: string, cause?: unknown): CaptureFailure {
  return new CaptureFailure('CAPTURE_TIMEOUT', 'The capture was not finished within timeout_ms.', {
    cause: cause ?? new Error(`the time was over during ${during}`),
  });
}
