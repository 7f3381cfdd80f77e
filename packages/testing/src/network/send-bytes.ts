import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The bytes that a connection returned. */
export interface RawResponse {
  /** The status of the first response; null without a response. */
  status: number | null;
  /** The headers by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The body as received, with chunks not joined. */
  body: string;
  /** Whether the timeout passed without a complete response or a closed connection. */
  waited: boolean;
}

/**
 * Sends raw bytes to a server on this machine and reads its response, until the server closes the connection or the announced
 * length of the body has arrived.
 *
 * @param bytes pieces that are sent unchanged, or a function that writes to the connection.
 */
export async function sendBytes(
  port: number,
  bytes: readonly (string | Buffer)[] | ((socket: Socket) => Promise<unknown>),
  timeoutMs = 30_000,
): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  // A server may close the connection after its response, while the client still sends.
  socket.on('error', () => {});
  const received: Buffer[] = [];
  const complete = new Promise<'complete'>((resolve) => {
    let missing: number | null = null;
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (missing === null) missing = countMissing(Buffer.concat(received));
      else missing -= chunk.length;
      if (missing !== null && missing <= 0) resolve('complete');
    });
    socket.once('close', () => resolve('complete'));
  });
  await Promise.race([once(socket, 'connect'), complete]);
  if (typeof bytes === 'function') void bytes(socket).catch(() => {});
  else for (const piece of bytes) socket.write(piece);
  const timer = new AbortController();
  const outcome = await Promise.race([
    complete,
    sleep(timeoutMs, 'waited' as const, { signal: timer.signal }).catch(() => 'complete' as const),
  ]);
  timer.abort();
  socket.destroy();
  return { ...parse(Buffer.concat(received)), waited: outcome === 'waited' };
}

/** Returns how many bytes of the response are missing; null while its length is unknown. */
function countMissing(received: Buffer): number | null {
  const head = received.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const { status, headers } = parse(received.subarray(0, head + 4));
  if (status === 204) return 0;
  const length = headers['content-length'];
  return length === undefined ? null : head + 4 + Number(length) - received.length;
}

function parse(received: Buffer): Omit<RawResponse, 'waited'> {
  const end = received.indexOf('\r\n\r\n');
  const head = received.subarray(0, end === -1 ? received.length : end).toString('latin1');
  const [first = '', ...lines] = head.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = end === -1 ? '' : received.subarray(end + 4).toString('utf8');
  return { status: status === undefined ? null : Number(status), headers, body };
}
