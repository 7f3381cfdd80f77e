import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Browser } from '../browser/browser.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { clearPage } from './clear-page.ts';
import type { PageSource, PageUse } from './page-source.ts';

/** A page that no item of its batch has taken for that long, milliseconds: the batch has ended, or gives its turn. */
const defaultIdleMs = 3_000;

/** Captures that one page is used for; a renderer's memory grows with each document, and is given back with it. */
const defaultUsesAtMost = 50;

/** A page that asks its visitor more often than that is not one to go on with. */
const dialogsAtMost = 3;

/** What a page that is well has ended its waiting with: nothing hung, and it draws. */
const goodEndings: ReadonlySet<string | undefined> = new Set(['quiet', 'load', 'domcontentloaded', 'networkidle']);

export interface SharedPagesOptions {
  browser: Pick<Browser, 'isCurrent'>;
  /** Where a page comes from that was not used yet. */
  pool: PageSource;
  /** How many are kept for their batches while nobody uses them: as many as captures run at once. */
  size: number;
  idleMs?: number;
  usesAtMost?: number;
}

/**
 * The pages of running batches with `share_page`, each used by items of one batch only, one after the other, and cleared
 * in between: what they have of each other is the HTTP cache. A page whose capture was not as it should be is thrown away.
 */
export class SharedPages {
  readonly #options: SharedPagesOptions;
  /** Those that wait for the next item, the longest first. */
  #idle: { batchId: string; page: CapturePage; expiry: NodeJS.Timeout }[] = [];
  readonly #uses = new WeakMap<CapturePage, number>();
  #closed = false;

  constructor(options: SharedPagesOptions) {
    this.#options = options;
  }

  /** Where a capture has its page from: an item of a batch with `share_page` (else null), unless it needs its own. */
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
    await Promise.all([...this.#idle].map((entry) => this.#throwAway(entry)));
  }

  #takeIdle(batchId: string): CapturePage | undefined {
    // The newest first: what the batch does not need grows old and goes.
    for (const entry of this.#idle.toReversed()) {
      if (entry.batchId !== batchId) continue;
      if (!this.#isGood(entry.page)) {
        void this.#throwAway(entry);
        continue;
      }
      this.#forget(entry);
      entry.page.proxy.turn?.begin();
      return entry.page;
    }
    return undefined;
  }

  async #leave(batchId: string, page: CapturePage, use: PageUse | null): Promise<void> {
    const { pool, usesAtMost = defaultUsesAtMost } = this.#options;
    const uses = (this.#uses.get(page) ?? 0) + 1;
    try {
      const again = use && uses < usesAtMost && this.#isGood(page) && (await hasBehaved(page, use));
      if (!again) return await pool.leave(page, use);
      const cleared = await clearPage(page);
      this.#uses.set(cleared, uses);
      this.#keep(batchId, cleared);
    } catch {
      await pool.leave(page, use);
    }
  }

  #keep(batchId: string, page: CapturePage): void {
    const { size, idleMs = defaultIdleMs } = this.#options;
    const entry = { batchId, page, expiry: setTimeout(() => void this.#throwAway(entry), idleMs) };
    this.#idle.push(entry);
    if (this.#closed) void this.#throwAway(entry);
    const [oldest] = this.#idle;
    if (this.#idle.length > size && oldest) void this.#throwAway(oldest);
  }

  #isGood(page: CapturePage): boolean {
    return page.usable && this.#options.browser.isCurrent(page.chromium);
  }

  #forget(entry: { page: CapturePage; expiry: NodeJS.Timeout }): void {
    clearTimeout(entry.expiry);
    this.#idle = this.#idle.filter((other) => other.page !== entry.page);
  }

  async #throwAway(entry: { page: CapturePage; expiry: NodeJS.Timeout }): Promise<void> {
    this.#forget(entry);
    await this.#options.pool.leave(entry.page, null);
  }
}

/**
 * Whether an item may use a page that others of its batch use too: it gives the page nothing that is its own, and runs
 * nothing in it.
 */
function mayShare({ cookies, headers, basic_auth: auth, js, click, html }: PageRequest): boolean {
  return click.length === 0 && [cookies, headers, auth, js, html].every((option) => option === undefined);
}

/** Whether nothing of a capture can be left in its page that clearing does not take away. */
async function hasBehaved(page: CapturePage, { tries, waitEnded }: PageUse): Promise<boolean> {
  const { activity, dialogs, isRemembered, proxy } = page;
  if (!proxy.turn || tries > 1 || !goodEndings.has(waitEnded) || activity.inFlight > 0) return false;
  const { exhausted, counts } = await proxy.record();
  return !exhausted && counts.blocked === 0 && dialogs <= dialogsAtMost && !isRemembered;
}
