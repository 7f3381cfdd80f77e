import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer';
import { maxMessageBytes, maxTreeBytes } from '../limits.ts';
import { MessageMeter, type RawMessage } from './message-meter.ts';

/** The error of a call whose response is too long. */
export const tooLongMessage = 'The response is too long';

const end = 0;

/** The start of a response with the nodes of an accessibility tree, which takes far longer to decode than a file. */
const startOfTree = /^\{"id":\d+,"result":\{"nodes":/;

/** How many bytes at a message's start contain its id or method, and at its end its session. */
const headLength = 160;
const tailLength = 256;

/**
 * Talks to Chromium over the two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a zero byte. No port is open
 * that pages or other local users could connect to.
 *
 * A message longer than `maxBytes`, or than the limit on trees, is dropped, and its call fails with `tooLongMessage`. Events of
 * pages that exceed the limits of the meter are dropped, too.
 */
export class PipeTransport implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly meter = new MessageMeter();

  readonly #toBrowser: Writable;
  readonly #fromBrowser: Readable;
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #closed = false;

  constructor(toBrowser: Writable, fromBrowser: Readable, maxBytes = maxMessageBytes) {
    this.#toBrowser = toBrowser;
    this.#fromBrowser = fromBrowser;
    this.#maxBytes = maxBytes;
    fromBrowser.on('data', (chunk: Buffer) => this.#receive(chunk));
    for (const stream of [toBrowser, fromBrowser]) {
      stream.on('close', () => this.#end());
      stream.on('error', () => this.#end());
    }
  }

  send(message: string): void {
    // Puppeteer may still send to a browser that has just ended.
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
    if (this.#length <= this.#maxBytes) {
      this.#chunks.push(part);
      return;
    }
    const kept = Buffer.concat([...this.#chunks.slice(0, 1), ...this.#chunks.slice(1).slice(-1), part]);
    this.#chunks = [Buffer.from(kept.subarray(0, headLength)), Buffer.from(kept.subarray(-tailLength))];
  }

  #deliver(): void {
    const chunks = this.#chunks;
    const length = this.#length;
    this.#chunks = [];
    this.#length = 0;
    const raw = rawMessage(chunks, length);
    if (!raw || !this.meter.admit(raw)) return;
    const most = startOfTree.test(raw.head) ? Math.min(maxTreeBytes, this.#maxBytes) : this.#maxBytes;
    const message = length > most ? failure(raw) : raw.start();
    // Each message gets its own turn of the event loop, so that promises which it settles run before the next message.
    if (message) setImmediate(() => this.onmessage?.(message));
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    setImmediate(() => this.onclose?.());
  }
}

function rawMessage(chunks: readonly Buffer[], length: number): RawMessage | null {
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (!first || !last) return null;
  let joined: Buffer | undefined;
  const whole = () => {
    joined ??= chunks.length === 1 ? first : Buffer.concat(chunks);
    return joined;
  };
  const isLong = (part: Buffer, bytes: number) => chunks.length === 1 || part.length >= bytes;
  return {
    length,
    head: (isLong(first, headLength) ? first : whole()).toString('latin1', 0, headLength),
    tail: (isLong(last, tailLength) ? last : whole()).subarray(-tailLength).toString('latin1'),
    start: (bytes) => whole().toString('utf8', 0, bytes),
  };
}

/** The error that replaces a response that is too long; null if the message was an event. */
function failure({ head, tail }: RawMessage): string | null {
  const id = /^\{"id":(\d+),/.exec(head)?.[1];
  const session = /"sessionId":"([0-9A-Za-z]+)"\}$/.exec(tail)?.[1];
  if (id === undefined) return null;
  return JSON.stringify({
    id: Number(id),
    error: { code: -32_000, message: tooLongMessage },
    ...(session !== undefined && { sessionId: session }),
  });
}
