import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { DialTarget } from './dial.ts';
import { parseHost } from './host.ts';

/** The numbers of SOCKS 5 (RFC 1928). */
const VERSION = 5;
const NO_AUTHENTICATION = 0;
const NO_ACCEPTABLE_METHOD = 0xff;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

const replies = {
  succeeded: 0,
  notAllowed: 2,
  unreachable: 4,
  refused: 5,
  commandNotSupported: 7,
  addressNotSupported: 8,
} as const;

export type SocksReply = keyof typeof replies;

/**
 * Reads a client's target. Rejects any request except for a TCP connection to a URL's host and port, and ends its connection.
 *
 * @returns the host in its WHATWG form, which is checked, dialled and recorded; null if the request was rejected.
 */
export async function readSocksTarget(client: Socket): Promise<DialTarget | null> {
  const input = new HandshakeInput(client);
  try {
    const request = await readRequest(client, input);
    if (typeof request !== 'string') return request;
    sendReply(client, request);
  } catch {
    // The client is gone or does not speak SOCKS 5.
    client.destroy();
  } finally {
    input.release();
  }
  return null;
}

/** Replies to a request; any reply except `succeeded` ends the connection. */
export function sendReply(client: Socket, reply: SocksReply): void {
  if (client.destroyed) return;
  // The outgoing address is not revealed to the client.
  const bytes = Buffer.from([VERSION, replies[reply], 0, IPV4, 0, 0, 0, 0, 0, 0]);
  if (reply === 'succeeded') client.write(bytes);
  else client.end(bytes);
}

/** @returns the target, or the reply that rejects the request; null if a reply was already sent. */
async function readRequest(client: Socket, input: HandshakeInput): Promise<DialTarget | SocksReply | null> {
  const [version, methods = 0] = await input.take(2);
  if (version !== VERSION) throw new Error('not SOCKS 5');
  if (!(await input.take(methods)).includes(NO_AUTHENTICATION)) {
    client.end(Buffer.from([VERSION, NO_ACCEPTABLE_METHOD]));
    return null;
  }
  client.write(Buffer.from([VERSION, NO_AUTHENTICATION]));
  const [requestVersion, command, , kind] = await input.take(4);
  if (requestVersion !== VERSION) throw new Error('the version changed');
  const host = parseHost(await takeHost(input, kind));
  const port = (await input.take(2)).readUInt16BE();
  if (command !== CONNECT) return 'commandNotSupported';
  return host && port !== 0 ? { hostname: host.hostname, port } : 'addressNotSupported';
}

async function takeHost(input: HandshakeInput, kind: number | undefined): Promise<string> {
  switch (kind) {
    case IPV4:
      return ipaddr.fromByteArray([...(await input.take(4))]).toString();
    case IPV6:
      return ipaddr.fromByteArray([...(await input.take(16))]).toString();
    case NAME: {
      const [length = 0] = await input.take(1);
      return (await input.take(length)).toString('latin1');
    }
    default:
      throw new Error('unknown address type');
  }
}

/** The bytes of a client's handshake, before its connection becomes a tunnel. */
class HandshakeInput {
  readonly #client: Socket;
  #received: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;
  readonly #onData = (chunk: Buffer) => {
    this.#received = Buffer.concat([this.#received, chunk]);
    this.#wake();
  };
  readonly #onEnd = () => this.#wake();

  constructor(client: Socket) {
    this.#client = client.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd);
  }

  /** @throws {Error} if the client is gone before it has sent that many bytes. */
  async take(size: number): Promise<Buffer> {
    while (this.#received.length < size) {
      if (this.#client.readableEnded || this.#client.destroyed) throw new Error('the client is gone');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#received.subarray(0, size);
    this.#received = this.#received.subarray(size);
    return taken;
  }

  /** Puts unread bytes back and stops reading. */
  release(): void {
    this.#client.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).pause();
    if (this.#received.length > 0) this.#client.unshift(this.#received);
  }
}
