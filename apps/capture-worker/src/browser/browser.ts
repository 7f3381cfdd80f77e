import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@capture/runtime/service/log';
import { withTimeLimit } from '../deadline.ts';
import { type MemoryLimits, memoryLimits } from '../limits.ts';
import { BrowsersApart, type IsolatedPage } from './browsers-apart.ts';
import type { ChromiumProcess, TimeSpan } from './chromium-process.ts';
import { DrawingWatch } from './drawing-watch.ts';
import { FloodWatch } from './flood-watch.ts';
import type { BrowserPriority } from './priorities.ts';
import { watchMemory } from './watch-memory.ts';

/**
 * Captures of one Chromium before a new one replaces it, which frees the memory that it gained. A start costs about 0.4 s of
 * CPU time, a 200th of what the captures cost.
 */
const defaultMaxCaptures = 200;

/**
 * Interval and time limit of health checks, milliseconds. A browser does not respond while it encodes an image: 2 s for 100
 * million pixels of an ordinary page, 7 s for noise.
 */
const defaultHealthIntervalMs = 5_000;
const defaultHealthTimeoutMs = 15_000;

/** A replaced browser ends after its last capture, or after this: longer than the longest capture (120 s). */
const retireWithinMs = 130_000;

/** How long a browser that a page has flooded may take to respond until new pages get another, and then, milliseconds. */
const defaultFloodTimes = { renewMs: 500, killMs: 1_500 };

/** Delay before the next try to start a browser. */
const retryAfterMs = (failures: number) => Math.min(250 * 2 ** failures, 10_000);

/**
 * Why a Chromium is started: as the first, to renew one, to replace one that ended, for a single page, or for accounts whose
 * pages flood.
 */
type LaunchReason = 'start' | 'renewal' | 'restart' | 'isolated' | 'separate';

/** Why one ended: `retired` was replaced or no longer needed, `closed` ended with the worker; the others failed. */
type EndReason = 'retired' | 'closed' | 'crashed' | 'flooded' | 'unresponsive' | 'too_large';

export interface BrowserEvents {
  launched(reason: LaunchReason): void;
  launchFailed(): void;
  ended(reason: EndReason): void;
}

export interface BrowserOptions {
  launch: (priority: BrowserPriority) => Promise<ChromiumProcess>;
  events?: BrowserEvents;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  maxCaptures?: number;
  /** Browsers for a single page that start before others wait; 2 by default. */
  isolatedAtOnce?: number;
  /** How long others wait for one of these, milliseconds. */
  waitedForMs?: number;
  healthIntervalMs?: number;
  healthTimeoutMs?: number;
  floodTimes?: { renewMs: number; killMs: number };
  separateIdleMs?: number;
  /** Overrides the memory limits of this machine. */
  memory?: MemoryLimits;
}

export interface BrowserStatus {
  /** `failing`: it does not start, and is retried. */
  state: 'starting' | 'running' | 'failing';
  /** Of the Chromium for new pages; null if there is none. */
  version: string | null;
  startedAt: Date | null;
  /** Captures that it has made. */
  captures: number;
  /** Memory of all its processes, bytes; null if unknown. */
  memoryBytes: number | null;
  /** How often one ended unexpectedly and was replaced. */
  restarts: number;
  /** Why it does not start; null unless it is `failing`. */
  lastError: string | null;
}

interface ChromiumFacts {
  startedAt: Date;
  captures: number;
  users: number;
  /** Health checks that are running. */
  checks: number;
  /** For a single page, or for accounts whose pages flood. */
  isApart: boolean;
  /** New pages get another one. */
  retired: boolean;
  memoryBytes: number | null;
  drawing: DrawingWatch;
  /** The last GPU process that was replaced. */
  replacedGpuPid?: number;
  /** Why we killed it, if we did. */
  killed?: KillReason;
  /** Called when its page has blocked or ended it, or drawn for long; only of one for a single page. */
  onFault?: (() => void) | undefined;
}

type KillReason = 'flooded' | 'unresponsive' | 'too_large';

/**
 * Supervises Chromium: starts it, replaces it when it dies or hangs, and renews it after a number of captures. To renew it,
 * the new one is started first; the old one finishes its captures and ends.
 */
export class Browser {
  readonly #options: BrowserOptions;
  readonly #memory: MemoryLimits;
  readonly #closing = new AbortController();
  /** Every Chromium that has not ended. */
  readonly #running = new Map<ChromiumProcess, ChromiumFacts>();
  readonly #launching = new Set<Promise<ChromiumProcess>>();
  readonly #apart: BrowsersApart;
  #current: Promise<ChromiumProcess>;
  #renewal: Promise<ChromiumProcess> | null = null;
  #onReplaced: () => void = () => undefined;
  #starts = 0;
  #restarts = 0;
  #startFailure: string | null = null;

  /** @throws {Error} when the first Chromium does not start: the cause is the machine or the settings, so no retry helps. */
  static async start(options: BrowserOptions): Promise<Browser> {
    const browser = new Browser(options);
    await browser.#current;
    return browser;
  }

  private constructor(options: BrowserOptions) {
    this.#options = options;
    this.#memory = options.memory ?? memoryLimits();
    this.#apart = new BrowsersApart({
      launch: (reason, owners) => this.#launch(reason, owners === 'flooding' ? 'low' : 'ordinary'),
      use: (chromium) => this.use(chromium),
      usersOf: (chromium) => this.#running.get(chromium)?.users ?? 0,
      closing: this.#closing.signal,
      isolatedAtOnce: options.isolatedAtOnce,
      waitedForMs: options.waitedForMs,
      separateIdleMs: options.separateIdleMs,
    });
    this.#current = this.#launch('start');
  }

  /** The Chromium for new pages. Waits while there is none. */
  async current(): Promise<ChromiumProcess> {
    for (;;) {
      const chromium = await this.#current;
      if (chromium.alive) return chromium;
      this.#closing.signal.throwIfAborted();
      // Its successor is started when all its processes are gone.
      await chromium.ended;
    }
  }

  /** Whether it is used for new pages: alive, and not replaced. */
  isCurrent(chromium: ChromiumProcess): boolean {
    return chromium.alive && this.#running.get(chromium)?.retired === false;
  }

  /**
   * Starts a Chromium for a single page, beside the current one. It ends when the page is closed. It waits for
   * its turn: a few start at once, and each keeps the next one waiting until it ends, for some seconds at most.
   */
  startIsolated(page: IsolatedPage): Promise<ChromiumProcess> {
    return this.#apart.startIsolated(page);
  }

  /** Calls `listener` if the only page of a Chromium blocks it, fills its memory, floods it, or draws for long. */
  onFault(chromium: ChromiumProcess, listener: () => void): void {
    const facts = this.#running.get(chromium);
    if (facts) facts.onFault = listener;
  }

  /**
   * The Chromium for the pages of accounts whose pages flood, beside the current one. It is started for the first page, and ends
   * when there was none for a while.
   */
  separate(): Promise<ChromiumProcess> {
    return this.#apart.separate();
  }

  /**
   * Call it when a page has flooded a Chromium: what the page has requested by then can keep it busy for half a minute. If it
   * does not respond, new pages get another one; if it still does not, it is killed, and its captures are retried.
   */
  async flooded(chromium: ChromiumProcess): Promise<void> {
    const { renewMs, killMs } = this.#options.floodTimes ?? defaultFloodTimes;
    const response = chromium.respond();
    const respondsWithin = (ms: number) =>
      withTimeLimit('a response after a flood', ms, response).then(
        () => true,
        () => !chromium.alive,
      );
    if (await respondsWithin(renewMs)) return;
    if (this.isCurrent(chromium)) void this.#renew(chromium);
    if (await respondsWithin(killMs)) return;
    this.#options.log.warn({ browser_pid: chromium.pid }, 'the browser does not respond after a flood; killing it');
    this.#kill(chromium, 'flooded');
  }

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

  /** How many have been started. */
  get starts(): number {
    return this.#starts;
  }

  /** Calls `listener` each time another Chromium becomes the current one. */
  onReplaced(listener: () => void): void {
    this.#onReplaced = listener;
  }

  /** Keeps a replaced Chromium alive until the returned function is called. */
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

  /** Counts a capture, and renews the Chromium if that was its last. */
  captured(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    if (!facts) return;
    facts.captures += 1;
    if (facts.captures < (this.#options.maxCaptures ?? defaultMaxCaptures)) return;
    this.#apart.leave(chromium);
    if (!facts.retired) void this.#renew(chromium);
  }

  /**
   * Checks the health of a Chromium. One that does not respond is killed and replaced. One that responds and cannot draw loses
   * its GPU process first.
   */
  async suspect(chromium: ChromiumProcess): Promise<void> {
    const facts = this.#running.get(chromium);
    if (!facts) return;
    const { drawing } = facts;
    facts.checks += 1;
    const limitMs = this.#options.healthTimeoutMs ?? defaultHealthTimeoutMs;
    const draw = () => withTimeLimit('drawing a pixel', limitMs, chromium.draw());
    try {
      await withTimeLimit('a health check', limitMs, chromium.respond());
      const before = drawing.pid;
      const began = drawing.began(performance.now());
      await draw().catch((error) => {
        const gpuPid = drawing.pid;
        if (!gpuPid || !chromium.alive) throw error;
        // Otherwise it has been replaced.
        if (!before || before === gpuPid) this.#replaceGpuProcess(chromium, gpuPid, 'blocked', began);
        return draw();
      });
    } catch (error) {
      if (!chromium.alive) return;
      this.#options.log.error({ err: error, browser_pid: chromium.pid }, 'the browser does not respond; killing it');
      this.#kill(chromium, 'unresponsive');
    } finally {
      facts.checks -= 1;
      this.#endIfIdle(chromium);
    }
  }

  /** Ends every Chromium. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#launching);
    await Promise.all([...this.#running.keys()].map((chromium) => chromium.close()));
  }

  #kill(chromium: ChromiumProcess, reason: KillReason): void {
    const facts = this.#running.get(chromium);
    if (facts) facts.killed = reason;
    this.#blame(chromium);
    chromium.kill();
  }

  #blame(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    if (!facts?.onFault) return;
    facts.onFault();
    facts.onFault = undefined;
    this.#apart.blame(chromium);
  }

  #launch(reason: LaunchReason, priority: BrowserPriority = 'ordinary'): Promise<ChromiumProcess> {
    const launching = this.#launchOne(reason, priority);
    this.#launching.add(launching);
    const settled = () => this.#launching.delete(launching);
    launching.then(settled, settled);
    launching.catch(() => this.#options.events?.launchFailed());
    return launching;
  }

  async #launchOne(reason: LaunchReason, priority: BrowserPriority): Promise<ChromiumProcess> {
    const chromium = await this.#options.launch(priority);
    const isApart = reason === 'isolated' || reason === 'separate';
    this.#options.events?.launched(reason);
    this.#starts += 1;
    this.#startFailure = null;
    const facts: ChromiumFacts = {
      startedAt: new Date(),
      captures: 0,
      users: 0,
      checks: 0,
      isApart,
      retired: isApart,
      memoryBytes: null,
      drawing: new DrawingWatch({
        drawInNewPage: (opened) => chromium.drawInNewPage(opened),
        // The pages are tried again, each alone, where the one that draws for so long delays no other, and shows itself.
        slow: (pid, began) => (isApart ? this.#blame(chromium) : this.#replaceGpuProcess(chromium, pid, 'slow', began)),
        blocked: (pid, began) => this.#replaceGpuProcess(chromium, pid, 'blocked', began),
        drawsLarge: () => chromium.drawsLarge,
      }),
    };
    this.#running.set(chromium, facts);
    const floods = new FloodWatch({
      flooding: (pid) => {
        this.#options.log.warn({ renderer_pid: pid }, 'a page floods the browser with messages; killing its renderer');
        chromium.killFlooding(pid);
      },
    });
    this.#options.log.info({ browser_pid: chromium.pid, version: chromium.version }, 'the browser has started');
    this.#watchHealth(chromium);
    const watched = { pid: chromium.pid, ended: chromium.ended, kill: () => this.#kill(chromium, 'too_large') };
    watchMemory(
      watched,
      this.#options.log,
      () => this.#memoryLimitsOf(facts),
      (parts, ownBytes) => {
        facts.memoryBytes = ownBytes;
        facts.drawing.note(parts, performance.now());
        // In one that is apart, a flood delays no one else.
        if (!isApart) floods.note(parts, performance.now());
      },
    );
    void chromium.ended.then(() => this.#ended(chromium));
    return chromium;
  }

  /**
   * All browsers share the memory of the machine. Those that get no new pages of all accounts have what the others leave, and a
   * quarter together.
   */
  #memoryLimitsOf(facts: ChromiumFacts): MemoryLimits {
    const limits = this.#memory;
    if (!facts.retired) return limits;
    const others = [...this.#running.values()].reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
    const left = limits.total - others + (facts.memoryBytes ?? 0);
    const sharing = [...this.#running.values()].filter(({ retired }) => retired).length;
    return { ...limits, total: Math.max(left, limits.total / 4 / sharing) };
  }

  #replaceGpuProcess(chromium: ChromiumProcess, gpuPid: number, reason: 'slow' | 'blocked', began: TimeSpan): void {
    const facts = this.#running.get(chromium);
    // Another check may have found the same.
    if (!facts || facts.replacedGpuPid === gpuPid) return;
    facts.replacedGpuPid = gpuPid;
    this.#options.log.warn({ gpu_pid: gpuPid, reason }, 'a new page waits for the GPU process; replacing it');
    this.#blame(chromium);
    chromium.replaceGpuProcess(gpuPid, began);
  }

  #ended(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    this.#running.delete(chromium);
    this.#options.events?.ended(this.#endReason(facts));
    if (this.#closing.signal.aborted || facts?.retired) return;
    this.#restarts += 1;
    this.#options.log.warn(
      { browser_pid: chromium.pid, captures: facts?.captures },
      'the browser has ended; starting another',
    );
    this.#current = this.#renewal?.catch(() => this.#launchAgain()) ?? this.#launchAgain();
    this.#current.then(() => this.#onReplaced()).catch(() => undefined);
  }

  #endReason(facts: ChromiumFacts | undefined): EndReason {
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
        this.#options.log.error({ err: error, failures: failures + 1 }, 'the browser does not start; will retry');
        await sleep(retryAfterMs(failures), undefined, { signal: this.#closing.signal });
      }
    }
  }

  async #renew(old: ChromiumProcess): Promise<void> {
    if (this.#renewal || this.#closing.signal.aborted) return;
    this.#renewal = this.#launch('renewal');
    try {
      const chromium = await this.#renewal;
      const facts = this.#running.get(old);
      // If the old one has died, the new one is the current one already.
      if (!facts) return;
      facts.retired = true;
      this.#current = Promise.resolve(chromium);
      this.#onReplaced();
      this.#endIfIdle(old);
      const timer = setTimeout(() => old.alive && void old.close(), retireWithinMs).unref();
      // The timer would keep an ended browser in memory.
      void old.ended.then(() => clearTimeout(timer));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the browser could not be renewed; keeping the old one');
    } finally {
      this.#renewal = null;
    }
  }

  #endIfIdle(chromium: ChromiumProcess): void {
    const facts = this.#running.get(chromium);
    if (facts?.retired && facts.users === 0 && facts.checks === 0 && chromium.alive) void chromium.close();
  }

  #watchHealth(chromium: ChromiumProcess): void {
    let checking = false;
    const timer = setInterval(async () => {
      if (checking) return;
      checking = true;
      await this.suspect(chromium);
      checking = false;
    }, this.#options.healthIntervalMs ?? defaultHealthIntervalMs);
    timer.unref();
    void chromium.ended.then(() => clearInterval(timer));
  }
}
