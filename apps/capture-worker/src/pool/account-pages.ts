import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Logger } from '@capture/runtime/service/log';
import type { SiteIsolation } from '../browser/chromium-flags.ts';
import type { Cell } from '../cells/cell.ts';
import type { Cells } from '../cells/cells.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { AccountsApart } from './accounts-apart.ts';
import type { ContextPool } from './context-pool.ts';
import { isolationOf, type SharedLevel, siteIsolationOf } from './isolation.ts';
import type { PageSource } from './page-source.ts';
import type { WarmPages } from './warm-pages.ts';

export interface AccountPagesOptions {
  cells: Cells;
  pools: Record<SiteIsolation, ContextPool>;
  warmPages: WarmPages;
  /** The isolation level of captures that hold no personal state and ask for no level. */
  sharedLevel: SharedLevel;
  /** Called when an account is apart for an hour: other workers may have its pages, and it gets fewer slots. */
  onApart?(accountId: string): void;
  log: Pick<Logger, 'warn'>;
}

/**
 * The pages of each account: in the shared cells, or in a private cell while the account is apart. A page spoils a cell by
 * asking more than the cell can do; when the cell notices, its queues are already full.
 */
export class AccountPages {
  readonly #options: AccountPagesOptions;
  readonly #apart = new AccountsApart();
  /** The private cells in which the account has completed a capture. */
  readonly #completed = new WeakSet<Cell>();

  constructor(options: AccountPagesOptions) {
    this.#options = options;
    options.cells.onFault((cell) => this.#failed(cell));
  }

  /**
   * The page source of a capture.
   *
   * @param hasOthers whether the account has other captures in this worker.
   */
  of(accountId: string, request: PageRequest, hasOthers: boolean): PageSource {
    const { pools, warmPages, sharedLevel } = this.#options;
    const level = isolationOf(request, sharedLevel);
    const pool = pools[siteIsolationOf(level)];
    const shared = warmPages.of(accountId, request, level, hasOthers ? pool.leavingLast : pool);
    let alone = false;
    /** Ends the stay of the account in the cell of a page; clearing a page removes its listeners. */
    const stays = new WeakMap<CapturePage, () => void>();
    return {
      take: async (deadline) => {
        const isApart = this.#apart.isApart(accountId);
        const page = isApart ? await this.#takePrivate(accountId, alone, deadline) : await shared.take(deadline);
        page.accountId = accountId;
        // In a private cell each page is used once, and sites are isolated.
        page.isolation = isApart ? 'strict' : level;
        page.onFlood(() => this.#knows(accountId));
        const left = page.cell.enter(accountId);
        stays.set(page, left);
        // A page that comes too late for its capture is closed, not returned.
        page.page.once('close', left);
        return page;
      },
      leave: async (page, use) => {
        const { cell } = page;
        // Another page of the account may have spoilt the cell, and its capture is retried too.
        if (cell.fault !== null) alone = cell.kind.accountId !== null;
        if (cell.kind.accountId === null) {
          await shared.leave(page, use);
          // The scripts of a page run until the page is closed or cleared.
          stays.get(page)?.();
          return;
        }
        if (use) this.#completed.add(cell);
        await pool.leave(page);
        // While other pages of the account are open, one of them may be at fault.
        if (cell.users === 0 && cell.fault === null && this.#completed.has(cell)) this.#apart.release(accountId);
      },
    };
  }

  /** Makes pages ahead, without holding the slot of a capture. */
  async refill(): Promise<void> {
    const { pools } = this.#options;
    await Promise.all([pools.on.refill(), pools.off.refill()]);
  }

  /** Notes that another worker reports the account as apart for an hour. */
  noteApart(accountId: string): void {
    this.#apart.noteForLong(accountId);
  }

  #takePrivate(accountId: string, alone: boolean, deadline: Deadline): Promise<CapturePage> {
    const isForLong = this.#apart.isForLong(accountId);
    return this.#options.pools.on.takePrivate({ accountId, isForLong, alone, deadline });
  }

  #failed(cell: Cell): void {
    const accountIds = [...cell.accounts()];
    const { log, onApart } = this.#options;
    if (accountIds.length > 0)
      log.warn(
        { account_ids: accountIds, fault: cell.fault },
        'a page of one of these accounts has spoilt its browser; the accounts get private browsers',
      );
    for (const accountId of accountIds) if (this.#apart.note(accountId)) onApart?.(accountId);
  }

  /** Notes that a page of this account alone is at fault. */
  #knows(accountId: string): void {
    const { log, onApart } = this.#options;
    if (!this.#apart.isForLong(accountId))
      log.warn({ account_id: accountId }, 'a page floods its browser; its account gets a private browser');
    this.#apart.noteForLong(accountId);
    onApart?.(accountId);
  }
}
