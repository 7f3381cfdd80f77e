import { floodWeight, maxNetworkEventBytes, messageLimits } from '../limits.ts';

/** A message from the browser that has not been decoded. */
export interface RawMessage {
  /** Its length, bytes. */
  length: number;
  /** Its first bytes, which contain its id or method. */
  head: string;
  /** Its last bytes, which contain its session. */
  tail: string;
  /** Its first `bytes`, or all of it. */
  start(bytes?: number): string;
}

/** Frames and workers that start or end. */
const comeAndGo: ReadonlySet<string> = new Set([
  'Page.frameAttached',
  'Page.frameDetached',
  'Target.targetCreated',
  'Target.targetDestroyed',
]);

/**
 * A document of a frame takes the browser as much as a frame that starts and ends. One that is abandoned starts, and never
 * loads; an address of another program is only requested. A page requests faster than the browser starts.
 */
const requested = 'Page.frameRequestedNavigation';
const started = 'Page.frameStartedNavigating';
const loaded = 'Page.frameNavigated';
const loadWeight = 2;

/** The browser starts each download before it refuses it. No capture needs one. */
const downloaded = 'Page.downloadWillBegin';
const downloadWeight = 50;

/** Of these the main process serves some itself: beacons, pings of links, reports, and blobs that are fetched. */
const requests = 'Network.requestWillBeSent';
const servedWeight = 2;

/** A change of the fragment, which no script can limit: the browser copies the whole address several times. */
const navigated = 'Page.navigatedWithinDocument';

/** A renderer has crashed or was killed. */
const crashed = 'Inspector.targetCrashed';

/** How long after its end a renderer that was killed may be reported as crashed, milliseconds: the browser is busy then. */
const reportedWithinMs = 5_000;

/** What there is too much of: of what the browser reports, or of messages that it does not report. */
type Excess = 'bytes' | 'events' | 'changes' | 'messages';

/** What the browser has reported of one page. */
interface Reported {
  bytes: number;
  events: number;
  changes: number;
  /** Navigations of its frames. */
  requested: number;
  started: number;
  loaded: number;
  /** Whether it has opened a WebSocket with a name or password in its address. */
  hasCredentials: boolean;
  /** Null once it has exceeded a limit. */
  limits: PageLimits | null;
  /** Whether it has come near a limit. */
  isHigh: boolean;
}

interface PageLimits {
  /** The page has exceeded a limit. Called once, with what there was too much of. */
  exceeded(what: Excess): void;
  /** The page has reached half of the limit on changes, which few real pages do. Called once for each capture. */
  high(): void;
}

const nothing = { bytes: 0, events: 0, changes: 0, requested: 0, started: 0, loaded: 0, isHigh: false };

/**
 * Counts the messages about each page, with its frames and workers, before they are decoded. All pages share one pipe, and
 * one thread at each end of it, so a page that makes the browser report without end delays every other. At a limit it is
 * reported as exceeded, and its further events are dropped unread.
 */
export class MessageMeter {
  /** By browser context: each page has its own. */
  readonly #pages = new Map<string, Reported>();
  /** The browser context of each session. */
  readonly #sessions = new Map<string, string>();
  /** When renderers were killed for their messages whose end no page has reported yet, as `performance.now()`. */
  #killedAt: number[] = [];

  watch(contextId: string, limits: PageLimits): void {
    this.#pages.set(contextId, { ...nothing, hasCredentials: false, limits });
  }

  /** Starts again from zero, for the page's next capture. */
  reset(contextId: string): void {
    const page = this.#pages.get(contextId);
    if (page) Object.assign(page, nothing);
  }

  /**
   * Whether the page has opened a WebSocket with a name or password in its address, which Chromium remembers. In a frame or worker
   * it is reported on a session of its own, which Puppeteer does not pass on.
   */
  hasCredentials(contextId: string): boolean {
    return this.#pages.get(contextId)?.hasCredentials ?? false;
  }

  /** Call it when the page is closed. */
  forget(contextId: string): void {
    // What was reported of a page that floods may still be on its way. The browser is renewed before such entries add up.
    if (this.#pages.get(contextId)?.limits === null) return;
    this.#pages.delete(contextId);
    for (const [session, context] of this.#sessions) if (context === contextId) this.#sessions.delete(session);
  }

  /** Call it when a renderer is killed for its messages: the page that crashes next is the one that sent them. */
  noteKill(): void {
    this.#killedAt = [...this.#recentKills(), performance.now()];
  }

  /** Counts a message. Returns whether to deliver it. */
  admit(message: RawMessage): boolean {
    const method = /^\{"method":"([\w.]+)"/.exec(message.head)?.[1];
    // Responses were asked for, and what they may contain has limits of its own.
    if (method === undefined) return true;
    const page = this.#pages.get(this.#contextOf(method, message) ?? '');
    if (!page) return true;
    const isLong = method.startsWith('Network.') && message.length > maxNetworkEventBytes;
    // Those of workers: a page's own have been turned off. Nothing listens, and Puppeteer would take a text of megabytes apart.
    const isConsole = method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown';
    const isHeavy = method === navigated || (isLong && !isDataUrl(message));
    page.bytes += isHeavy ? message.length * floodWeight : message.length;
    page.events += isConsole ? floodWeight : 1;
    if (method === 'Network.webSocketCreated' && mayHaveCredentials(message)) page.hasCredentials = true;
    if (comeAndGo.has(method)) page.changes += 1;
    if (method === requested) page.requested += 1;
    if (method === started && !isWithinDocument(message)) page.started += 1;
    if (method === loaded) page.loaded += 1;
    if (method === requests && isServedByMain(message)) page.changes += servedWeight;
    if (method === downloaded) page.changes += downloadWeight;
    // Each renderer of a page is reported, and the first one shows which page it is.
    if (method === crashed && this.#takeKill() && page.limits) this.#exceeded(page, 'messages');
    this.#check(page);
    // Puppeteer needs to know what is gone.
    if (method === 'Target.detachedFromTarget' || method === 'Target.targetDestroyed') return true;
    return page.limits !== null && !isLong && !isConsole;
  }

  /** Whether a renderer was killed whose end no page has reported yet. From now on this one has. */
  #takeKill(): boolean {
    this.#killedAt = this.#recentKills();
    return this.#killedAt.shift() !== undefined;
  }

  #recentKills(): number[] {
    return this.#killedAt.filter((at) => performance.now() - at < reportedWithinMs);
  }

  #check(page: Reported): void {
    const { limits } = page;
    if (limits === null) return;
    if (!page.isHigh && amountOf(page, 'changes') > messageLimits.changes / 2) {
      page.isHigh = true;
      limits.high();
    }
    const exceeded = (['bytes', 'events', 'changes'] as const).find(
      (what) => amountOf(page, what) > messageLimits[what],
    );
    if (exceeded !== undefined) this.#exceeded(page, exceeded);
  }

  #exceeded(page: Reported, what: Excess): void {
    const { limits } = page;
    page.limits = null;
    limits?.exceeded(what);
  }

  #contextOf(method: string, { head, tail, start }: RawMessage): string | undefined {
    const session = /"sessionId":"(\w+)"\}$/.exec(tail)?.[1];
    const context = session === undefined ? undefined : this.#sessions.get(session);
    if (!method.startsWith('Target.')) return context;
    const subject = /"params":\{"sessionId":"(\w+)"/.exec(head)?.[1];
    // A page cannot write this key: the quotes in its titles and URLs are escaped.
    const own = /"browserContextId":"(\w+)"/.exec(start())?.[1] ?? context;
    if (method === 'Target.attachedToTarget' && subject !== undefined && own !== undefined && this.#pages.has(own)) {
      this.#sessions.set(subject, own);
    }
    if (method !== 'Target.detachedFromTarget' || subject === undefined) return own;
    const detached = this.#sessions.get(subject);
    this.#sessions.delete(subject);
    return detached ?? own;
  }
}

/** Whether the URL of an event's request is a `data:` URL. Only ids and the URL of the document come before it. */
function isDataUrl(message: RawMessage): boolean {
  return message.start(longestStart).includes('"url":"data:');
}

function amountOf(page: Reported, what: 'bytes' | 'events' | 'changes'): number {
  const { changes, requested, started, loaded } = page;
  return what === 'changes' ? changes + loadWeight * Math.max(requested, started, loaded) : page[what];
}

/** Whether a navigation stays in its document. The type comes last. */
function isWithinDocument({ tail }: RawMessage): boolean {
  return /"navigationType":"(sameDocument|historySameDocument)"/.test(tail);
}

/** Whether a request goes to the main process alone. The type comes last, and quotes in what precedes it are escaped. */
function isServedByMain({ tail, start }: RawMessage): boolean {
  if (/"type":"(Ping|CSPViolationReport)"/.test(tail)) return true;
  return /"type":"(Fetch|XHR)"/.test(tail) && start(longestStart).includes('"url":"blob:');
}

/** Before its address there are only ids. */
function mayHaveCredentials(message: RawMessage): boolean {
  return message.length > longestStart || /"url":"wss?:\/\/[^/?#"]*@/.test(message.start());
}

/** Bytes. */
const longestStart = 8_192;
