import { ApiError } from '@capture/contract/errors';
import type { Logger } from '@capture/runtime/service/log';
import { withTimeout } from '@capture/runtime/timeout';
import { inSpan } from '@capture/runtime/tracing/trace';
import { htmlKey } from '@capture/storage/file-key';
import { putFiles, removeFiles } from '@capture/storage/many-files';
import type { Storage } from '@capture/storage/storage';
import type { KeyExchange } from '../http/exchange.ts';
import type { Admission } from '../limits/admission.ts';
import type { CreationResult } from '../limits/idempotency.ts';
import { rateLimited, type TokenDependencies, tokenWaitMs } from '../limits/take-token.ts';

/** How long the storage may take to store a body of up to 5 MB, milliseconds. A slower storage is as good as unavailable. */
const storeWithinMs = 20_000;

const retryAfterS = 5;

export interface HtmlDependencies extends TokenDependencies {
  storage: Pick<Storage, 'put' | 'remove'>;
  admission: Admission;
  log: Pick<Logger, 'warn'>;
}

/**
 * The pages that a request submits as `html`. The gateway writes them to the storage outside of any transaction, before it
 * inserts the rows that name them, and removes them if no row needs them. When a process is lost, the cleanup of files without
 * a row removes its pages.
 */
export class HtmlFiles {
  readonly #dependencies: HtmlDependencies;
  readonly #exchange: KeyExchange;
  readonly #files: { key: string; text: string }[];
  #stored: Promise<void> | null = null;

  /** @param captures with their options as the client sent them. */
  constructor(
    dependencies: HtmlDependencies,
    exchange: KeyExchange,
    captures: readonly { id: string; options: Record<string, unknown> }[],
  ) {
    this.#dependencies = dependencies;
    this.#exchange = exchange;
    this.#files = captures.flatMap(({ id, options: { html } }) =>
      typeof html === 'string' ? [{ key: htmlKey(id), text: html }] : [],
    );
  }

  /**
   * Writes the pages before the request is admitted, unless the rate limit would refuse it.
   *
   * @throws {ApiError} `RATE_LIMITED`, and the errors of `store`.
   */
  async storeAhead(): Promise<void> {
    if (this.#files.length === 0 || this.#stored) return;
    const waitMs = await tokenWaitMs(this.#dependencies, this.#exchange);
    if (waitMs > 0) throw rateLimited(this.#exchange.caller, waitMs);
    await this.store();
  }

  /**
   * Writes the pages. Further calls do nothing.
   *
   * @throws {ApiError} `OVERLOADED` if the storage is unavailable.
   */
  async store(): Promise<void> {
    if (this.#files.length === 0) return;
    this.#stored ??= inSpan('store html', {}, () => this.#write());
    await this.#stored;
  }

  async #write(): Promise<void> {
    const { storage, admission } = this.#dependencies;
    await admission.run('htmlWrite', this.#exchange.caller.accountId, async () => {
      try {
        await withTimeout(storeWithinMs, putFiles(storage, this.#files), () => {
          throw new Error(`the pages were not written within ${storeWithinMs} ms`);
        });
      } catch (cause) {
        throw new ApiError(
          'OVERLOADED',
          'The service cannot store the submitted html at the moment. Nothing was captured or counted; try again later.',
          { cause, retryAfterS },
        );
      }
    });
  }

  /**
   * Inserts the rows with `create`, and removes the pages if no row needs them: the request was refused or replayed, or ended
   * at once with the file of an equal capture. After any other error the rows may have been committed all the same.
   */
  async keptBy<Created extends { ended: boolean }>(
    create: () => Promise<CreationResult<Created>>,
  ): Promise<CreationResult<Created>> {
    try {
      const result = await create();
      if (result.replayed || result.created.ended) this.#discard();
      return result;
    } catch (error) {
      if (error instanceof ApiError) this.#discard();
      throw error;
    }
  }

  /** Removes the pages in the background. */
  #discard(): void {
    if (!this.#stored) return;
    removeHtml(
      this.#dependencies,
      this.#files.map(({ key }) => key),
    );
  }
}

/** Removes pages that are no longer needed, in the background. */
export function removeHtml({ storage, log }: Pick<HtmlDependencies, 'storage' | 'log'>, keys: readonly string[]): void {
  void removeFiles(storage, keys).then(({ error }) => {
    if (error) log.warn({ err: error }, 'could not remove html; the cleanup job for files without a row will do it');
  });
}
