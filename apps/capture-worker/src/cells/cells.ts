import type { Logger } from '@capture/runtime/service/log';
import type { SiteIsolation } from '../browser/chromium-flags.ts';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import type { BrowserPriority } from '../browser/priorities.ts';
import { type MemoryLimits, memoryLimits } from '../limits.ts';
import { Cell, type CellFault, type CellKind } from './cell.ts';
import { PrivateCells, type PrivateUse } from './private-cells.ts';
import { SharedCell } from './shared-cell.ts';

/** How long a cell without a page is kept, milliseconds: a private cell, and the second shared cell. */
const defaultIdleMs = { private: 10_000, shared: 300_000 };

/** Why a Chromium starts: as the first of its kind, to renew or replace a cell, or for one account. */
type LaunchReason = 'start' | 'renewal' | 'restart' | 'private';

/** Why a cell ended: `retired` was replaced or idle, `closed` ended with the worker; a `CellFault` is a failure. */
type EndReason = 'retired' | 'closed' | CellFault;

export interface CellEvents {
  launched(reason: LaunchReason): void;
  launchFailed(): void;
  ended(reason: EndReason): void;
}

export interface CellsOptions {
  launch(kind: { siteIsolation: SiteIsolation; priority: BrowserPriority }): Promise<ChromiumProcess>;
  /** The kind of the shared cell that always runs; `on` unless given. */
  siteIsolation?: SiteIsolation;
  events?: CellEvents;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  maxCaptures?: number;
  /** How many private cells start before further private cells wait; 2 by default. */
  privateAtOnce?: number;
  /** How long a further private cell waits for an earlier one, milliseconds. */
  waitedForMs?: number;
  idleMs?: { private: number; shared: number };
  healthLimitMs?: number;
  /** Overrides the memory limits of this machine. */
  memory?: MemoryLimits;
}

export interface BrowserStatus {
  /** `failing`: the Chromium does not start, and the start is retried. */
  state: 'starting' | 'running' | 'failing';
  /** The version of the Chromium for new pages; null if there is none. */
  version: string | null;
  startedAt: Date | null;
  /** How many captures that Chromium has made. */
  captures: number;
  /** Memory of all processes of that Chromium, bytes; null if unknown. */
  memoryBytes: number | null;
  /** How often a cell ended unexpectedly and was replaced. */
  restarts: number;
  /** Why the Chromium does not start; null unless `state` is `failing`. */
  lastError: string | null;
}

/** The cells of a worker: a shared one for each kind of site isolation, and private ones for accounts that are apart. */
export class Cells {
  readonly #options: CellsOptions;
  readonly #memory: MemoryLimits;
  readonly #closing = new AbortController();
  readonly #shared: Record<SiteIsolation, SharedCell>;
  readonly #private: PrivateCells;
  /** Every cell that has not ended. */
  readonly #running = new Set<Cell>();
  readonly #launching = new Set<Promise<Cell>>();
  readonly #onFault = new Set<(cell: Cell) => void>();
  readonly #onReplaced = new Set<(siteIsolation: SiteIsolation) => void>();
  #starts = 0;

  /** @throws {Error} when the first Chromium does not start: the cause is the machine or the settings, so no retry helps. */
  static async start(options: CellsOptions): Promise<Cells> {
    const cells = new Cells(options);
    await cells.#shared[cells.mainKind].start();
    return cells;
  }

  private constructor(options: CellsOptions) {
    this.#options = options;
    this.#memory = options.memory ?? memoryLimits();
    const closing = this.#closing.signal;
    this.#shared = { on: this.#openShared('on'), off: this.#openShared('off') };
    this.#private = new PrivateCells({
      // A private cell serves captures of every isolation level, so it isolates sites.
      launch: (accountId, isForLong) =>
        this.#launch('private', { siteIsolation: 'on', accountId, priority: isForLong ? 'low' : 'ordinary' }),
      closing,
      atOnce: options.privateAtOnce ?? 2,
      waitedForMs: options.waitedForMs,
    });
  }

  /** The kind of the shared cell that always runs. The second shared cell starts when a capture needs it. */
  get mainKind(): SiteIsolation {
    return this.#options.siteIsolation ?? 'on';
  }

  /** The shared cell for new pages. Waits while there is none. */
  current(siteIsolation = this.mainKind): Promise<Cell> {
    return this.#shared[siteIsolation].current();
  }

  /** The shared cell for new pages, if it runs. */
  open(siteIsolation = this.mainKind): Cell | null {
    return this.#shared[siteIsolation].open;
  }

  /** Whether the cell is a shared one for new pages. */
  isCurrent(cell: Cell): boolean {
    return this.open(cell.kind.siteIsolation) === cell;
  }

  /** A private cell. A few start at once; a further cell waits until an earlier cell ends, for some seconds at most. */
  private(use: PrivateUse): Promise<Cell> {
    return this.#private.of(use);
  }

  /** How many cells have started. */
  get starts(): number {
    return this.#starts;
  }

  /** Calls `listener` with each cell that fails, before its pages are lost. */
  onFault(listener: (cell: Cell) => void): void {
    this.#onFault.add(listener);
  }

  /** Calls `listener` each time another shared cell takes new pages, and when no cell takes them. */
  onReplaced(listener: (siteIsolation: SiteIsolation) => void): void {
    this.#onReplaced.add(listener);
  }

  /** Counts a capture, and renews the cell after its last capture. */
  captured(cell: Cell): void {
    void this.#shared[cell.kind.siteIsolation].captured(cell);
  }

  status(): BrowserStatus {
    const { open, restarts, startFailure } = this.#shared[this.mainKind];
    return {
      state: open ? 'running' : startFailure === null ? 'starting' : 'failing',
      version: open?.chromium.version ?? null,
      startedAt: open?.startedAt ?? null,
      captures: open?.captures ?? 0,
      memoryBytes: open?.memoryBytes ?? null,
      restarts,
      lastError: open ? null : startFailure,
    };
  }

  /** Ends every cell. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#launching);
    await Promise.all([...this.#running].map((cell) => cell.close()));
  }

  #openShared(siteIsolation: SiteIsolation): SharedCell {
    const { log, maxCaptures } = this.#options;
    return new SharedCell({
      launch: (reason) => this.#launch(reason, { siteIsolation, accountId: null, priority: 'ordinary' }),
      replaced: () => this.#replaced(siteIsolation),
      closing: this.#closing.signal,
      maxCaptures,
      log,
    });
  }

  #launch(reason: LaunchReason, kind: CellKind): Promise<Cell> {
    const launching = this.#launchOne(reason, kind);
    this.#launching.add(launching);
    const settled = () => this.#launching.delete(launching);
    launching.then(settled, settled);
    launching.catch(() => this.#options.events?.launchFailed());
    return launching;
  }

  async #launchOne(reason: LaunchReason, kind: CellKind): Promise<Cell> {
    const { launch, events, log, healthLimitMs, idleMs = defaultIdleMs } = this.#options;
    const chromium = await launch(kind);
    events?.launched(reason);
    this.#starts += 1;
    const cell = new Cell(chromium, kind, {
      log,
      memory: (one) => this.#memoryLimitsOf(one),
      failed: (one) => this.#failed(one),
      retired: () => {
        if (kind.accountId === null) this.#replaced(kind.siteIsolation);
      },
      ...(!this.#isMain(kind) && { idleMs: kind.accountId === null ? idleMs.shared : idleMs.private }),
      healthLimitMs,
    });
    this.#running.add(cell);
    const { siteIsolation, accountId } = kind;
    const facts = { browser_pid: chromium.pid, version: chromium.version, site_isolation: siteIsolation };
    log.info({ ...facts, ...(accountId !== null && { account_id: accountId }) }, 'a browser has started');
    void chromium.ended.then(() => {
      this.#running.delete(cell);
      events?.ended(cell.fault ?? (this.#closing.signal.aborted ? 'closed' : 'retired'));
    });
    return cell;
  }

  #replaced(siteIsolation: SiteIsolation): void {
    for (const listener of this.#onReplaced) listener(siteIsolation);
  }

  #failed(cell: Cell): void {
    for (const listener of this.#onFault) listener(cell);
    this.#shared[cell.kind.siteIsolation].replace(cell);
  }

  /** Whether this is the kind of the shared cell that always runs. */
  #isMain({ accountId, siteIsolation }: CellKind): boolean {
    return accountId === null && siteIsolation === this.mainKind;
  }

  /** All cells share the memory of the machine. Other cells get what the main cell leaves, and at least a quarter together. */
  #memoryLimitsOf(cell: Cell): MemoryLimits {
    const limits = this.#memory;
    const yields = ({ kind, isRetired }: Cell) => isRetired || !this.#isMain(kind);
    if (!yields(cell)) return limits;
    const all = [...this.#running];
    const others = all.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0) - (cell.memoryBytes ?? 0);
    const yielding = all.filter(yields).length;
    return { ...limits, total: Math.max(limits.total - others, limits.total / 4 / yielding) };
  }
}
