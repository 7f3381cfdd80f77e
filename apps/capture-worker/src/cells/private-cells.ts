import { OwnerTurns } from '../browser/owner-turns.ts';
import type { Deadline } from '../deadline.ts';
import type { Cell } from './cell.ts';

/**
 * How long a private cell delays the start of the next one, milliseconds. Most captures in a private cell take 1 to 3 s. Without
 * this limit a page that takes two minutes would make captures that wait for a private cell fail.
 */
const defaultWaitedForMs = 3_000;

/** Who asks for a private cell. */
export interface PrivateUse {
  accountId: string;
  /** Whether the account is apart for an hour. Such accounts wait only for each other, and their cells have a lower priority. */
  isForLong: boolean;
  /** Whether no other capture may use the cell. */
  alone: boolean;
  /** No cell is started after this deadline. */
  deadline: Pick<Deadline, 'passed'>;
}

interface PrivateCellsOptions {
  launch(accountId: string, isForLong: boolean): Promise<Cell>;
  /** Aborted when the worker closes. */
  closing: AbortSignal;
  /** How many cells start before further cells wait. */
  atOnce: number;
  waitedForMs?: number | undefined;
}

/** The private cells: one for each account that is apart, and one for each capture that must be alone. */
export class PrivateCells {
  readonly #options: PrivateCellsOptions;
  readonly #turns: { suspected: OwnerTurns; known: OwnerTurns };
  readonly #cells = new Map<string, Promise<Cell>>();

  constructor(options: PrivateCellsOptions) {
    this.#options = options;
    this.#turns = { suspected: new OwnerTurns(options.atOnce), known: new OwnerTurns(options.atOnce) };
  }

  /** @throws {Error} if no cell started before the deadline. */
  async of(use: PrivateUse): Promise<Cell> {
    const { accountId, alone } = use;
    if (alone) return this.#start(use);
    for (;;) {
      const starting = this.#cells.get(accountId) ?? this.#start(use);
      this.#cells.set(accountId, starting);
      const cell = await starting.catch((error) => {
        this.#forget(accountId, starting);
        throw error;
      });
      if (cell.isOpen) return cell;
      this.#forget(accountId, starting);
    }
  }

  async #start({ accountId, isForLong, deadline }: PrivateUse): Promise<Cell> {
    const { launch, closing, waitedForMs = defaultWaitedForMs } = this.#options;
    const end = await this.#turns[isForLong ? 'known' : 'suspected'].next(accountId);
    try {
      closing.throwIfAborted();
      if (deadline.passed) throw new Error('no private browser was started in time');
      const cell = await launch(accountId, isForLong);
      void cell.chromium.ended.then(end);
      setTimeout(end, waitedForMs).unref();
      return cell;
    } catch (error) {
      end();
      throw error;
    }
  }

  #forget(accountId: string, starting: Promise<Cell>): void {
    if (this.#cells.get(accountId) === starting) this.#cells.delete(accountId);
  }
}
