import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Logger } from '@capture/runtime/service/log';
import type { Browser } from '../browser/browser.ts';
import { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { ContextPool } from './context-pool.ts';
import type { PageSource, PageUse } from './page-source.ts';
import type { WarmPages } from './warm-pages.ts';

/** How long the pages of an account stay apart from those of others after its last flood, milliseconds. */
const apartMs = 60 * 60_000;

/** How long an account is suspected of what one of several has done, milliseconds, unless a page of it has shown that it did not. */
const suspectedForMs = 10 * 60_000;

/** How long a page of a suspected account waits for a browser of its own, milliseconds. */
const aloneWithinMs = 10_000;

/** Accounts that are kept apart, or suspected. More than this in an hour would be an attack by itself; the first is forgotten. */
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
 * with those of other such accounts: of what a page can request, most is in the browser's queue before the first is noticed. If one
 * of several pages has blocked all drawing, the next page of each of their accounts is alone, which shows whose it was.
 */
export class AccountPages {
  readonly #options: AccountPagesOptions;
  /** When each flooded last, as `performance.now()`; the last is the latest. */
  readonly #floods = new Map<string, number>();
  /** When a page of each last lost its GPU process, which it or another one beside it had blocked. */
  readonly #suspected = new Map<string, number>();
  /** Accounts with a page in a browser of its own, which shows whether it blocks that. */
  readonly #alone = new Set<string>();

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
    const flooded = () => this.#flooded(accountId);
    /** What to do when each page is left. */
    const atEnd = new Map<CapturePage, (use: PageUse | null) => void>();
    const takeBesideOthers = async (from: PageSource) => {
      const page = await from.take();
      page.onFlood(flooded);
      atEnd.set(
        page,
        page.chromium.onGpuReplaced(() => noteLast(this.#suspected, accountId)),
      );
      return page;
    };
    const takeAlone = async (deadline: Deadline) => {
      this.#alone.add(accountId);
      try {
        const page = await source().takeIsolated(deadline);
        page.onFlood(flooded);
        // It may be the page that blocked or ended the browser of all.
        browser.onFault(page.chromium, flooded);
        // A page that comes too late for its capture is closed, and not left.
        void page.chromium.ended.then(() => this.#alone.delete(accountId));
        atEnd.set(page, (use) => {
          this.#alone.delete(accountId);
          if (use) this.#suspected.delete(accountId);
        });
        return page;
      } catch (error) {
        this.#alone.delete(accountId);
        throw error;
      }
    };
    return {
      take: () => {
        if (this.#floodsNow(accountId) || !this.#isSuspected(accountId)) return takeBesideOthers(source());
        return this.#alone.has(accountId) ? takeBesideOthers(pool.separate) : takeAlone(new Deadline(aloneWithinMs));
      },
      takeIsolated: takeAlone,
      leave: (page, use) => {
        atEnd.get(page)?.(use);
        atEnd.delete(page);
        return source().leave(page, use);
      },
    };
  }

  /** Notes that a page of the account has flooded a browser, here or in another worker. */
  note(accountId: string): void {
    noteLast(this.#floods, accountId);
  }

  #floodsNow(accountId: string): boolean {
    const last = this.#floods.get(accountId);
    return last !== undefined && performance.now() - last < apartMs;
  }

  #isSuspected(accountId: string): boolean {
    const at = this.#suspected.get(accountId);
    return at !== undefined && performance.now() - at < suspectedForMs;
  }

  #flooded(accountId: string): void {
    const { onFlood, log } = this.#options;
    const message = 'a page floods or blocks the browser; its account gets another one';
    if (!this.#floodsNow(accountId)) log.warn({ account_id: accountId }, message);
    this.#suspected.delete(accountId);
    this.note(accountId);
    onFlood?.(accountId);
  }
}

function noteLast(accounts: Map<string, number>, accountId: string): void {
  accounts.delete(accountId);
  accounts.set(accountId, performance.now());
  const [first] = accounts.keys();
  if (accounts.size > maxApart && first !== undefined) accounts.delete(first);
}
