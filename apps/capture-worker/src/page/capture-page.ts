import type { IsolationLevel } from '@capture/contract/options/isolation';
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
import { BrowserProblem, CaptureFailure, EndlessRedirects, TruncatedDocument } from '../capture-failure.ts';
import type { Cell } from '../cells/cell.ts';
import { type Deadline, pause, TimeLimitError, withTimeLimit } from '../deadline.ts';
import { dialogLimits } from '../limits.ts';
import { PageActivity, type PageLimit } from './page-activity.ts';
import type { Unfinished, WaitEnd } from './wait-end.ts';

/** The time limit for closing a context, milliseconds: closing takes 10 to 30 ms, and can hang (puppeteer #8006). */
const closeWithinMs = 5_000;

/** How long after the close of its pages the end of a browser is known, milliseconds. */
const endKnownWithinMs = 100;

/** The page events that have listeners; Puppeteer has no call that removes all listeners of a page. */
const pageEvents = ['request', 'response', 'requestfinished', 'requestfailed', 'dialog', 'error', 'close'] as const;

/** The document and the frame of a page that shows nothing. */
type EmptyDocument = Pick<PageActivity, 'document' | 'mainFrameId'>;

interface PageParts {
  cell: Cell;
  context: BrowserContext;
  page: Page;
  session: CDPSession;
  proxy: CaptureProxy;
  errorScripts: { mainWorld: string; ownWorld: string };
  workEvent: string;
  /** The empty document that the page shows, in which the worker's scripts have run. */
  empty?: EmptyDocument | undefined;
  /** Called when the page is closed, or takes too long to close. */
  release: () => void;
  /** Called when the browser has closed the page: until then the browser reports earlier requests. */
  forget: () => void;
  onFlood: OnFlood;
}

/** Called when the page floods the browser; null while no account uses the page. */
export interface OnFlood {
  call: (() => void) | null;
}

/**
 * A page with a separate browser context and proxy: made ahead, used, then closed or cleared for the next capture of its account
 * and site. No cookie, storage, cache or connection outlives a capture; see `clearPage`.
 */
export class CapturePage {
  readonly cell: Cell;
  readonly chromium: ChromiumProcess;
  readonly page: Page;
  /** The session for all calls: Chromium keeps emulation per session, and a screenshot undoes other sessions' emulation. */
  readonly session: CDPSession;
  readonly proxy: CaptureProxy;
  readonly activity: PageActivity;
  /** Scripts that watch a rewritten document, one for each world. */
  readonly errorScripts: { mainWorld: string; ownWorld: string };
  /** The event that asks for the page's scheduled work; see `trackWork`. */
  readonly workEvent: string;
  /** The account of the capture that uses the page; empty before. */
  accountId = '';
  /** The level at which its capture runs; null before. */
  isolation: IsolationLevel | null = null;
  /** How the last `auto` wait ended; null before. */
  waitEnded: WaitEnd | null = null;
  /** The parts of the view that were missing at the end of that wait. */
  unfinished: readonly Unfinished[] = [];
  /** How many waits have ended while scripts kept the page moving, or content hidden, for longer than any motion that ends. */
  endlessWaits = 0;
  /** Whether scripts kept the page moving at the end of the last wait. */
  movesWithoutEnd = false;
  /** The document that was scrolled through. */
  scrolledDocument: PageActivity['document'] = null;
  /** The reasons to wait that lasted too long for a document: later stages of the capture do not wait for them again. */
  readonly exhausted = { document: null as PageActivity['document'], reasons: new Set<string>() };
  /**
   * Bytes that had arrived through the proxy at the last check, and when their number had last changed, as `performance.now()`.
   */
  readonly arrivals = { bytesIn: -1, at: performance.now(), checkedAt: 0 };
  /** Whether to capture a document that is cut off in the middle. */
  acceptsTruncated = false;
  /** How many dialogs the page has opened. */
  dialogs = 0;
  /** When the page opened the last dialog, as `performance.now()`: a page that opens dialogs does not hang. */
  dialogAt = 0;
  readonly #parts: PageParts;
  readonly #extraSessions: CDPSession[] = [];
  #hasHostState = false;
  readonly #onBrowserEnded: Listener = { call: null };
  readonly #lost: Promise<never>;
  #lose: (reason: Error) => void = () => undefined;
  #usable = true;
  #isCutOff = false;
  #hasPermissions = false;
  #closed: Promise<void> | undefined;

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.cell = parts.cell;
    this.chromium = parts.cell.chromium;
    this.page = parts.page;
    this.session = parts.session;
    this.proxy = parts.proxy;
    this.errorScripts = parts.errorScripts;
    this.workEvent = parts.workEvent;
    const onLimit: Record<PageLimit, () => void> = {
      documents: () => this.#lose(new EndlessRedirects('the page navigates without end')),
      requests: () => this.#stopNetwork(),
      truncated: () => {
        // A document that the worker itself cut off is drawn as far as it arrived, unless its length says that more was to come.
        const isDrawn = this.#isCutOff && this.activity.mainResponse?.headers()['content-length'] === undefined;
        if (!this.acceptsTruncated && !isDrawn) this.#lose(new TruncatedDocument('the document was cut off'));
      },
    };
    this.activity = new PageActivity(parts.page, parts.session, (limit) => onLimit[limit]());
    this.#lost = new Promise((_, reject) => {
      this.#lose = reject;
      parts.page.once('error', (error) => {
        const crashed = () => new BrowserProblem('crashed', "the page's renderer crashed", { cause: error });
        reject(error instanceof CaptureFailure ? error : crashed());
      });
      parts.page.once('close', () => reject(new PageClosed('the page was closed')));
      this.#onBrowserEnded.call = () => reject(new BrowserProblem('ended', 'the browser ended'));
      void parts.proxy.lost.then(() => reject(new BrowserProblem('ended', 'the proxy of the page has ended')));
    });
    callOnEnd(this.chromium, this.#onBrowserEnded);
    this.#lost.catch(() => {
      this.#usable = false;
    });
    // The listener checks every request: Chromium stores credentials with the first response, a 401 that it does not report.
    parts.page.on('request', (request) => {
      if (hasCredentials(request.url())) this.#hasHostState = true;
    });
    parts.page.on('response', (response) => {
      if (requestsHints(response)) this.#hasHostState = true;
    });
    // A dialog blocks the page until it is handled. Accepting `beforeunload` lets the page close.
    parts.page.on('dialog', (dialog) => {
      this.dialogs += 1;
      this.dialogAt = performance.now();
      const handle = () => {
        const handling = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
        handling.catch(() => undefined);
      };
      if (this.dialogs <= dialogLimits.atOnce) handle();
      else setTimeout(handle, dialogLimits.thenWaitMs).unref();
    });
  }

  /** Calls `listener` if the page floods the browser with messages, whether a capture waits for it or not. */
  onFlood(listener: () => void): void {
    this.#parts.onFlood.call = listener;
  }

  /** Whether the renderer, browser and proxy of the page still exist. */
  get usable(): boolean {
    return this.#usable && this.chromium.alive;
  }

  /**
   * Waits for a step of a capture.
   *
   * @param limitMs time limit of the step, milliseconds; the capture's deadline may be earlier.
   * @throws {CaptureFailure} `CAPTURE_TIMEOUT` when the deadline passes.
   * @throws {BrowserProblem} when the browser or renderer ends, or the step hangs.
   * @throws {EndlessRedirects}
   * @throws {TruncatedDocument} as soon as the connection of the document ends in the middle.
   */
  async step<T>(name: string, limitMs: number, deadline: Deadline, work: Promise<T>): Promise<T> {
    const remainingMs = deadline.remainingMs();
    // If the work loses the race, its rejection is ignored.
    work.catch(() => undefined);
    try {
      return await withTimeLimit(name, Math.min(limitMs, remainingMs), Promise.race([work, this.#lost]));
    } catch (error) {
      if (error instanceof TimeLimitError) {
        if (remainingMs <= limitMs) throw timedOut(name, deadline, error);
        throw new BrowserProblem('hung', error.message, { cause: error });
      }
      if (!isClosed(error) && this.chromium.alive) throw error;
      // A browser that ends closes its pages first. A page that a script closes ends no other page.
      await pause(endKnownWithinMs);
      const isAlive = this.chromium.alive;
      const what = isAlive ? 'the page, or a part of it, was closed' : 'the browser ended';
      throw new BrowserProblem(isAlive ? 'crashed' : 'ended', `${what} during ${name}`, { cause: error });
    }
  }

  /** Whether the browser may have stored facts about a host that cannot be cleared. */
  get hasHostState(): boolean {
    return this.#hasHostState || this.chromium.meter.hasCredentials(this.#parts.context.id ?? '');
  }

  /** Grants these permissions to the page and its frames, and denies all others. */
  async allow(permissions: Protocol.Browser.PermissionType[]): Promise<void> {
    this.#hasPermissions = permissions.length > 0;
    await this.chromium.session.send('Browser.grantPermissions', { permissions, ...this.#inContext });
  }

  /** Opens another session, for calls that would interfere with the capture's session. */
  async openSession(): Promise<CDPSession> {
    const session = await this.page.createCDPSession();
    this.#extraSessions.push(session);
    return session;
  }

  /** Whether the page's context runs a worker that may outlive the document. */
  get hasWorkers(): boolean {
    const targets = this.#parts.context.targets();
    return targets.some((target) => ['service_worker', 'shared_worker'].includes(target.type()));
  }

  /** Clears the state of the whole context: cookies and granted permissions. */
  async clearContext(): Promise<void> {
    const cookies = this.chromium.session.send('Storage.clearCookies', this.#inContext);
    await Promise.all([cookies, this.#hasPermissions && this.allow([])]);
  }

  /** Ends the capture's sessions, and with them emulation, interception and scripts in new documents. */
  async detach(): Promise<void> {
    await Promise.all([this.session, ...this.#extraSessions].map((session) => session.detach()));
  }

  /**
   * Returns the same page for the next capture, with this session. This object must not be used afterwards.
   *
   * @param empty the empty document of this session, if the page shows it.
   */
  next(watched: Pick<PageParts, 'session' | 'errorScripts'>, empty?: EmptyDocument): CapturePage {
    for (const event of pageEvents) this.page.removeAllListeners(event);
    this.session.removeAllListeners();
    this.#onBrowserEnded.call = null;
    return new CapturePage({ ...this.#parts, ...watched, empty });
  }

  /** Makes the empty document of a cleared page the capture's document. Returns false if the page shows none. */
  startWithEmpty(): boolean {
    const { empty } = this.#parts;
    if (!empty || this.activity.document) return false;
    Object.assign(this.activity, empty);
    return true;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** Closes the context. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Ends the step in progress and every later one with this reason, and closes the context. */
  abandon(reason: Error): void {
    this.#lose(reason);
    void this.close();
  }

  /** Ends the page's network: it continues as if the connections were lost. */
  cutOff(): Promise<void> {
    this.#isCutOff = true;
    return this.proxy.close();
  }

  /** Cuts off the network and stops its events, because a page with endless requests keeps the worker busy. */
  #stopNetwork(): void {
    void this.cutOff();
    puppeteerSession(this.page)
      ?.send('Network.disable')
      .catch(() => undefined);
  }

  get #inContext(): { browserContextId?: string } {
    const { id } = this.#parts.context;
    return id === undefined ? {} : { browserContextId: id };
  }

  async #close(): Promise<void> {
    const { context, forget } = this.#parts;
    try {
      // Closing the proxy ends the page's loads before its context is closed.
      await this.proxy.close();
      const closing = this.chromium.alive ? context.close() : Promise.resolve();
      closing.then(forget, forget);
      await withTimeLimit('closing a context', closeWithinMs, closing);
    } catch {
      // The supervisor's health check finds a browser that does not respond.
    } finally {
      this.#onBrowserEnded.call = null;
      this.#parts.release();
    }
  }
}

interface Listener {
  /** The function to call; null once the page no longer listens. */
  call: (() => void) | null;
}

/** Calls a listener when the browser ends. The browser's promise holds only this small object, and not the page. */
function callOnEnd(chromium: ChromiumProcess, listener: Listener): void {
  void chromium.gone.then(() => listener.call?.());
}

/**
 * Returns Puppeteer's session with a page, through which Puppeteer subscribes to events. The session is not in Puppeteer's types.
 */
export function puppeteerSession(page: Page): CDPSession | undefined {
  return (page as Page & { _client?: () => CDPSession })._client?.();
}

/** Whether a host requests client hints, which Chromium remembers. */
function requestsHints(response: HTTPResponse): boolean {
  return response.request().isNavigationRequest() && response.headers()['accept-ch'] !== undefined;
}

/** Whether a URL has credentials, which Chromium remembers: of a navigation, a redirect, or an `XMLHttpRequest`. */
function hasCredentials(url: string): boolean {
  return /^\w+:\/\/[^/?#]*@/.test(url);
}

/** The worker or a script has closed the page. */
class PageClosed extends Error {}

/** Whether the page or browser is closed; Puppeteer does not export its error classes for that. */
function isClosed(error: unknown): boolean {
  return (
    error instanceof PageClosed ||
    (error instanceof ProtocolError && ['TargetCloseError', 'ConnectionClosedError'].includes(error.name))
  );
}

export function timedOut(step: string, { totalMs }: Deadline, cause?: unknown): CaptureFailure {
  const limit = `timeout_ms, ${totalMs / 1_000} s`;
  return new CaptureFailure('CAPTURE_TIMEOUT', `The capture did not finish within ${limit}.`, {
    cause: cause ?? new Error(`the deadline passed during ${step}`),
  });
}
