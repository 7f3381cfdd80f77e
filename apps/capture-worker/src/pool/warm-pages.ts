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
 * another; a capture now and then gets a page made ahead, which is as fast.
 */
const defaultIdleMs = 3_000;

/** Captures per page. A renderer's memory grows with each document, and is freed when the page is closed. */
const defaultMaxUses = 50;

/**
 * CPU time of its main thread after which a page is closed, milliseconds. From 1 s on a renderer has a lower priority
 * (`lowerRenderer`), and heavy pages take one. A page that shows small documents reaches this after some 25.
 */
const maxCpuMs = 750;

/** A page whose main thread is busy for longer does not say how long, milliseconds. */
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
   * A page is kept for an account and site that are among the last so many: a page of one that comes back later would have been
   * closed for those in between, and clearing it costs as much as a third of a new one. By default all are kept.
   */
  recentKeys?: number;
  idleMs?: number;
  maxUses?: number;
  /** Called for each page that a capture which may use a warm one takes. */
  onTaken?(page: 'warm' | 'new'): void;
}

/** Sites by scheme and registrable domain; none for a document of the client. */
type Sites = 'any' | readonly string[];

interface IdlePage {
  key: string;
  page: CapturePage;
  /** The source of unused pages, which takes it back. */
  pool: PageSource;
  expiry: NodeJS.Timeout;
}

/**
 * Pages that were used and cleared. The next capture of the same account, and site if that counts, takes one in place of a new
 * page, which saves starting a renderer. A page whose capture had any problem is closed.
 */
export class WarmPages {
  readonly #options: WarmPagesOptions;
  /** The oldest first. */
  #idle: IdlePage[] = [];
  readonly #history = new WeakMap<CapturePage, { uses: number; cpuMs: number }>();
  /** Of the last captures, the newest first, each once. */
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

  /** How many pages wait for the next capture of their account and site. */
  get idle(): number {
    return this.#idle.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#idle].map((entry) => this.#close(entry)));
  }

  /** Notes a capture of an account and site. Returns whether one of the last captures was of the same. */
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
 * @param sites of which the page may have shown documents.
 */
async function isReusable(page: CapturePage, sites: Sites, { tries, waitEnded }: PageUse): Promise<boolean> {
  const { activity, dialogs, hasHostState, proxy } = page;
  // With many, its renderer runs only when no other process wants to.
  if (page.page.workers().length > maxWorkers) return false;
  if (!proxy.turn || tries > 1 || !healthyWaitEnds.has(waitEnded) || activity.inFlight > 0) return false;
  const isOther = (url: string) => sites !== 'any' && /^https?:/.test(url) && !sites.includes(siteOf(url));
  if (activity.documents.some(isOther)) return false;
  const { exhausted, counts } = await proxy.record();
  return !exhausted && counts.blocked === 0 && dialogs <= maxDialogs && !hasHostState;
}

/** CPU time that the page's main thread has taken since its capture began, milliseconds. */
async function usedCpuMs({ session }: CapturePage): Promise<number> {
  const asking = session.send('Performance.getMetrics');
  const { metrics } = await withTimeLimit('reading the CPU time of a page', measureWithinMs, asking);
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0) * 1_000;
}
