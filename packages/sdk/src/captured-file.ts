/** A file as it comes over the wire: its bytes are read once, as a stream or at once. */
export class CapturedFile {
  /** The capture's id; null for a file that was read by its link. */
  readonly requestId: string | null;
  readonly contentType: string;
  /** Bytes; null where it is not known before all has come. */
  readonly size: number | null;
  /** Whether an earlier request with the same `Idempotency-Key` made it. */
  readonly replayed: boolean;
  /** The main figures of the capture's receipt; what does not apply is null. */
  readonly receipt: CaptureFigures;
  readonly #response: Response;

  constructor(response: Response) {
    const { headers } = response;
    this.#response = response;
    this.requestId = headers.get('x-request-id');
    this.contentType = (headers.get('content-type') ?? 'application/octet-stream').split(';')[0]!.trim();
    this.size = wholeNumber(headers.get('content-length'));
    this.replayed = headers.get('idempotency-replayed') === 'true';
    this.receipt = {
      durationMs: wholeNumber(headers.get('x-capture-duration-ms')),
      finalUrl: headers.get('x-capture-final-url'),
      httpStatus: wholeNumber(headers.get('x-capture-http-status')),
      wait: headers.get('x-capture-wait'),
      failedRequests: wholeNumber(headers.get('x-capture-failed-requests')),
      blockedRequests: wholeNumber(headers.get('x-capture-blocked-requests')),
    };
  }

  /** The bytes as they come; no more is read than is asked for. */
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (!this.#response.body) throw new TypeError('The answer has no body.');
    return this.#response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#response.arrayBuffer();
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  blob(): Promise<Blob> {
    return this.#response.blob();
  }
}

export interface CaptureFigures {
  /** Milliseconds that the capture took. */
  durationMs: number | null;
  /** The page that was drawn, without query and fragment. */
  finalUrl: string | null;
  /** The status of that page: an error page is a page too. */
  httpStatus: number | null;
  /** What the waiting ended on: `quiet` if all had come. */
  wait: string | null;
  failedRequests: number | null;
  blockedRequests: number | null;
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
