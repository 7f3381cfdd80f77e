import { type CaptureOptions, type CaptureType, capturePaths, captureTimeMs } from '../capture-options.ts';
import { CapturedFile } from '../captured-file.ts';
import type { Acceptance, CaptureRecord, ListCapturesQuery } from '../generated/api-types.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { MakingOptions, RequestOptions, Transport } from '../http/transport.ts';
import { captureHasEnded, pollUntil, type WaitOptions } from '../wait.ts';

/** Captures by their records. */
export class Captures {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Submits an asynchronous capture and returns the URL of its record at once. */
  create<Type extends CaptureType>(
    type: Type,
    options: CaptureOptions[Type],
    request?: MakingOptions,
  ): Promise<Acceptance> {
    const body = { ...options, async: true };
    return this.#transport.json({ method: 'POST', path: capturePaths[type], body, repeat: 'keyed' }, request);
  }

  /**
   * Captures a page and returns the record instead of the file, which is at its `file_url`.
   *
   * @throws {CaptureFailedError} if the capture fails.
   */
  take<Type extends CaptureType>(
    type: Type,
    options: CaptureOptions[Type],
    request?: MakingOptions,
  ): Promise<CaptureRecord> {
    const body = { ...options, response_type: 'json' };
    const extraMs = captureTimeMs(options);
    return this.#transport.json({ method: 'POST', path: capturePaths[type], body, repeat: 'keyed', extraMs }, request);
  }

  get(requestId: string, request?: RequestOptions): Promise<CaptureRecord> {
    return this.#transport.json({ method: 'GET', path: pathOf(requestId), repeat: 'safe' }, request);
  }

  /** Lists the account's captures, newest first. */
  list(filter?: ListCapturesQuery, request?: RequestOptions): Listing<CaptureRecord> {
    return listingOf(this.#transport, '/api/v1/captures', 'captures', filter, request);
  }

  /** Deletes the file of a capture and keeps its record. A capture that has not ended is cancelled. */
  delete(requestId: string, request?: RequestOptions): Promise<void> {
    return this.#transport.delete(pathOf(requestId), request);
  }

  /** Returns a small WebP of a completed screenshot or OG image: its top, in full width. */
  async thumbnail(requestId: string, request?: RequestOptions): Promise<CapturedFile> {
    const call = { method: 'GET', path: `${pathOf(requestId)}/thumbnail`, repeat: 'safe' } as const;
    return new CapturedFile(await this.#transport.stream(call, request));
  }

  /**
   * Waits until a capture has ended and returns its record, whose `status` is the outcome.
   *
   * @throws {WaitTimeoutError} after `timeoutMs`, if set.
   */
  wait(requestId: string, options: WaitOptions = {}): Promise<CaptureRecord> {
    const read = (signal: AbortSignal | undefined) => this.get(requestId, { signal });
    return pollUntil(read, captureHasEnded, `the capture ${requestId}`, options);
  }
}

function pathOf(requestId: string): string {
  return `/api/v1/captures/${encodeURIComponent(requestId)}`;
}
