import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@capture/runtime/service/log';
import type { Cell } from './cell.ts';

/** Captures of one cell before a new cell replaces it, which frees memory. A start takes 0.4 s of CPU time, the captures 80 s. */
const defaultMaxCaptures = 200;

/** Delay before the next try to start a browser. */
const retryAfterMs = (failures: number) => Math.min(250 * 2 ** failures, 10_000);

interface SharedCellOptions {
  launch(reason: 'start' | 'renewal' | 'restart'): Promise<Cell>;
  /** Called each time another cell takes new pages. */
  replaced(): void;
  /** Aborted when the worker closes. */
  closing: AbortSignal;
  maxCaptures?: number | undefined;
  log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * The cell for all accounts that are not apart. When the cell fails, the next one starts at once. At a renewal the next cell
 * starts first; the old cell finishes its captures and ends.
 */
export class SharedCell {
  readonly #options: SharedCellOptions;
  #current: Promise<Cell> | null = null;
  #cell: Cell | null = null;
  #renewal: Promise<Cell> | null = null;
  restarts = 0;
  /** Why the last start failed; null after a success. */
  startFailure: string | null = null;

  constructor(options: SharedCellOptions) {
    this.#options = options;
  }

  /** The cell for new pages; null while there is none. */
  get open(): Cell | null {
    return this.#cell?.isOpen ? this.#cell : null;
  }

  /** Starts the first cell. @throws {Error} when it does not start: the cause is the machine or the settings, so no retry helps. */
  async start(): Promise<void> {
    this.#current = this.#follow(this.#options.launch('start'));
    await this.#current;
  }

  /** The cell for new pages. Waits while there is none, and starts a cell if no start is in progress. */
  async current(): Promise<Cell> {
    for (;;) {
      this.#options.closing.throwIfAborted();
      this.#current ??= this.#follow(this.#launchPatiently('start'));
      const starting = this.#current;
      const cell = await starting;
      if (cell.isOpen) return cell;
      // A cell that has just ended is replaced as soon as its end is noticed.
      if (!cell.isRetired && cell.fault === null) await cell.chromium.gone;
      else if (this.#current === starting) this.#current = null;
    }
  }

  /** Call it when the cell has failed. */
  replace(cell: Cell): void {
    if (cell !== this.#cell || this.#options.closing.aborted) return;
    this.restarts += 1;
    this.#cell = null;
    const next = this.#renewal?.catch(() => this.#launchPatiently('restart')) ?? this.#launchPatiently('restart');
    this.#current = this.#follow(next);
    this.#current.then(() => this.#options.replaced()).catch(() => undefined);
  }

  /** Counts a capture, and renews the cell after its last capture. */
  async captured(cell: Cell): Promise<void> {
    const { launch, replaced, closing, maxCaptures = defaultMaxCaptures, log } = this.#options;
    cell.captures += 1;
    if (cell.captures < maxCaptures || cell !== this.#cell || this.#renewal || closing.aborted) return;
    this.#renewal = launch('renewal');
    try {
      const renewed = await this.#renewal;
      // If the old cell has failed, a new cell has already replaced it.
      if (this.#cell !== cell) return;
      this.#current = this.#follow(this.#renewal);
      this.#cell = renewed;
      replaced();
      cell.retire();
    } catch (error) {
      log.warn({ err: error }, 'the browser could not be renewed; keeping the old one');
    } finally {
      this.#renewal = null;
    }
  }

  #follow(starting: Promise<Cell>): Promise<Cell> {
    const current = starting.then((cell) => {
      this.#cell = cell;
      this.startFailure = null;
      return cell;
    });
    current.catch(() => undefined);
    return current;
  }

  async #launchPatiently(reason: 'start' | 'restart'): Promise<Cell> {
    const { launch, closing, log } = this.#options;
    for (let failures = 0; ; failures += 1) {
      closing.throwIfAborted();
      try {
        return await launch(reason);
      } catch (error) {
        this.startFailure = error instanceof Error ? error.message : String(error);
        log.error({ err: error, failures: failures + 1 }, 'the browser does not start; will retry');
        await sleep(retryAfterMs(failures), undefined, { signal: closing });
      }
    }
  }
}
