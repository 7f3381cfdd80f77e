import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@capture/runtime/log';
import { withTimeLimit } from '../deadline.ts';
import type { MemoryLimits } from '../limits.ts';
import type { ChromiumProcess } from './chromium-process.ts';
import { watchMemory } from './watch-memory.ts';

/**
 * Captures that one Chromium makes before a new one takes its place: what its memory gained is given back. A start costs
 * about 0.4 s of processor time, a 200th of what the captures cost.
 */
const defaultCapturesAtMost = 200;

/**
 * How often a browser is asked whether it still answers, and how long it may take, milliseconds. It answers nobody while it
 * packs a picture: 2 s for 100 million pixels of an ordinary page, 7 s where they are noise.
 */
const defaultHealthIntervalMs = 5_000;
const defaultHealthWithinMs = 15_000;

/** An old browser ends with its last capture, at the latest after the longest capture that there is (120 s). */
const retireWithinMs = 130_000;

/** Between tries to start a browser that does not start. */
const startAgainAfterMs = (failures: number) => Math.min(250 * 2 ** failures, 10_000);

/** Why a Chromium is started: as the first, for one that is renewed, for one that has ended, for one page alone. */
export type LaunchReason = 'start' | 'renewal' | 'restart' | 'apart';

/** Why one ended: `retired` had its successor, or was for one page; `closed` with the worker. The others it did not mean to. */
export type EndReason = 'retired' | 'closed' | 'crashed' | 'unresponsive' | 'too_large';

/** Told of what happens to browsers. */
export interface BrowserEvents {
  launched(reason: LaunchReason): void;
  launchFailed(): void;
  ended(reason: EndReason): void;
}

export interface BrowserOptions {
  launch: () => Promise<ChromiumProcess>;
  events?: BrowserEvents;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  capturesAtMost?: number;
  healthIntervalMs?: number;
  healthWithinMs?: number;
  /** What its processes may take, in place of what this machine allows. */
  memory?: MemoryLimits;
}

/** What there is to tell of the browser as it is now. */
export interface BrowserStatus {
  /** `failing`: it does not start, and is tried again. */
  state: 'starting' | 'running' | 'failing';
  /** Of the Chromium for new pages; null while there is none. */
  version: string | null;
  startedAt: Date | null;
  /** Captures that it has made. */
  captures: number;
  /** What all its processes take, bytes; null where that cannot be told. */
  memoryBytes: number | null;
  /** How often one ended by itself and another was started. */
  restarts: number;
  /** Why it does not start; null unless it is `failing`. */
  lastError: string | null;
}

/** What is known of a Chromium that has not ended. */
interface ChromiumFacts {
  startedAt: Date;
  captures: number;
  users: number;
  /** Another one has taken its place, or it never was for all. */
  retired: boolean;
  memoryBytes: number | null;
  /** Why it was made to end, where it was. */
  killed?: 'unresponsive' | 'too_large';
}

/**
 * The one supervisor of Chromium. It starts it, starts another when it dies or hangs, and renews it after so many
 * captures: the new one is started first, the old one finishes what it is doing and ends.
 */
export class Browser {
  readonly #options: BrowserOptions;
  readonly #closing = new AbortController();
  /** Every Chromium that has not ended, with what is known of it. */
  readonly #running = new Map<ChromiumProcess, ChromiumFacts>();
  readonly #launching = new Set<Promise<ChromiumProcess>>();
  #current: Promise<ChromiumProcess>;
  #renewal: Promise<ChromiumProcess> | null = null;
  #onReplaced: () => void = () => undefined;
  #starts = 0;
  #restarts = 0;
  #startFailure: string | null = null;

  /**
   * @throws {Error} when the first Chromium does not start: then the fault is the machine's or the settings', and no
   * further try would mend it.
   */
  static async start(options: BrowserOptions): Promise<Browser> {
    const browser = new Browser(options);
    await browser.#current;
    return browser;
  }

  private constructor(options: BrowserOptions) {
    this.#options = options;
    this.#current = this.#launch('start');
  }

  /** The Chromium for new pages; while there is none, waits for one. */
  async current(): Promise<ChromiumProcess> {
    for (;;) {
      const chromium = await this.#current;
      if (chromium.alive) return chromium;
      this.#closing.signal.throwIfAborted();
      // Its successor is started when the last of it is gone.
      await chromium.ended;
    }
  }

  /** Whether new pages are made with it: it is alive, and no other one has taken its place. */
  isCurrent(chromium: ChromiumProcess): boolean {
    return chromium.alive && this.#running.get(chromium)?.retired === false;
  }

  /** Starts a Chromium for one page, beside the current one; it ends when that page is closed. */
  async startIsolated(): Promise<ChromiumProcess> {
    this.#closing.signal.throwIfAborted();
    const chromium = await this.#launch('apart');
    const facts = this.#running.get(chromium);
    if (facts) facts.retired = true;
    return chromium;
  }

  /** What there is to tell of it. */
  status(): BrowserStatus {
    const current = [...this.#running].find(([chromium]) => this.isCurrent(chromium));
    const [chromium, facts] = current ?? [];
    return {
      state: chromium ? 'running' : this.#startFailure === null ? 'starting' : 'failing',
      version: chromium?.version ?? null,
      startedAt: facts?.startedAt ?? null,
      captures: facts?.captures ?? 0,
      memoryBytes: facts?.memoryBytes ?? null,
      restarts: this.#restarts,
      lastError: chromium ? null : this.#startFailure,
    };
  }

  /** How many were started so far. */
  get starts(): number {
    return this.#starts;
  }

  /** Calls `listener` each time another Chromium has become the current one. */
  onReplaced(listener: () => void): void {
    this.#onReplaced = listener;
  }

  /** Keeps a Chromium that is renewed from ending until the returned function is called. */
  use(chromium: ChromiumProcess): () => void {
    const facts = this.#running.get(chromium);
    if (!facts) return () => undefined;
    facts.users += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      facts.users -= 1;
      this.#endIfIdle(chromium);
    };
  }

  /** Notes that a capture was made with it, and renews it when that was its last. */
  captured(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    if (!facts || facts.retired) return;
    facts.captures += 1;
    if (facts.captures >= (this.#options.capturesAtMost ?? defaultCapturesAtMost)) void this.#renew(chromium);
  }

  /**
   * Looks whether a Chromium that let somebody down still answers; one that does not is ended, and the next one is
   * started at once.
   */
  async suspect(chromium: ChromiumProcess): Promise<void> {
    if (!chromium.alive) return;
    try {
      const limitMs = this.#options.healthWithinMs ?? defaultHealthWithinMs;
      await withTimeLimit('a health call', limitMs, chromium.checkHealth());
    } catch (error) {
      if (!chromium.alive) return;
      this.#options.log.error({ err: error, pid: chromium.pid }, 'the browser does not answer; it is ended');
      this.#kill(chromium, 'unresponsive');
    }
  }

  /** Ends every Chromium. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#launching);
    await Promise.all([...this.#running.keys()].map((chromium) => chromium.close()));
  }

  #kill(chromium: ChromiumProcess, why: 'unresponsive' | 'too_large'): void {
    const facts = this.#running.get(chromium);
    if (facts) facts.killed = why;
    chromium.kill();
  }

  #launch(reason: LaunchReason): Promise<ChromiumProcess> {
    const launching = this.#launchOne(reason);
    this.#launching.add(launching);
    const settled = () => this.#launching.delete(launching);
    launching.then(settled, settled);
    launching.catch(() => this.#options.events?.launchFailed());
    return launching;
  }

  async #launchOne(reason: LaunchReason): Promise<ChromiumProcess> {
    const chromium = await this.#options.launch();
    this.#options.events?.launched(reason);
    this.#starts += 1;
    this.#startFailure = null;
    const facts: ChromiumFacts = {
      startedAt: new Date(),
      captures: 0,
      users: 0,
      retired: false,
      memoryBytes: null,
    };
    this.#running.set(chromium, facts);
    this.#options.log.info({ pid: chromium.pid, version: chromium.version }, 'the browser is started');
    this.#watchHealth(chromium);
    const watched = { pid: chromium.pid, ended: chromium.ended, kill: () => this.#kill(chromium, 'too_large') };
    watchMemory(watched, this.#options.log, this.#options.memory, (bytes) => {
      facts.memoryBytes = bytes;
    });
    void chromium.ended.then(() => this.#ended(chromium));
    return chromium;
  }

  #ended(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    this.#running.delete(chromium);
    this.#options.events?.ended(this.#reasonOfEnd(facts));
    if (this.#closing.signal.aborted || facts?.retired) return;
    this.#restarts += 1;
    this.#options.log.warn({ pid: chromium.pid, captures: facts?.captures }, 'the browser has ended; another starts');
    this.#current = this.#renewal?.catch(() => this.#launchAgain()) ?? this.#launchAgain();
    this.#current.then(() => this.#onReplaced()).catch(() => undefined);
  }

  #reasonOfEnd(facts: ChromiumFacts | undefined): EndReason {
    if (facts?.killed) return facts.killed;
    if (this.#closing.signal.aborted) return 'closed';
    return facts?.retired ? 'retired' : 'crashed';
  }

  async #launchAgain(): Promise<ChromiumProcess> {
    for (let failures = 0; ; failures += 1) {
      this.#closing.signal.throwIfAborted();
      try {
        return await this.#launch('restart');
      } catch (error) {
        this.#startFailure = error instanceof Error ? error.message : String(error);
        this.#options.log.error(
          { err: error, failures: failures + 1 },
          'the browser does not start; it is tried again',
        );
        await sleep(startAgainAfterMs(failures), undefined, { signal: this.#closing.signal });
      }
    }
  }

  async #renew(old: ChromiumProcess): Promise<void> {
    if (this.#renewal || this.#closing.signal.aborted) return;
    this.#renewal = this.#launch('renewal');
    try {
      const chromium = await this.#renewal;
      const facts = this.#running.get(old);
      // Had the old one died meanwhile, the new one would be the current one already.
      if (!facts) return;
      facts.retired = true;
      this.#current = Promise.resolve(chromium);
      this.#onReplaced();
      this.#endIfIdle(old);
      const timer = setTimeout(() => old.alive && void old.close(), retireWithinMs).unref();
      // It would hold what the browser's end leaves, and several end in that time.
      void old.ended.then(() => clearTimeout(timer));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the browser could not be renewed; the old one goes on');
    } finally {
      this.#renewal = null;
    }
  }

  #endIfIdle(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    if (facts?.retired && facts.users === 0 && chromium.alive) void chromium.close();
  }

  #watchHealth(chromium: ChromiumProcess): void {
    let asking = false;
    const timer = setInterval(async () => {
      if (asking) return;
      asking = true;
      await this.suspect(chromium);
      asking = false;
    }, this.#options.healthIntervalMs ?? defaultHealthIntervalMs);
    timer.unref();
    void chromium.ended.then(() => clearInterval(timer));
  }
}
