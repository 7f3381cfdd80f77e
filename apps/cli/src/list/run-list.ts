import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { CaptureClient } from '@capture/sdk/client';
import { NotFoundError } from '@capture/sdk/errors';
import { flagOf, type GivenOptions } from '../options/option-flags.ts';
import type { Report } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import type { ListFolder, StartedBatch } from './folder.ts';
import { followBatch } from './follow-batch.ts';
import { faultOfUrl, type Item } from './item.ts';
import { OutcomeKeeper } from './keep-outcomes.ts';
import { type BatchTerms, type ItemFault, submitBatch } from './submit-batch.ts';

/** What the contract allows in one batch; the server may say less. */
export const batchItemsAtMost = 1_000;

/** Two, so that the server has work while the last captures of one end. */
export const batchesAtOnce = 2;

export interface ListRun {
  client: CaptureClient;
  folder: ListFolder;
  /** All of the list. */
  listed: readonly Item[];
  /** What of it is to be captured in this run. */
  todo: readonly Item[];
  /** The options that the call gave to all of them; they are in the items already. */
  usual: GivenOptions;
  terms: BatchTerms;
  /** Captures that are under way at once at most. */
  concurrency: number;
  signal: AbortSignal;
  report: Report;
  /** Called for each capture that ended and is in the manifest. */
  onOutcome: (key: string, status: 'completed' | 'failed') => void;
}

/**
 * Captures a list into its folder: batches of an earlier run are followed to their end, and the rest is handed in as
 * batches of this one.
 *
 * @returns how many could not be handed in because the month's quota is used up.
 * @throws what is no fault of single captures; what was done is in the manifest, and a later run goes on from there.
 */
export async function runList(run: ListRun): Promise<{ left: number }> {
  return new ListRunner(run).run();
}

class ListRunner {
  readonly #run: ListRun;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #outcomes: OutcomeKeeper;
  readonly #listed: ReadonlyMap<string, Item>;
  readonly #wanted: ReadonlySet<string>;
  readonly #underWay = new Set<Promise<void>>();
  #todo: Item[];
  #batchSize: number;
  /** The server's words, once the month's captures are used up. */
  #outOfQuota: string | null = null;

  constructor(run: ListRun) {
    this.#run = run;
    this.#signal = AbortSignal.any([run.signal, this.#failed.signal]);
    // Every request and every file listens to it.
    setMaxListeners(0, this.#signal);
    this.#outcomes = new OutcomeKeeper(run.client, run.folder, this.#signal, run.onOutcome);
    this.#listed = new Map(run.listed.map((item) => [item.key, item]));
    this.#wanted = new Set(run.todo.map(({ key }) => key));
    this.#batchSize = Math.min(batchItemsAtMost, Math.max(1, Math.floor(run.concurrency / batchesAtOnce)));
    const underWay = new Set(run.folder.unfinished.flatMap((batch) => this.#openKeys(batch)));
    this.#todo = run.todo.filter(({ key }) => !underWay.has(key));
  }

  async run(): Promise<{ left: number }> {
    try {
      this.#refuseWhatIsNoUrl();
      for (const batch of this.#run.folder.unfinished) this.#start(this.#resume(batch));
      await this.#handInAndFollow();
    } catch (error) {
      // The other batch and its downloads end too.
      this.#failed.abort(error);
      throw error;
    } finally {
      // Nothing is written any more once this has returned.
      await Promise.allSettled(this.#underWay);
    }
    if (this.#outOfQuota !== null) this.#run.report(this.#outOfQuota);
    return { left: this.#todo.length };
  }

  async #handInAndFollow(): Promise<void> {
    const room = Math.min(batchesAtOnce, this.#run.concurrency);
    for (;;) {
      while (this.#todo.length > 0 && this.#underWay.size < room) {
        // Captures that failed give their quota back: it is tried again when nothing is under way any more.
        if (this.#outOfQuota !== null && this.#underWay.size > 0) break;
        const batch = await this.#handInSome();
        if (batch) this.#start(this.#follow(batch));
        else if (this.#outOfQuota !== null && this.#underWay.size === 0) return;
      }
      this.#signal.throwIfAborted();
      if (this.#underWay.size === 0) return;
      await Promise.race(this.#underWay);
      this.#signal.throwIfAborted();
    }
  }

  /** What goes wrong ends all of the run, wherever that is just then. */
  #start(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error) => this.#failed.abort(error))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** What no server takes would make it refuse a whole batch. */
  #refuseWhatIsNoUrl(): void {
    for (const item of this.#todo) {
      const fault = faultOfUrl(item.url);
      if (fault !== null) this.#outcomes.fail(item, { error_code: 'INVALID_REQUEST', error_message: `url: ${fault}` });
    }
    this.#todo = this.#todo.filter(({ key }) => !this.#outcomes.has(key));
  }

  /** Hands in the next items as one batch. @returns null where none was made of them. */
  #handInSome(): Promise<StartedBatch | null> {
    const { folder } = this.#run;
    const items = this.#todo.splice(0, this.#batchSize);
    const batch = { id: randomUUID(), items: items.map((item) => folder.plan(item)) };
    folder.begin(batch);
    return this.#handIn(batch, items);
  }

  async #handIn(batch: StartedBatch, items: readonly Item[]): Promise<StartedBatch | null> {
    const { client, folder, terms } = this.#run;
    const given = await submitBatch(client, items, terms, { idempotencyKey: batch.id, signal: this.#signal });
    if (given.status === 'accepted') {
      folder.accept(batch, given.batchId);
      this.#outOfQuota = null;
      return { ...batch, batchId: given.batchId };
    }
    folder.end(batch, given.status);
    if (given.status === 'refused') this.#failRefused(items, given.faults);
    if (given.status === 'too large') this.#makeSmaller(items, given.itemsAtMost);
    if (given.status === 'no quota') {
      const some = items.length > 1 && given.left > 0;
      if (some) this.#batchSize = Math.min(given.left, items.length - 1);
      this.#outOfQuota = some ? null : given.message;
    }
    this.#takeBack(batch);
    return null;
  }

  /** @throws {UsageError} for an option that the call gave to all of them. */
  #failRefused(items: readonly Item[], faults: ReadonlyMap<number, readonly ItemFault[]>): void {
    for (const [index, found] of faults) {
      const item = items[index];
      if (!item) continue;
      for (const { option, message } of found) {
        const isOfCall = option in this.#run.usual && item.options[option] === this.#run.usual[option];
        if (isOfCall) throw new UsageError(`${flagOf(option)} ${message}`);
      }
      const said = found.map(({ field, message }) => `${field} ${message}`).join('; ');
      this.#outcomes.fail(item, { error_code: 'INVALID_REQUEST', error_message: said });
    }
  }

  #makeSmaller(items: readonly Item[], itemsAtMost: number | null): void {
    const [first] = items;
    if (items.length === 1 && first) {
      const why = { error_code: 'PAYLOAD_TOO_LARGE', error_message: 'Its options are too large for a request.' };
      this.#outcomes.fail(first, why);
    } else {
      const isLimit = itemsAtMost !== null && itemsAtMost > 0 && itemsAtMost < items.length;
      this.#batchSize = isLimit ? itemsAtMost : Math.ceil(items.length / 2);
    }
  }

  /** Goes on with a batch that an earlier run began: asks for it by its name, or hands it in again under its key. */
  async #resume(batch: StartedBatch): Promise<void> {
    if (batch.batchId !== undefined) return this.#follow(batch);
    const items = batch.items.flatMap(({ key }) => this.#listed.get(key) ?? []);
    if (items.length === batch.items.length) {
      const accepted = await this.#handIn(batch, items);
      return accepted ? this.#follow(accepted) : undefined;
    }
    this.#run.folder.end(batch, 'the list has changed');
    this.#run.report('the list has changed since a run was broken off: what that run asked for last may be made twice');
    this.#takeBack(batch);
  }

  async #follow(batch: StartedBatch): Promise<void> {
    const { client, folder } = this.#run;
    const keeping: Promise<unknown>[] = [];
    try {
      for await (const ended of followBatch(client, String(batch.batchId), batch.items, this.#signal)) {
        keeping.push(this.#outcomes.keep(batch, ended).catch((error) => this.#failed.abort(error)));
      }
      await Promise.all(keeping);
      this.#signal.throwIfAborted();
      folder.end(batch);
    } catch (error) {
      await Promise.all(keeping);
      // It is another server, or another account, or the batch is long gone.
      if (!(error instanceof NotFoundError)) throw error;
      folder.end(batch, 'not found');
    }
    this.#takeBack(batch);
  }

  /** What a batch did not bring is handed in anew, before all that has not been handed in yet. */
  #takeBack(batch: StartedBatch): void {
    const isLeft = (key: string) => this.#wanted.has(key) && !this.#outcomes.has(key);
    const back = this.#openKeys(batch).filter(isLeft);
    this.#todo = [...back.flatMap((key) => this.#listed.get(key) ?? []), ...this.#todo];
  }

  /** The captures of a batch whose outcome, of this very batch, is not in the manifest. */
  #openKeys({ items, batchId }: StartedBatch): string[] {
    const { folder } = this.#run;
    const isOpen = (key: string) => batchId === undefined || folder.outcomeOf(key)?.batch_id !== batchId;
    return items.map(({ key }) => key).filter(isOpen);
  }
}
