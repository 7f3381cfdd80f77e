import { floodWeight, maxNetworkEventBytes, messageLimits } from '../limits.ts';

/** A message from the browser that has not been decoded. */
export interface RawMessage {
  /** The length of the message, bytes. */
  length: number;
  /** The first bytes, which contain the id or method. */
  head: string;
  /** The last bytes, which contain the session. */
  tail: string;
  /** The first `bytes` of the message, or all of it. */
  start(bytes?: number): string;
}

/** A change of the fragment, which no script can limit: the browser copies the whole URL several times. */
const navigated = 'Page.navigatedWithinDocument';

/** The messages that the browser has sent about one page. */
interface Reported {
  bytes: number;
  events: number;
  /** Whether the page has opened a WebSocket with a name or password in its URL. */
  hasCredentials: boolean;
  /** Called once, when the page exceeds a limit; null from then on. */
  exceeded: (() => void) | null;
}

/**
 * Counts the messages about each page, with its frames and workers, before they are decoded. All pages share one pipe and one
 * thread at each end, so a page that makes the browser report without end delays every other page. At a limit the page is
 * reported as exceeded, and its further events are dropped unread.
 */
export class MessageMeter {
  /** By browser context: each page has a separate context. */
  readonly #pages = new Map<string, Reported>();
  /** The browser context of each session. */
  readonly #sessions = new Map<string, string>();

  /** @param exceeded called once, when the page exceeds a limit. */
  watch(contextId: string, exceeded: () => void): void {
    this.#pages.set(contextId, { bytes: 0, events: 0, hasCredentials: false, exceeded });
  }

  /** Starts again from zero, for the page's next capture. */
  reset(contextId: string): void {
    const page = this.#pages.get(contextId);
    if (page) page.bytes = page.events = 0;
  }

  /**
   * Whether the page has opened a WebSocket with a name or password in its URL, which Chromium remembers. A frame or worker
   * reports the socket on its own session, which Puppeteer does not pass on.
   */
  hasCredentials(contextId: string): boolean {
    return this.#pages.get(contextId)?.hasCredentials ?? false;
  }

  /** Call it when the page is closed. */
  forget(contextId: string): void {
    // Messages about a flooding page may still arrive, so its entry stays. The browser is renewed before such entries add up.
    if (this.#pages.get(contextId)?.exceeded === null) return;
    this.#pages.delete(contextId);
    for (const [session, context] of this.#sessions) if (context === contextId) this.#sessions.delete(session);
  }

  /** Counts a message. Returns whether to deliver it. */
  admit(message: RawMessage): boolean {
    const method = /^\{"method":"([\w.]+)"/.exec(message.head)?.[1];
    // The worker asked for each response, and other limits apply to responses.
    if (method === undefined) return true;
    const page = this.#pages.get(this.#contextOf(method, message) ?? '');
    if (!page) return true;
    const isLong = method.startsWith('Network.') && message.length > maxNetworkEventBytes;
    // Only workers send these events: a page's own are turned off. No code listens, and Puppeteer would parse megabytes.
    const isConsole = method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown';
    const isHeavy = method === navigated || (isLong && !isDataUrl(message));
    page.bytes += isHeavy ? message.length * floodWeight : message.length;
    page.events += isConsole ? floodWeight : 1;
    if (method === 'Network.webSocketCreated' && mayHaveCredentials(message)) page.hasCredentials = true;
    const { exceeded } = page;
    if (exceeded && (page.bytes > messageLimits.bytes || page.events > messageLimits.events)) {
      page.exceeded = null;
      exceeded();
    }
    // Puppeteer needs to know which targets are gone.
    if (method === 'Target.detachedFromTarget' || method === 'Target.targetDestroyed') return true;
    return page.exceeded !== null && !isLong && !isConsole;
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

/** Whether the request in an event has a `data:` URL. Only ids and the URL of the document come before that URL. */
function isDataUrl(message: RawMessage): boolean {
  return message.start(longestStart).includes('"url":"data:');
}

/** Whether the URL of a WebSocket may contain credentials. Only ids come before that URL. */
function mayHaveCredentials(message: RawMessage): boolean {
  return message.length > longestStart || /"url":"wss?:\/\/[^/?#"]*@/.test(message.start());
}

/** How much of a message is searched for a URL, bytes. */
const longestStart = 8_192;
