import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Browser } from '../browser/browser.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { clearPage } from './clear-page.ts';
import type { PageSource, PageUse } from './page-source.ts';

/** A page is closed if no item of its batch takes it for this long, milliseconds. */
const defaultIdleMs = 3_000;

/** Captures per page. A renderer's memory grows with each document, and is freed when the page is closed. */
const defaultMaxUses = 50;

/** A page that opens more dialogs is not used again. */
const maxDialogs = 3;

/** Wait results of a healthy page: no request hangs, and it draws frames. */
const healthyWaitEnds: ReadonlySet<string | undefined> = new Set(['quiet', 'load', 'domcontentloaded', 'networkidle']);

export interface SharedPagesOptions {
  browser: Pick<Browser, 'isCurrent'>;
  /** The source of unused pages. */
  pool: PageSource;
  /** How many idle pages are kept for their batches: the concurrency of the worker. */
  size: number;
  idleMs?: number;
  maxUses?: number;
}

/**
 * The pages of running batches with `share_page`. Each is used by items of one batch, one after the other, and cleared in
 * between, so that items share only the HTTP cache. A page whose capture had any problem is closed.
 */
export class SharedPages {
  readonly #options: SharedPagesOptions;
  /** Pages that wait for the next item, the oldest first. */
  #idle: { batchId: string; page: CapturePage; expiry: NodeJS.Timeout }[] = [];
  readonly #uses = new WeakMap<CapturePage, number>();
  #closed = false;

  constructor(options: SharedPagesOptions) {
    this.#options = options;
  }

  /** The page source of a capture. `batchId` is null unless it is an item of a batch with `share_page`. */
  of(batchId: string | null, request: PageRequest): PageSource {
    if (batchId === null || !mayShare(request)) return this.#options.pool;
    return {
      take: async () => this.#takeIdle(batchId) ?? this.#options.pool.take(),
      takeIsolated: () => this.#options.pool.takeIsolated(),
      leave: (page, use) => this.#leave(batchId, page, use),
    };
  }

  /** How many pages wait for the next item of their batch. */
  get idle(): number {
    return this.#idle.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#idle].map((entry) => this.#close(entry)));
  }

  #takeIdle(batchId: string): CapturePage | undefined {
    // The newest first, so that pages the batch no longer needs expire.
    for (const entry of this.#idle.toReversed()) {
      if (entry.batchId !== batchId) continue;
      if (!this.#isUsable(entry.page)) {
        void this.#close(entry);
        continue;
      }
      this.#remove(entry);
      entry.page.proxy.turn?.begin();
      return entry.page;
    }
    return undefined;
  }

  async #leave(batchId: string, page: CapturePage, use: PageUse | null): Promise<void> {
    const { pool, maxUses = defaultMaxUses } = this.#options;
    const uses = (this.#uses.get(page) ?? 0) + 1;
    try {
      const keep = use && uses < maxUses && this.#isUsable(page) && (await isReusable(page, use));
      if (!keep) return await pool.leave(page, use);
      const cleared = await clearPage(page);
      this.#uses.set(cleared, uses);
      this.#keep(batchId, cleared);
    } catch {
      await pool.leave(page, use);
    }
  }

  #keep(batchId: string, page: CapturePage): void {
    const { size, idleMs = defaultIdleMs } = this.#options;
    const entry = { batchId, page, expiry: setTimeout(() => void this.#close(entry), idleMs) };
    this.#idle.push(entry);
    if (this.#closed) void this.#close(entry);
    const [oldest] = this.#idle;
    if (this.#idle.length > size && oldest) void this.#close(oldest);
  }

  #isUsable(page: CapturePage): boolean {
    return page.usable && this.#options.browser.isCurrent(page.chromium);
  }

  #remove(entry: { page: CapturePage; expiry: NodeJS.Timeout }): void {
    clearTimeout(entry.expiry);
    this.#idle = this.#idle.filter((other) => other.page !== entry.page);
  }

  async #close(entry: { page: CapturePage; expiry: NodeJS.Timeout }): Promise<void> {
    this.#remove(entry);
    await this.#options.pool.leave(entry.page, null);
  }
}

/** Whether an item may share a page: it has no secrets, document or scripts of its own. */
function mayShare({ cookies, headers, basic_auth: auth, js, click, html }: PageRequest): boolean {
  return click.length === 0 && [cookies, headers, auth, js, html].every((option) => option === undefined);
}

/** Whether clearing the page removes everything that the capture may have left in it. */
async function isReusable(page: CapturePage, { tries, waitEnded }: PageUse): Promise<boolean> {
  const { activity, dialogs, hasHostState, proxy } = page;
  if (!proxy.turn || tries > 1 || !healthyWaitEnds.has(waitEnded) || activity.inFlight > 0) return false;
  const { exhausted, counts } = await proxy.record();
  return !exhausted && counts.blocked === 0 && dialogs <= maxDialogs && !hasHostState;
}
