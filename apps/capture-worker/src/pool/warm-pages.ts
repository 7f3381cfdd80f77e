import type { PageRequest } from '@capture/contract/options/fill-page';
import type { IsolationLevel } from '@capture/contract/options/isolation';
import type { Cells } from '../cells/cells.ts';
import { type Deadline, withTimeLimit } from '../deadline.ts';
import { isStill } from '../load/still-document.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { clearPage, emptyPage } from './clear-page.ts';
import type { PageSource, PageUse } from './page-source.ts';
import { siteOf, warmKey } from './warm-key.ts';

/**
 * A page is closed if no capture takes it for this long, milliseconds. Warm pages save processor time when captures follow one
 * another; a rare capture gets a page made ahead, which is as fast.
 */
const defaultIdleMs = 3_000;

/** Captures per page. A renderer's memory grows with each document, and is freed when the page is closed. */
const defaultMaxUses = 50;

/**
 * CPU time of its main thread after which a page is closed, milliseconds. After 1 s a renderer gets a lower priority
 * (`lowerRenderer`). Heavy pages take 1 s; a page that shows small documents reaches this limit after some 25 documents.
 */
const maxCpuMs = 750;

/** A page whose main thread is busy for longer does not report its CPU time, milliseconds. */
const measureWithinMs = 1_000;

/** A page that has more workers, or opens more dialogs, is not used again. */
const maxWorkers = 20;
const maxDialogs = 3;

/** Wait results of a healthy page: no request hangs, and it draws frames. */
const healthyWaitEnds: ReadonlySet<string | undefined> = new Set(['quiet', 'load', 'domcontentloaded', 'networkidle']);

export interface WarmPagesOptions {
  cells: Pick<Cells, 'isCurrent'>;
  /** How many idle pages are kept: the concurrency of the worker, or 0 to use every page once. */
  size: number;
  /**
   * A page is kept only for the accounts and sites of the last so many captures: other pages would be closed before a capture
   * takes them, and clearing a page costs a third of making one. By default all pages are kept.
   */
  recentKeys?: number;
  idleMs?: number;
  maxUses?: number;
  /** Called for each page taken by a capture that may use a warm page. */
  onTaken?(page: 'warm' | 'new'): void;
}

/** Sites by scheme and registrable domain; an empty list for a document of the client. */
type Sites = 'any' | readonly string[];

interface IdlePage {
  key: string;
  page: CapturePage;
  /** The source of unused pages, to which the page is returned. */
  pool: PageSource;
  expiry: NodeJS.Timeout;
}

/**
 * Pages that were used and cleared. The next capture of the same account (at the level `site`, of the same site) takes a warm
 * page instead of a new one, which saves starting a renderer. A page whose capture had any problem is closed.
 */
export class WarmPages {
  readonly #options: WarmPagesOptions;
  /** The oldest page first. */
  #idle: IdlePage[] = [];
  readonly #history = new WeakMap<CapturePage, { uses: number; cpuMs: number }>();
  /** The keys of the last captures, the newest first, without repetition. */
  #recentKeys: string[] = [];
  #closed = false;

  constructor(options: WarmPagesOptions) {
    this.#options = options;
  }

  /**
   * The page source of a capture.
   *
   * @param pool the source of unused pages for this capture.
   */
  of(accountId: string, request: PageRequest, level: IsolationLevel, pool: PageSource): PageSource {
    const { size } = this.#options;
    const key = size === 0 ? null : warmKey(accountId, request, level);
    if (key === null) return pool;
    const wasStill = isStill(request);
    const sites = level === 'account' ? 'any' : request.html === undefined ? [siteOf(request.url)] : [];
    const isRecent = this.#note(key);
    return {
      take: (deadline) => this.#take(key, pool, deadline),
      leave: (page, use) => (isRecent ? this.#leave({ key, sites, wasStill, pool }, page, use) : pool.leave(page, use)),
    };
  }

  /** How many pages are kept for a later capture. */
  get idle(): number {
    return this.#idle.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#idle].map((entry) => this.#close(entry)));
  }

  /** Notes a capture's key. Returns whether one of the last captures had the same key. */
  #note(key: string): boolean {
    const { recentKeys = Number.POSITIVE_INFINITY } = this.#options;
    if (recentKeys === Number.POSITIVE_INFINITY) return true;
    const isRecent = this.#recentKeys.includes(key);
    this.#recentKeys = [key, ...this.#recentKeys.filter((other) => other !== key)].slice(0, recentKeys);
    return isRecent;
  }

  async #take(key: string, pool: PageSource, deadline: Deadline): Promise<CapturePage> {
    const { onTaken } = this.#options;
    const warm = await this.#takeIdle(key);
    onTaken?.(warm ? 'warm' : 'new');
    return warm ?? pool.take(deadline);
  }

  async #takeIdle(key: string): Promise<CapturePage | undefined> {
    for (;;) {
      // The newest first, so that pages that are no longer needed expire.
      const entry = this.#idle.findLast((idle) => idle.key === key);
      if (!entry) return undefined;
      this.#remove(entry);
      try {
        if (!this.#isUsable(entry.page)) throw new Error('its browser is gone or replaced');
        await entry.page.proxy.turn?.begin();
        return entry.page;
      } catch {
        void entry.pool.leave(entry.page, null);
      }
    }
  }

  async #leave(
    { key, sites, wasStill, pool }: { key: string; sites: Sites; wasStill: boolean; pool: PageSource },
    page: CapturePage,
    use: PageUse | null,
  ): Promise<void> {
    const { maxUses = defaultMaxUses } = this.#options;
    try {
      const keep = use && this.#isUsable(page) && (await isReusable(page, sites, use));
      if (!keep) return await pool.leave(page, use);
      const before = this.#history.get(page) ?? { uses: 0, cpuMs: 0 };
      const history = { uses: before.uses + 1, cpuMs: before.cpuMs + (await usedCpuMs(page)) };
      if (history.uses >= maxUses || history.cpuMs >= maxCpuMs) return await pool.leave(page, use);
      const { connections } = (await page.proxy.record()).counts;
      const cleared = await (wasStill && connections === 0 ? emptyPage(page) : clearPage(page));
      this.#history.set(cleared, history);
      this.#keep(key, cleared, pool);
    } catch {
      await pool.leave(page, use);
    }
  }

  #keep(key: string, page: CapturePage, pool: PageSource): void {
    const { size, idleMs = defaultIdleMs } = this.#options;
    const entry = { key, page, pool, expiry: setTimeout(() => void this.#close(entry), idleMs) };
    this.#idle.push(entry);
    if (this.#closed) void this.#close(entry);
    const [oldest] = this.#idle;
    if (this.#idle.length > size && oldest) void this.#close(oldest);
  }

  #isUsable(page: CapturePage): boolean {
    return page.usable && this.#options.cells.isCurrent(page.cell);
  }

  #remove(entry: IdlePage): void {
    clearTimeout(entry.expiry);
    this.#idle = this.#idle.filter((other) => other !== entry);
  }

  async #close(entry: IdlePage): Promise<void> {
    this.#remove(entry);
    await entry.pool.leave(entry.page, null);
  }
}

/**
 * Whether clearing the page removes everything that the capture may have left in it.
 *
 * @param sites the sites of which the page may have shown documents.
 */
async function isReusable(page: CapturePage, sites: Sites, { tries, waitEnded }: PageUse): Promise<boolean> {
  const { activity, dialogs, hasHostState, proxy } = page;
  // The renderer of a page with many workers has the lowest priority.
  if (page.page.workers().length > maxWorkers) return false;
  if (!proxy.turn || tries > 1 || !healthyWaitEnds.has(waitEnded) || activity.inFlight > 0) return false;
  const isOther = (url: string) => sites !== 'any' && /^https?:/.test(url) && !sites.includes(siteOf(url));
  if (activity.documents.some(isOther)) return false;
  const { exhausted, counts } = await proxy.record();
  return !exhausted && counts.blocked === 0 && dialogs <= maxDialogs && !hasHostState;
}

/** CPU time of the page's main thread since its capture began, milliseconds. */
async function usedCpuMs({ session }: CapturePage): Promise<number> {
  const asking = session.send('Performance.getMetrics');
  const { metrics } = await withTimeLimit('reading the CPU time of a page', measureWithinMs, asking);
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0) * 1_000;
}
