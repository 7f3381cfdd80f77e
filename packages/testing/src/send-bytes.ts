import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What came back over a connection. */
export interface RawResponse {
  /** Of the first answer; null if there was none. */
  status: number | null;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** As it came: chunks are not put together. */
  body: string;
  /** Whether nobody had ended anything when the patience was over. */
  waited: boolean;
}

/**
 * Sends bytes to a server on this machine as they are, and reads what it answers, until it ends the connection or all of
 * a body whose length it told of is there.
 *
 * @param bytes in pieces, each sent as it is; a function goes on with the connection by itself.
 */
export async function sendBytes(
  port: number,
  bytes: readonly (string | Buffer)[] | ((socket: Socket) => Promise<unknown>),
  patienceMs = 30_000,
): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  // A server that has said all it will may well end the connection while more is on the way to it.
  socket.on('error', () => {});
  const received: Buffer[] = [];
  const answered = new Promise<'answered'>((resolve) => {
    let missing: number | null = null;
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
      if (missing === null) missing = missingOf(Buffer.concat(received));
      else missing -= chunk.length;
      if (missing !== null && missing <= 0) resolve('answered');
    });
    socket.once('close', () => resolve('answered'));
  });
  await Promise.race([once(socket, 'connect'), answered]);
  if (typeof bytes === 'function') void bytes(socket).catch(() => {});
  else for (const piece of bytes) socket.write(piece);
  const patience = new AbortController();
  const outcome = await Promise.race([answered, after(patienceMs, patience.signal)]);
  patience.abort();
  socket.destroy();
  return { ...parse(Buffer.concat(received)), waited: outcome === 'waited' };
}

function after(ms: number, signal: AbortSignal): Promise<'waited'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('waited'), ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

/** How many bytes of the answer are still to come; null while that is not told. */
function missingOf(received: Buffer): number | null {
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
