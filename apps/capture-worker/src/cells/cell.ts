import type { Logger } from '@capture/runtime/service/log';
import type { SiteIsolation } from '../browser/chromium-flags.ts';
import type { ChromiumProcess } from '../browser/chromium-process.ts';
import type { BrowserPriority } from '../browser/priorities.ts';
import { watchMemory } from '../browser/watch-memory.ts';
import type { MemoryLimits } from '../limits.ts';
import { CellHealth, type HealthFault } from './cell-health.ts';

/** Why a cell failed: see `HealthFault`, its main process or a service took too much memory, or it ended by itself. */
export type CellFault = HealthFault | 'too_large' | 'crashed';

/** What a cell is for. */
export interface CellKind {
  siteIsolation: SiteIsolation;
  /** The account that it is private to; null for all accounts. */
  accountId: string | null;
  priority: BrowserPriority;
}

interface CellOptions {
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  memory(cell: Cell): MemoryLimits;
  /** Called at once when it fails, before its pages are lost. Not called for one that was retired or closed. */
  failed(cell: Cell, fault: CellFault): void;
  /** Called when it is retired: pages that were made ahead in it are of no use. */
  retired?(cell: Cell): void;
  /** It is retired after this long without a page of an account, milliseconds; never, unless given. */
  idleMs?: number | undefined;
  healthLimitMs?: number | undefined;
}

/** A retired cell ends after its last capture, or after this: longer than the longest capture (120 s). */
const retireWithinMs = 130_000;

/**
 * How long after it has left its page an account still counts as having had one, milliseconds: Chromium ends a page, and what the
 * page has asked for goes on.
 */
const remainsForMs = 10_000;

/** One Chromium with its health: the unit that is given to accounts and ended when a page has spoilt it. */
export class Cell {
  readonly chromium: ChromiumProcess;
  readonly kind: CellKind;
  readonly startedAt = new Date();
  captures = 0;
  /** Memory of all its processes without what they share, bytes; null if unknown. */
  memoryBytes: number | null = null;
  readonly #options: CellOptions;
  readonly #health: CellHealth;
  /** The pages that accounts have, or have had: until when they count as `performance.now()`, infinite while they last. */
  readonly #stays = new Set<{ accountId: string; until: number }>();
  #users = 0;
  /** How many pages accounts have in it. */
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

  /** Whether new pages may be made in it. */
  get isOpen(): boolean {
    return this.chromium.alive && !this.#retired && this.#fault === null;
  }

  /** Whether it gets no new page. */
  get isRetired(): boolean {
    return this.#retired;
  }

  get fault(): CellFault | null {
    return this.#fault;
  }

  /** How many pages it has, and other uses. */
  get users(): number {
    return this.#users;
  }

  /** Keeps it alive, once it is retired, until the returned function is called. */
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

  /** Notes that an account has a page in it, until the returned function is called. */
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

  /** Probes it now. If it does not respond, or cannot draw, it fails. */
  check(): Promise<void> {
    return this.#health.check();
  }

  /** From now on it gets no new page, and it ends with its last one. */
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

  /** The accounts of which a page may have spoilt it. */
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
