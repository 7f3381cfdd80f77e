import type { Acceptance, CaptureRecord, ListCapturesQuery } from '../api-types.ts';
import { type CaptureOptions, type CaptureType, capturePaths, captureTimeMs } from '../capture-options.ts';
import { type Listing, listingOf } from '../http/listing.ts';
import type { MakingOptions, RequestOptions, Transport } from '../http/transport.ts';
import { captureHasEnded, pollUntil, type WaitOptions } from '../wait.ts';

/** Captures by their records. */
export class Captures {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Takes a capture later: answers at once with where its record will be. */
  create<Type extends CaptureType>(
    type: Type,
    options: CaptureOptions[Type],
    request?: MakingOptions,
  ): Promise<Acceptance> {
    const body = { ...options, async: true };
    return this.#transport.json({ method: 'POST', path: capturePaths[type], body, repeat: 'keyed' }, request);
  }

  /**
   * Takes a capture and answers with its record in place of the bytes, which are at its `file_url`.
   *
   * @throws {CaptureFailedError} for one that fails.
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

  /** The account's captures, newest first. */
  list(filter?: ListCapturesQuery, request?: RequestOptions): Listing<CaptureRecord> {
    return listingOf(this.#transport, '/api/v1/captures', 'captures', filter, request);
  }

  /** Removes a capture's file, its record stays; one that has not ended is cancelled. */
  delete(requestId: string, request?: RequestOptions): Promise<void> {
    return this.#transport.delete(pathOf(requestId), request);
  }

  /**
   * Waits until a capture has ended, whatever came of it, and hands back its record: `status` says what.
   *
   * @throws {WaitTimeoutError} after `timeoutMs`, if that is given.
   */
  wait(requestId: string, options: WaitOptions = {}): Promise<CaptureRecord> {
    const read = (signal: AbortSignal | undefined) => this.get(requestId, { signal });
    return pollUntil(read, captureHasEnded, `the capture ${requestId}`, options);
  }
}

function pathOf(requestId: string): string {
  return `/api/v1/captures/${encodeURIComponent(requestId)}`;
}
