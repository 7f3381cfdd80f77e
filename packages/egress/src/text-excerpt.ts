import type { Readable } from 'node:stream';

/** The beginning of a stream as text, including the bytes that were read before a failure. */
export class TextExcerpt {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Reads up to the limit, then destroys the stream, and with it the connection. */
  async read(stream: Readable): Promise<void> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const kept = chunk.subarray(0, this.#maxBytes - this.#bytes);
      this.#chunks.push(kept);
      this.#bytes += kept.length;
      if (this.#bytes >= this.#maxBytes) break;
    }
  }

  /** The text as UTF-8. A character that the limit splits is omitted, and NUL, which Postgres cannot store, is replaced. */
  get text(): string {
    const decoder = new TextDecoder();
    return decoder.decode(Buffer.concat(this.#chunks), { stream: true }).replaceAll('\0', '\ufffd');
  }
}
