import { CapturedFile } from '../captured-file.ts';
import type {
  Batch,
  BatchRequest,
  BatchResult,
  BatchWithResults,
  GetBatchQuery,
  ListBatchesQuery,
  SubmitBatchResponse,
} from '../generated/api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { MakingOptions, RequestOptions, Transport } from '../http/transport.ts';
import { type WaitForBatchOptions, waitForBatch } from '../wait-for-batch.ts';

/** Many captures in one request. */
export class Batches {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Submits up to 1,000 items. All are validated before any is accepted. */
  create(batch: BatchRequest, request?: MakingOptions): Promise<SubmitBatchResponse> {
    return this.#transport.json({ method: 'POST', path: '/api/v1/batches', body: batch, repeat: 'keyed' }, request);
  }

  /** Returns a batch with a page of its results. */
  get(batchId: string, query?: GetBatchQuery, request?: RequestOptions): Promise<BatchWithResults> {
    return this.#transport.json({ method: 'GET', path: pathOf(batchId), query, repeat: 'safe' }, request);
  }

  /** Lists the account's batches, newest first. */
  list(query?: ListBatchesQuery, request?: RequestOptions): Listing<Batch> {
    return listingOf(this.#transport, '/api/v1/batches', 'batches', query, request);
  }

  /** Lists all results of a batch, in the order of its items. */
  results(batchId: string, query: GetBatchQuery = { limit: 100 }, request?: RequestOptions): Listing<BatchResult> {
    return listingOf(this.#transport, pathOf(batchId), 'results', query, request);
  }

  /** Cancels captures that have not started. Running captures are finished. Has no effect on a batch that has ended. */
  cancel(batchId: string, request?: RequestOptions): Promise<Batch> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(batchId)}/cancel`, repeat: 'safe' }, request);
  }

  /** Streams the files as a zip with a `manifest.json`. */
  async archive(batchId: string, request?: RequestOptions): Promise<CapturedFile> {
    const call = { method: 'GET', path: `${pathOf(batchId)}/archive`, repeat: 'safe' } as const;
    return new CapturedFile(await this.#transport.stream(call, request));
  }

  /**
   * Waits until every item has ended. Progress comes from the event stream, or from polling if streams are blocked.
   *
   * @throws {WaitTimeoutError} after `timeoutMs`, if set; the batch continues.
   */
  wait(batchId: string, options: WaitForBatchOptions = {}): Promise<Batch> {
    return waitForBatch(this.#transport, pathOf(batchId), options);
  }
}

function pathOf(batchId: string): string {
  return `/api/v1/batches/${encodeURIComponent(batchId)}`;
}
