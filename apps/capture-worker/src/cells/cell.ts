import type { Logger } from '@capture/runtime/service/log';
import type { SiteIsolation } from '../browser/chromium-flags.ts';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import type { BrowserPriority } from '../browser/priorities.ts';
import { watchMemory } from '../browser/watch-memory.ts';
import type { MemoryLimits } from '../limits.ts';
import { CellHealth, type HealthFault } from './cell-health.ts';

/** Why a cell failed: a `HealthFault`, too much memory in its main process or a service, or its browser ended by itself. */
export type CellFault = HealthFault | 'too_large' | 'crashed';

/** Which pages a cell takes, and its priority. */
export interface CellKind {
  siteIsolation: SiteIsolation;
  /** The account that alone uses the cell; null for a shared cell. */
  accountId: string | null;
  priority: BrowserPriority;
}

interface CellOptions {
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  memory(cell: Cell): MemoryLimits;
  /** Called when the cell fails, before its pages are lost. Not called for a cell that was retired or closed. */
  failed(cell: Cell, fault: CellFault): void;
  /** Called when the cell is retired: pages that were made ahead in it are no longer used. */
  retired?(cell: Cell): void;
  /** The cell is retired after this long without a page of an account, milliseconds; never, unless given. */
  idleMs?: number | undefined;
  healthLimitMs?: number | undefined;
}

/** A retired cell ends after its last capture, or after this: longer than the longest capture (120 s). */
const retireWithinMs = 130_000;

/**
 * How long an account that has left its page still counts as having one, milliseconds: Chromium closes the page, and may still
 * be doing the work that the page asked for.
 */
const remainsForMs = 20_000;

/** One Chromium and its health. Accounts share a cell or get a private one; a cell that a page has spoilt ends. */
export class Cell {
  readonly chromium: ChromiumProcess;
  readonly kind: CellKind;
  readonly startedAt = new Date();
  captures = 0;
  /** Memory of all processes of the cell without shared memory, bytes; null if unknown. */
  memoryBytes: number | null = null;
  readonly #options: CellOptions;
  readonly #health: CellHealth;
  /** The pages that accounts have or had, and until when each counts, as `performance.now()`; infinite while the page is open. */
  readonly #stays = new Set<{ accountId: string; until: number }>();
  #users = 0;
  /** How many pages accounts have in the cell. */
  #stayed = 0;
  #idle: NodeJS.Timeout | undefined;
  #retired = false;
  #closing = false;
  #fault: CellFault | null = null;

  constructor(chromium: ChromiumProcess, kind: CellKind, options: CellOptions) {
    this.chromium = chromium;
    this.kind = kind;
    this.#options = options;
    this.#health = new CellHealth(chromium, {
      isPrivate: kind.accountId !== null,
      limitMs: options.healthLimitMs,
      failed: (fault) => this.#fail(fault),
    });
    void chromium.gone.then(() => this.#fail('crashed'));
    watchMemory({
      chromium,
      log: options.log,
      limits: () => options.memory(this),
      tooLarge: () => this.#fail('too_large'),
      measured: (parts, ownBytes) => {
        this.memoryBytes = ownBytes;
        this.#health.note(parts);
      },
    });
    this.#waitForUse();
  }

  /** Whether the cell takes new pages. */
  get isOpen(): boolean {
    return this.chromium.alive && !this.#retired && this.#fault === null;
  }

  /** Whether the cell gets no new page. */
  get isRetired(): boolean {
    return this.#retired;
  }

  get fault(): CellFault | null {
    return this.#fault;
  }

  /** How many pages and other uses the cell has. */
  get users(): number {
    return this.#users;
  }

  /** Keeps the cell alive after it is retired, until the returned function is called. */
  use(): () => void {
    this.#users += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#users -= 1;
      this.#endIfIdle();
    };
  }

  /** Notes that an account has a page in the cell, until the returned function is called. */
  enter(accountId: string): () => void {
    const now = performance.now();
    for (const old of this.#stays) if (old.until < now) this.#stays.delete(old);
    const stay = { accountId, until: Number.POSITIVE_INFINITY };
    this.#stays.add(stay);
    this.#stayed += 1;
    clearTimeout(this.#idle);
    return () => {
      if (stay.until !== Number.POSITIVE_INFINITY) return;
      stay.until = performance.now() + remainsForMs;
      this.#stayed -= 1;
      this.#waitForUse();
    };
  }

  /** Probes the cell now. The cell fails if it does not respond or cannot draw. */
  check(): Promise<void> {
    return this.#health.check();
  }

  /** Retires the cell: it gets no new page, and ends with its last page. */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#options.retired?.(this);
    this.#endIfIdle();
    const timer = setTimeout(() => void this.close(), retireWithinMs).unref();
    // The timer would keep an ended browser in memory.
    void this.chromium.ended.then(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#retired = true;
    clearTimeout(this.#idle);
    await this.chromium.close();
  }

  /** The accounts that have a page in the cell, or had one until a few seconds ago: each may have spoilt the cell. */
  accounts(now = performance.now()): Set<string> {
    return new Set([...this.#stays].filter(({ until }) => until > now).map(({ accountId }) => accountId));
  }

  #fail(fault: CellFault): void {
    if (this.#fault !== null || this.#closing) return;
    this.#fault = fault;
    clearTimeout(this.#idle);
    this.#options.log.error({ browser_pid: this.chromium.pid, fault }, 'a browser has failed; ending it');
    this.#options.failed(this, fault);
    this.chromium.kill();
  }

  #endIfIdle(): void {
    if (this.#retired && this.#users === 0 && this.chromium.alive) void this.close();
  }

  #waitForUse(): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#idle);
    if (idleMs !== undefined && this.#stayed === 0 && this.isOpen)
      this.#idle = setTimeout(() => this.retire(), idleMs).unref();
  }
}
