import type { CaptureProxy } from '@capture/egress/capture-proxy';
import {
  type BrowserContext,
  type CDPSession,
  type HTTPResponse,
  type Page,
  type Protocol,
  ProtocolError,
} from 'puppeteer';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import { BrowserProblem, CaptureFailure, EndlessRedirects } from '../capture-failure.ts';
import { type Deadline, TimeLimitError, withTimeLimit } from '../deadline.ts';
import { PageActivity } from './page-activity.ts';

/** Closing a context takes 10 to 30 ms, and has been seen to hang (puppeteer #8006). */
const closeWithinMs = 5_000;

/** What is listened to of a page; Puppeteer has no call that leaves off listening to all of it. */
const listenedTo = ['request', 'response', 'requestfinished', 'requestfailed', 'dialog', 'error', 'close'] as const;

interface PageParts {
  chromium: ChromiumProcess;
  context: BrowserContext;
  page: Page;
  session: CDPSession;
  proxy: CaptureProxy;
  errorScripts: { mainWorld: string; ownWorld: string };
  /** Called when the page is closed. */
  release: () => void;
}

/**
 * A page in a browser context of its own behind a proxy of its own: made ahead, used for one capture, thrown away. No
 * cookie, storage, cache or connection outlives it. (Items of one batch may use it in turn: see `clearPage`.)
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
  /** How many dialogs it has opened. */
  dialogs = 0;
  /** Whether the browser keeps in mind what a host of it has said, where nothing takes that back. */
  isRemembered = false;
  readonly #parts: PageParts;
  readonly #furtherSessions: CDPSession[] = [];
  readonly #onBrowserEnded: Listener = { tell: null };
  readonly #lost: Promise<never>;
  #usable = true;
  #hasPermissions = false;
  #closed: Promise<void> | undefined;

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.chromium = parts.chromium;
    this.page = parts.page;
    this.session = parts.session;
    this.proxy = parts.proxy;
    this.errorScripts = parts.errorScripts;
    let leadsOn: () => void = () => undefined;
    this.activity = new PageActivity(parts.page, parts.session, (what) =>
      what === 'documents' ? leadsOn() : this.#cutOff(),
    );
    this.#lost = new Promise((_, reject) => {
      leadsOn = () => reject(new EndlessRedirects('the page leads on to others without end'));
      parts.page.once('error', (error) =>
        reject(new BrowserProblem('crashed', "the page's renderer crashed", { cause: error })),
      );
      parts.page.once('close', () => reject(new BrowserProblem('ended', 'the page was closed')));
      this.#onBrowserEnded.tell = () => reject(new BrowserProblem('ended', 'the browser ended'));
      void parts.proxy.lost.then(() => reject(new BrowserProblem('ended', 'the way out of the page is gone')));
    });
    tellOfEnd(parts.chromium, this.#onBrowserEnded);
    this.#lost.catch(() => {
      this.#usable = false;
    });
    parts.page.on('response', (response) => {
      if (response.request().isNavigationRequest() && isRemembered(response)) this.isRemembered = true;
    });
    // A dialog stops the page until it is answered; who would not let go of it is left all the same.
    parts.page.on('dialog', (dialog) => {
      this.dialogs += 1;
      const answering = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      answering.catch(() => undefined);
    });
  }

  /** False once its renderer, its browser or its way out is gone. */
  get usable(): boolean {
    return this.#usable && this.chromium.alive;
  }

  /**
   * Waits for one step of a capture.
   *
   * @param limitMs what the step may take at most, milliseconds; the capture's deadline may leave it less.
   * @throws {CaptureFailure} `CAPTURE_TIMEOUT` when the deadline passed.
   * @throws {BrowserProblem} when the browser or the renderer ended, or the step hung.
   * @throws {EndlessRedirects}
   */
  async step<T>(what: string, limitMs: number, deadline: Deadline, work: Promise<T>): Promise<T> {
    const leftMs = deadline.remainingMs();
    // Whichever of the two loses the race fails unheard.
    work.catch(() => undefined);
    try {
      return await withTimeLimit(what, Math.min(limitMs, leftMs), Promise.race([work, this.#lost]));
    } catch (error) {
      if (error instanceof TimeLimitError) {
        if (leftMs <= limitMs) throw timedOut(what, error);
        throw new BrowserProblem('hung', error.message, { cause: error });
      }
      if (isClosed(error) || !this.chromium.alive) {
        throw new BrowserProblem('ended', `the browser went away during ${what}`, { cause: error });
      }
      throw error;
    }
  }

  /** Grants the page and what it embeds these permissions, and refuses every other one. */
  async allow(permissions: Protocol.Browser.PermissionType[]): Promise<void> {
    this.#hasPermissions = permissions.length > 0;
    await this.chromium.session.send('Browser.grantPermissions', { permissions, ...this.#inContext });
  }

  /** A session beside the capture's own, for what would get in its way there. */
  async openSession(): Promise<CDPSession> {
    const session = await this.page.createCDPSession();
    this.#furtherSessions.push(session);
    return session;
  }

  /** Whether a worker runs in its context that may outlive its document. */
  get hasWorkers(): boolean {
    const targets = this.#parts.context.targets();
    return targets.some((target) => ['service_worker', 'shared_worker'].includes(target.type()));
  }

  /** Takes back what belongs to the whole context: its cookies, and permissions that were given. */
  async clearContext(): Promise<void> {
    const cookies = this.chromium.session.send('Storage.clearCookies', this.#inContext);
    await Promise.all([cookies, this.#hasPermissions && this.allow([])]);
  }

  /** Ends what was set up through the capture's sessions: emulation, interception, scripts in new documents. */
  async detach(): Promise<void> {
    await Promise.all([this.session, ...this.#furtherSessions].map((session) => session.detach()));
  }

  /** The same page for the next capture, which has sessions of its own; this one is not to be used any more. */
  next(watched: Pick<PageParts, 'session' | 'errorScripts'>): CapturePage {
    for (const event of listenedTo) this.page.removeAllListeners(event);
    this.#onBrowserEnded.tell = null;
    return new CapturePage({ ...this.#parts, ...watched });
  }

  /** Throws the context away; never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** A page that asks without end keeps everybody busy: nothing of it passes any more, and nothing is told of it. */
  #cutOff(): void {
    void this.proxy.close();
    puppeteerSession(this.page)
      ?.send('Network.disable')
      .catch(() => undefined);
  }

  get #inContext(): { browserContextId?: string } {
    const { id } = this.#parts.context;
    return id === undefined ? {} : { browserContextId: id };
  }

  async #close(): Promise<void> {
    try {
      // Whatever the page still loads ends here, not when its context is taken apart.
      await this.proxy.close();
      if (this.chromium.alive) await withTimeLimit('closing a context', closeWithinMs, this.#parts.context.close());
    } catch {
      // The supervisor finds out whether the browser still answers.
    } finally {
      this.#onBrowserEnded.tell = null;
      this.#parts.release();
    }
  }
}

interface Listener {
  /** Null once nobody listens. */
  tell: (() => void) | null;
}

/** A browser outlives two hundred pages: what hangs on its promise is this one object, and not the page that it is of. */
function tellOfEnd(chromium: ChromiumProcess, listener: Listener): void {
  void chromium.ended.then(() => listener.tell?.());
}

/** The session that Puppeteer itself has with a page, through which it asks to be told of things; not in its types. */
export function puppeteerSession(page: Page): CDPSession | undefined {
  return (page as Page & { _client?: () => CDPSession })._client?.();
}

/** Credentials that stand in a URL (of a redirect), and with what headers its host wants to be asked from now on. */
function isRemembered(response: HTTPResponse): boolean {
  const { username, password } = new URL(response.url());
  return username !== '' || password !== '' || response.headers()['accept-ch'] !== undefined;
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
