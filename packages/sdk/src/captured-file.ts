/** A file in a response. Its bytes can be read once, as a stream or at once. */
export class CapturedFile {
  /** The ID of the capture; null for a file downloaded by its link. */
  readonly requestId: string | null;
  readonly contentType: string;
  /** The number of bytes; null if unknown before the end. */
  readonly size: number | null;
  /** Whether an earlier request with the same `Idempotency-Key` created the file. */
  readonly replayed: boolean;
  /** The main figures of the receipt; null where they do not apply. */
  readonly receipt: CaptureFigures;
  /** Reasons that the file may not show the page; null if unknown. The record has more: `quality`. */
  readonly qualityReasons: readonly string[] | null;
  readonly #response: Response;

  constructor(response: Response) {
    const { headers } = response;
    this.#response = response;
    this.requestId = headers.get('x-request-id');
    this.contentType = (headers.get('content-type') ?? 'application/octet-stream').split(';')[0]!.trim();
    this.size = wholeNumber(headers.get('content-length'));
    this.replayed = headers.get('idempotency-replayed') === 'true';
    this.qualityReasons = parseReasons(headers.get('x-capture-quality'));
    this.receipt = {
      durationMs: wholeNumber(headers.get('x-capture-duration-ms')),
      finalUrl: headers.get('x-capture-final-url'),
      httpStatus: wholeNumber(headers.get('x-capture-http-status')),
      wait: headers.get('x-capture-wait'),
      failedRequests: wholeNumber(headers.get('x-capture-failed-requests')),
      blockedRequests: wholeNumber(headers.get('x-capture-blocked-requests')),
    };
  }

  /** The bytes as a stream, with backpressure. */
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    if (!this.#response.body) throw new TypeError('The response has no body.');
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
  /** Duration of the capture, milliseconds. */
  durationMs: number | null;
  /** The captured page, without query and fragment. */
  finalUrl: string | null;
  /** The HTTP status of the captured page. */
  httpStatus: number | null;
  /** How the wait ended: `quiet` if everything was loaded. */
  wait: string | null;
  failedRequests: number | null;
  blockedRequests: number | null;
}

/** Reads `ok`, or reasons such as `incomplete,overlay`. */
function parseReasons(text: string | null): string[] | null {
  if (text === null) return null;
  return text === 'ok' ? [] : text.split(',').map((reason) => reason.trim());
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
