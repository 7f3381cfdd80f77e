import type { PageRequest } from '@capture/contract/options/fill-page';
import { floodsForS } from '@capture/database/captures/flooding-accounts';
import type { Logger } from '@capture/runtime/service/log';
import type { Browser } from '../browser/browser.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { ContextPool } from './context-pool.ts';
import type { PageSource, PageUse } from './page-source.ts';
import { PageUses } from './page-uses.ts';
import { RecentAccounts } from './recent-accounts.ts';
import { Suspects } from './suspects.ts';
import type { WarmPages } from './warm-pages.ts';

/** How long the pages of an account stay apart from those of others after its last flood, milliseconds. */
const apartMs = floodsForS * 1_000;

export interface AccountPagesOptions {
  browser: Pick<Browser, 'onFault'>;
  pool: ContextPool;
  warmPages: WarmPages;
  /** Called for each flood: other workers may have pages of the account, and scheduling counts them. */
  onFlood?(accountId: string): void;
  log: Pick<Logger, 'warn'>;
}

/**
 * The pages of each account. Those of an account whose page has flooded the browser are in a browser of their own for a while,
 * with those of other such accounts: of what a page can request, most is in the browser's queue before the first is noticed. If one
 * of several pages has blocked all drawing, the next pages of each of their accounts are alone, which shows whose it was.
 */
export class AccountPages {
  readonly #options: AccountPagesOptions;
  /** When each flooded last, as `performance.now()`. */
  readonly #floods = new RecentAccounts<number>();
  readonly #suspects = new Suspects();
  readonly #uses = new PageUses((accountIds) => this.#suspected(accountIds));

  constructor(options: AccountPagesOptions) {
    this.#options = options;
  }

  /**
   * The page source of a capture.
   *
   * @param hasOthers whether the account has other captures in this worker.
   */
  of(accountId: string, request: PageRequest, hasOthers: boolean): PageSource {
    const { browser, pool, warmPages } = this.#options;
    return new AccountPageSource(accountId, {
      browser,
      ordinary: warmPages.of(accountId, request, hasOthers ? pool.leavingLast : pool),
      separate: pool.separate,
      suspects: this.#suspects,
      uses: this.#uses,
      floodsNow: () => this.#floodsNow(accountId),
      flooded: () => this.#flooded(accountId),
    });
  }

  /** Notes that a page of the account has flooded a browser, here or in another worker. */
  note(accountId: string): void {
    this.#floods.set(accountId, performance.now());
  }

  #floodsNow(accountId: string): boolean {
    const last = this.#floods.get(accountId);
    return last !== undefined && performance.now() - last < apartMs;
  }

  #suspected(accountIds: ReadonlySet<string>): void {
    const message = 'a page of one of these accounts has blocked all drawing; their next captures run alone';
    for (const accountId of accountIds) this.#suspects.note(accountId);
    this.#options.log.warn({ account_ids: [...accountIds] }, message);
  }

  #flooded(accountId: string): void {
    const { onFlood, log } = this.#options;
    const message = 'a page floods or blocks the browser; its account gets another one';
    if (!this.#floodsNow(accountId)) log.warn({ account_id: accountId }, message);
    this.#suspects.forget(accountId);
    this.note(accountId);
    onFlood?.(accountId);
  }
}

interface AccountPageSourceOptions {
  browser: Pick<Browser, 'onFault'>;
  ordinary: PageSource;
  /** For while the pages of the account flood. */
  separate: PageSource;
  suspects: Suspects;
  uses: PageUses;
  floodsNow(): boolean;
  flooded(): void;
}

/** The page source of one capture. */
class AccountPageSource implements PageSource {
  readonly #accountId: string;
  readonly #options: AccountPageSourceOptions;
  /** The pages that are alone, each with what to call when it is gone. */
  readonly #alone = new Map<CapturePage, () => void>();
  /** The others, each with what to call when it is left. */
  readonly #used = new WeakMap<CapturePage, () => void>();

  constructor(accountId: string, options: AccountPageSourceOptions) {
    this.#accountId = accountId;
    this.#options = options;
  }

  async take(deadline: Deadline): Promise<CapturePage> {
    const { suspects, uses, floodsNow, flooded } = this.#options;
    if (!floodsNow()) {
      const gone = await suspects.enter(this.#accountId, this, deadline);
      if (gone) return this.#takeAlone(deadline, gone);
    }
    const isWatched = !floodsNow();
    const page = await this.#source.take(deadline);
    page.accountId = this.#accountId;
    page.onFlood(flooded);
    // Beside accounts whose pages flood it would show nothing.
    if (isWatched) {
      const left = uses.begin(page.chromium, this.#accountId);
      this.#used.set(page, left);
      // A page that comes too late for its capture is closed, and not left.
      page.page.once('close', left);
    }
    return page;
  }

  takeIsolated(deadline: Deadline): Promise<CapturePage> {
    return this.#takeAlone(deadline, this.#options.suspects.begin(this.#accountId, this));
  }

  leave(page: CapturePage, use: PageUse | null): Promise<void> {
    const gone = this.#alone.get(page);
    this.#alone.delete(page);
    // A page that ends its own browser would have ended the shared one.
    if (gone && !page.chromium.alive && !page.isClosed) this.#options.suspects.note(this.#accountId);
    else if (gone && use) this.#options.suspects.completedAlone(this.#accountId);
    gone?.();
    const leaving = this.#source.leave(page, use);
    // Its scripts run until it is closed or cleared.
    void leaving.then(this.#used.get(page));
    return leaving;
  }

  get #source(): PageSource {
    const { ordinary, separate, floodsNow } = this.#options;
    return floodsNow() ? separate : ordinary;
  }

  async #takeAlone(deadline: Deadline, gone: () => void): Promise<CapturePage> {
    const { browser, flooded } = this.#options;
    try {
      const page = await this.#source.takeIsolated(deadline, this.#accountId);
      page.accountId = this.#accountId;
      page.onFlood(flooded);
      // It may be the page that blocked or ended the browser of all.
      browser.onFault(page.chromium, flooded);
      // A page that comes too late for its capture is closed, and not left.
      void page.chromium.ended.then(gone);
      this.#alone.set(page, gone);
      return page;
    } catch (error) {
      gone();
      throw error;
    }
  }
}
