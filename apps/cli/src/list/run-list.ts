import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { CaptureClient } from '@capture-platform/sdk/client';
import { NotFoundError } from '@capture-platform/sdk/errors';
import { flagOf, type OptionValues } from '../options/option-flags.ts';
import type { Report } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import type { ListFolder, StartedBatch } from './folder.ts';
import { followBatch } from './follow-batch.ts';
import { checkUrl, type Item } from './item.ts';
import { OutcomeKeeper } from './keep-outcomes.ts';
import { type BatchTerms, type ItemFault, submitBatch } from './submit-batch.ts';

/** The limit of the contract. A server may allow less. */
export const maxBatchItems = 1_000;

/** With two batches, the server has work while the last captures of a batch end. */
export const concurrentBatches = 2;

export interface ListRun {
  client: CaptureClient;
  folder: ListFolder;
  listed: readonly Item[];
  /** The items to capture in this run. */
  todo: readonly Item[];
  /** Options of the command line, which the items contain already. */
  defaults: OptionValues;
  terms: BatchTerms;
  /** The maximum number of captures in progress. */
  concurrency: number;
  signal: AbortSignal;
  report: Report;
  /** Called for each finished capture once the capture is in the manifest. */
  onOutcome: (key: string, status: 'completed' | 'failed') => void;
}

/**
 * Captures a list into its folder: follows the batches of earlier runs to their end and submits the remaining items in new
 * batches.
 *
 * @returns the number of items that were not submitted because the month's quota is used up.
 * @throws errors that are not about single captures. Finished work is in the manifest, and a later run continues.
 */
export async function runList(run: ListRun): Promise<{ remaining: number }> {
  return new ListRunner(run).run();
}

class ListRunner {
  readonly #run: ListRun;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #outcomes: OutcomeKeeper;
  readonly #listed: ReadonlyMap<string, Item>;
  readonly #todoKeys: ReadonlySet<string>;
  readonly #inProgress = new Set<Promise<void>>();
  #todo: Item[];
  #batchSize: number;
  /** The server's message, once the month's quota is used up. */
  #outOfQuota: string | null = null;

  constructor(run: ListRun) {
    this.#run = run;
    this.#signal = AbortSignal.any([run.signal, this.#failed.signal]);
    // Every request and download listens to the signal.
    setMaxListeners(0, this.#signal);
    this.#outcomes = new OutcomeKeeper(run.client, run.folder, this.#signal, run.onOutcome);
    this.#listed = new Map(run.listed.map((item) => [item.key, item]));
    this.#todoKeys = new Set(run.todo.map(({ key }) => key));
    this.#batchSize = Math.min(maxBatchItems, Math.max(1, Math.floor(run.concurrency / concurrentBatches)));
    const inProgress = new Set(run.folder.unfinished.flatMap((batch) => this.#openKeys(batch)));
    this.#todo = run.todo.filter(({ key }) => !inProgress.has(key));
  }

  async run(): Promise<{ remaining: number }> {
    try {
      this.#failInvalidUrls();
      for (const batch of this.#run.folder.unfinished) this.#start(this.#resume(batch));
      await this.#submitAndFollow();
    } catch (error) {
      // This stops the other batch and its downloads.
      this.#failed.abort(error);
      throw error;
    } finally {
      // Nothing is written after `run` returns.
      await Promise.allSettled(this.#inProgress);
    }
    if (this.#outOfQuota !== null) this.#run.report(this.#outOfQuota);
    return { remaining: this.#todo.length };
  }

  async #submitAndFollow(): Promise<void> {
    const limit = Math.min(concurrentBatches, this.#run.concurrency);
    for (;;) {
      while (this.#todo.length > 0 && this.#inProgress.size < limit) {
        // Failed captures return their quota, so the run tries again when nothing is in progress.
        if (this.#outOfQuota !== null && this.#inProgress.size > 0) break;
        const batch = await this.#submitNext();
        if (batch) this.#start(this.#follow(batch));
        else if (this.#outOfQuota !== null && this.#inProgress.size === 0) return;
      }
      this.#signal.throwIfAborted();
      if (this.#inProgress.size === 0) return;
      await Promise.race(this.#inProgress);
      this.#signal.throwIfAborted();
    }
  }

  /** Tracks work whose failure ends the whole run. */
  #start(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error) => this.#failed.abort(error))
      .finally(() => this.#inProgress.delete(tracked));
    this.#inProgress.add(tracked);
  }

  /** Fails invalid URLs first, because the server would refuse the whole batch of an invalid URL. */
  #failInvalidUrls(): void {
    for (const item of this.#todo) {
      const fault = checkUrl(item.url);
      if (fault !== null) this.#outcomes.fail(item, { error_code: 'INVALID_REQUEST', error_message: `url: ${fault}` });
    }
    this.#todo = this.#todo.filter(({ key }) => !this.#outcomes.has(key));
  }

  /** Submits the next items as one batch. @returns null if the server did not accept it. */
  #submitNext(): Promise<StartedBatch | null> {
    const { folder } = this.#run;
    const items = this.#todo.splice(0, this.#batchSize);
    const batch = { id: randomUUID(), items: items.map((item) => folder.plan(item)) };
    folder.begin(batch);
    return this.#submit(batch, items);
  }

  async #submit(batch: StartedBatch, items: readonly Item[]): Promise<StartedBatch | null> {
    const { client, folder, terms } = this.#run;
    const submission = await submitBatch(client, items, terms, { idempotencyKey: batch.id, signal: this.#signal });
    if (submission.status === 'accepted') {
      folder.accept(batch, submission.batchId);
      this.#outOfQuota = null;
      return { ...batch, batchId: submission.batchId };
    }
    folder.end(batch, submission.status);
    if (submission.status === 'refused') this.#failRefused(items, submission.faults);
    if (submission.status === 'too large') this.#makeSmaller(items, submission.maxItems);
    if (submission.status === 'no quota') {
      const some = items.length > 1 && submission.remaining > 0;
      if (some) this.#batchSize = Math.min(submission.remaining, items.length - 1);
      this.#outOfQuota = some ? null : submission.message;
    }
    this.#requeue(batch);
    return null;
  }

  /** @throws {UsageError} for an invalid option of the command line. */
  #failRefused(items: readonly Item[], faults: ReadonlyMap<number, readonly ItemFault[]>): void {
    for (const [index, found] of faults) {
      const item = items[index];
      if (!item) continue;
      for (const { option, message } of found) {
        const isDefault = option in this.#run.defaults && item.options[option] === this.#run.defaults[option];
        if (isDefault) throw new UsageError(`${flagOf(option)} ${message}`);
      }
      const reasons = found.map(({ field, message }) => `${field} ${message}`).join('; ');
      this.#outcomes.fail(item, { error_code: 'INVALID_REQUEST', error_message: reasons });
    }
  }

  #makeSmaller(items: readonly Item[], maxItems: number | null): void {
    const [first] = items;
    if (items.length === 1 && first) {
      const failure = { error_code: 'PAYLOAD_TOO_LARGE', error_message: 'The options are too large for a request.' };
      this.#outcomes.fail(first, failure);
    } else {
      const isLimit = maxItems !== null && maxItems > 0 && maxItems < items.length;
      this.#batchSize = isLimit ? maxItems : Math.ceil(items.length / 2);
    }
  }

  /** Continues a batch of an earlier run: follows it, or submits it again with the same key. */
  async #resume(batch: StartedBatch): Promise<void> {
    if (batch.batchId !== undefined) return this.#follow(batch);
    const items = batch.items.flatMap(({ key }) => this.#listed.get(key) ?? []);
    if (items.length === batch.items.length) {
      const accepted = await this.#submit(batch, items);
      return accepted ? this.#follow(accepted) : undefined;
    }
    this.#run.folder.end(batch, 'the list has changed');
    this.#run.report('the list has changed since an interrupted run: the last batch of that run may be captured twice');
    this.#requeue(batch);
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
      // The batch belongs to another server or account, or has expired.
      if (!(error instanceof NotFoundError)) throw error;
      folder.end(batch, 'not found');
    }
    this.#requeue(batch);
  }

  /** Puts the unfinished items of a batch back at the front of the queue. */
  #requeue(batch: StartedBatch): void {
    const isUnfinished = (key: string) => this.#todoKeys.has(key) && !this.#outcomes.has(key);
    const unfinished = this.#openKeys(batch).filter(isUnfinished);
    this.#todo = [...unfinished.flatMap((key) => this.#listed.get(key) ?? []), ...this.#todo];
  }

  /** Returns the captures of a batch that have no outcome from this batch in the manifest. */
  #openKeys({ items, batchId }: StartedBatch): string[] {
    const { folder } = this.#run;
    const isOpen = (key: string) => batchId === undefined || folder.outcomeOf(key)?.batch_id !== batchId;
    return items.map(({ key }) => key).filter(isOpen);
  }
}
