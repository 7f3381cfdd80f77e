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

/** What the client is answered. */
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
 * Reads what a client wants to be connected to. One that wants anything else than a TCP connection to the host and port of
 * a URL is answered so, and its connection ended.
 *
 * @returns the host in its WHATWG form, which is what is judged, dialled and recorded; null where there is nothing to connect.
 */
export async function readSocksTarget(client: Socket): Promise<DialTarget | null> {
  const words = new Words(client);
  try {
    const wish = await readWish(client, words);
    if (typeof wish !== 'string') return wish;
    responseSocks(client, wish);
  } catch {
    // It is gone, or speaks something else.
    client.destroy();
  } finally {
    words.leave();
  }
  return null;
}

/** Answers what was asked for; anything but `succeeded` ends the connection. */
export function responseSocks(client: Socket, reply: SocksReply): void {
  if (client.destroyed) return;
  // The address that the connection goes out from is none of the client's business.
  const answer = Buffer.from([VERSION, replies[reply], 0, IPV4, 0, 0, 0, 0, 0, 0]);
  if (reply === 'succeeded') client.write(answer);
  else client.end(answer);
}

/** @returns why it cannot be fulfilled, where it cannot; null where the client was told so already. */
async function readWish(client: Socket, words: Words): Promise<DialTarget | SocksReply | null> {
  const [version, methods = 0] = await words.take(2);
  if (version !== VERSION) throw new Error('another version of SOCKS, or none');
  if (!(await words.take(methods)).includes(NO_AUTHENTICATION)) {
    client.end(Buffer.from([VERSION, NO_ACCEPTABLE_METHOD]));
    return null;
  }
  client.write(Buffer.from([VERSION, NO_AUTHENTICATION]));
  const [again, command, , kind] = await words.take(4);
  if (again !== VERSION) throw new Error('another version than before');
  const host = parseHost(await takeHost(words, kind));
  const port = (await words.take(2)).readUInt16BE();
  if (command !== CONNECT) return 'commandNotSupported';
  return host && port !== 0 ? { hostname: host.hostname, port } : 'addressNotSupported';
}

async function takeHost(words: Words, kind: number | undefined): Promise<string> {
  switch (kind) {
    case IPV4:
      return ipaddr.fromByteArray([...(await words.take(4))]).toString();
    case IPV6:
      return ipaddr.fromByteArray([...(await words.take(16))]).toString();
    case NAME: {
      const [length = 0] = await words.take(1);
      return (await words.take(length)).toString('latin1');
    }
    default:
      throw new Error('no kind of address that SOCKS knows');
  }
}

/** What a client says before its connection is somebody else's, by the byte. */
class Words {
  readonly #client: Socket;
  #heard: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;
  readonly #onData = (chunk: Buffer) => {
    this.#heard = Buffer.concat([this.#heard, chunk]);
    this.#wake();
  };
  readonly #onEnd = () => this.#wake();

  constructor(client: Socket) {
    this.#client = client.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd);
  }

  /** @throws {Error} where the client is gone before it has sent as much. */
  async take(size: number): Promise<Buffer> {
    while (this.#heard.length < size) {
      if (this.#client.readableEnded || this.#client.destroyed) throw new Error('the client is gone');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#heard.subarray(0, size);
    this.#heard = this.#heard.subarray(size);
    return taken;
  }

  /** Gives back what was heard beyond that; nothing more is read until somebody else does. */
  leave(): void {
    this.#client.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).pause();
    if (this.#heard.length > 0) this.#client.unshift(this.#heard);
  }
}
