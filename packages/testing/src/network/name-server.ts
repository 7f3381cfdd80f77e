import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { noteOpen } from '../open-resources.ts';

export interface NameServer {
  /** Queries only this server for the A and AAAA records of a name, uncached, because its records have a TTL of 0 s. */
  resolve(name: string): Promise<{ address: string; family: number }[]>;
  queries(name: string): number;
  close(): Promise<void>;
}

/**
 * Opens a DNS server on 127.0.0.1.
 *
 * @param addressesOf returns the addresses of a name at its `index`th query, from 0; empty for a name that does not exist.
 */
export async function openNameServer(
  addressesOf: (name: string, index: number) => readonly string[],
): Promise<NameServer> {
  const queries = new Map<string, number>();
  const socket = createSocket('udp4');
  // Clients query both record types of a name at once, which counts as one query.
  const current = new Map<string, readonly string[]>();
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const addresses = (current.get(name) ?? []).filter((each) => isIPv6(each) === (type === AAAA));
    socket.send(replyTo(query, end, addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);

  const close = async () => {
    closed();
    resolver.cancel();
    const ended = once(socket, 'close');
    socket.close();
    await ended;
  };
  const closed = noteOpen(`name server on port ${socket.address().port}`, close);
  return {
    async resolve(name) {
      const index = queries.get(name) ?? 0;
      queries.set(name, index + 1);
      current.set(name.toLowerCase(), addressesOf(name, index));
      const records = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return records.flatMap((record) =>
        record.status === 'rejected'
          ? []
          : record.value.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      );
    },
    queries: (name) => queries.get(name) ?? 0,
    close,
  };
}

const AAAA = 28;
const headerBytes = 12;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function replyTo(query: Buffer, end: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2); // a response without error
  head.writeUInt16BE(addresses.length, 6);
  head.fill(0, 8, headerBytes);
  return Buffer.concat([head, ...addresses.map(record)]);
}

function record(address: string): Buffer {
  const bytes = addressBytes(address);
  const head = Buffer.alloc(headerBytes);
  head.writeUInt16BE(0xc00c, 0); // the queried name
  head.writeUInt16BE(isIPv6(address) ? AAAA : 1, 2);
  head.writeUInt16BE(1, 4); // class: internet
  head.writeUInt32BE(0, 6); // TTL
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  // A URL's host has at most one `::`, and no dots.
  const [front = '', back] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const parts = (text = '') => (text === '' ? [] : text.split(':')).map((part) => Number.parseInt(part, 16));
  const missing = back === undefined ? 0 : 8 - parts(front).length - parts(back).length;
  const all = [...parts(front), ...Array<number>(missing).fill(0), ...parts(back)];
  return Buffer.from(all.flatMap((part) => [part >> 8, part & 0xff]));
}
