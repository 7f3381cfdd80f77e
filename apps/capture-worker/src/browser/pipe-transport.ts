import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer';
import { messageBytesAtMost } from '../limits.ts';

/** What a message that is too long is answered with, in place of its result. */
export const tooLongMessage = 'The answer is too long';

const end = 0;

/** Enough of a message's beginning to read its id, and of its end to read its session. */
const headLength = 64;
const tailLength = 256;

/**
 * Speaks with Chromium over the two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a zero byte. No
 * port is open that a page, or anybody else on the machine, could connect to.
 *
 * A message longer than `longest` bytes is not kept: the call it answers fails with `tooLongMessage`.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;

  readonly #toBrowser: Writable;
  readonly #fromBrowser: Readable;
  readonly #longest: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #closed = false;

  constructor(toBrowser: Writable, fromBrowser: Readable, longest = messageBytesAtMost) {
    this.#toBrowser = toBrowser;
    this.#fromBrowser = fromBrowser;
    this.#longest = longest;
    fromBrowser.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const stream of [toBrowser, fromBrowser]) {
      stream.on('close', () => this.#end());
      stream.on('error', () => this.#end());
    }
  }

  send(message: string): void {
    // Puppeteer may still have something to say to a browser that has just ended.
    if (!this.#closed) this.#toBrowser.write(`${message}\0`);
  }

  close(): void {
    this.#toBrowser.destroy();
    this.#fromBrowser.destroy();
    this.#end();
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let stop = chunk.indexOf(end); stop !== -1; stop = chunk.indexOf(end, start)) {
      this.#keep(chunk.subarray(start, stop));
      this.#deliver();
      start = stop + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length <= this.#longest) {
      this.#chunks.push(part);
      return;
    }
    const kept = Buffer.concat([...this.#chunks.slice(0, 1), ...this.#chunks.slice(1).slice(-1), part]);
    this.#chunks = [Buffer.from(kept.subarray(0, headLength)), Buffer.from(kept.subarray(-tailLength))];
  }

  #deliver(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const message = this.#length > this.#longest ? failure(bytes) : bytes?.toString('utf8');
    this.#chunks = [];
    this.#length = 0;
    // Each in a turn of its own: what a message sets off (promises) is done before the next one comes.
    if (message) setImmediate(() => this.onmessage?.(message));
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    setImmediate(() => this.onclose?.());
  }
}

/** The answer that stands for one that was too long; null where it was no answer but an event. */
function failure(headAndTail: Buffer | undefined): string | null {
  const text = headAndTail?.toString('latin1') ?? '';
  const id = /^\{"id":(\d+),/.exec(text)?.[1];
  const session = /"sessionId":"([0-9A-Za-z]+)"\}$/.exec(text)?.[1];
  if (id === undefined) return null;
  return JSON.stringify({
    id: Number(id),
    error: { code: -32_000, message: tooLongMessage },
    ...(session !== undefined && { sessionId: session }),
  });
}
