import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Logger } from '@capture/runtime/service/log';
import type { Browser } from '../browser/browser.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { ContextPool } from './context-pool.ts';
import type { PageSource } from './page-source.ts';
import type { WarmPages } from './warm-pages.ts';

/** How long the pages of an account stay apart from those of others after its last flood, milliseconds. */
const apartMs = 60 * 60_000;

/** Accounts that are kept apart. More than this in an hour would be an attack by itself; the first is forgotten. */
const maxApart = 10_000;

export interface AccountPagesOptions {
  browser: Pick<Browser, 'onFault'>;
  pool: ContextPool;
  warmPages: WarmPages;
  /** Called for each flood: other workers may have pages of the account. */
  onFlood?(accountId: string): void;
  log: Pick<Logger, 'warn'>;
}

/**
 * The pages of each account. Those of an account whose page has flooded the browser are in a browser of their own for a while,
 * with those of other such accounts: of what a page can request, most is in the browser's queue before the first is noticed.
 */
export class AccountPages {
  readonly #options: AccountPagesOptions;
  /** When each flooded last, as `performance.now()`; the last is the latest. */
  readonly #floods = new Map<string, number>();

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
    const ordinary = warmPages.of(accountId, request, hasOthers ? pool.leavingLast : pool);
    const source = () => (this.#floodsNow(accountId) ? pool.separate : ordinary);
    const follow = async (taking: Promise<CapturePage>) => {
      const page = await taking;
      page.onFlood(() => this.#flooded(accountId));
      return page;
    };
    return {
      take: () => follow(source().take()),
      takeIsolated: async (deadline) => {
        const page = await follow(source().takeIsolated(deadline));
        // It may be the page that blocked or ended the browser of all.
        browser.onFault(page.chromium, () => this.#flooded(accountId));
        return page;
      },
      leave: (page, use) => source().leave(page, use),
    };
  }

  /** Notes that a page of the account has flooded a browser, here or in another worker. */
  note(accountId: string): void {
    this.#floods.delete(accountId);
    this.#floods.set(accountId, performance.now());
    const [first] = this.#floods.keys();
    if (this.#floods.size > maxApart && first !== undefined) this.#floods.delete(first);
  }

  #floodsNow(accountId: string): boolean {
    const last = this.#floods.get(accountId);
    return last !== undefined && performance.now() - last < apartMs;
  }

  #flooded(accountId: string): void {
    const { onFlood, log } = this.#options;
    const message = 'a page floods or blocks the browser; its account gets another one';
    if (!this.#floodsNow(accountId)) log.warn({ account_id: accountId }, message);
    this.note(accountId);
    onFlood?.(accountId);
  }
}
