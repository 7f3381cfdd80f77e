import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CaptureTargets } from './capture-targets.ts';
import type { DialTarget } from './dial.ts';
import { parseHost } from './host.ts';
import { EgressRefusal } from './refusal.ts';

/** First byte of a TLS record: a handshake message (RFC 8446 §5.1). */
const TLS_HANDSHAKE = 0x16;

/** Answers `CONNECT`: https, ws and wss all come this way. A refusal is a status to the client, never a tunnel. */
export async function openTunnel(
  request: IncomingMessage,
  client: Duplex,
  { head, targets }: { head: Buffer; targets: CaptureTargets },
): Promise<void> {
  client.on('error', () => client.destroy());
  const target = parseAuthority(request.url ?? '');
  if (!target) return refuse(client, '400 Bad Request');
  if (!targets.admit()) return refuse(client, '403 Forbidden');
  try {
    const socket = await targets.connect(target);
    join(client, socket, { head, target, targets });
  } catch (error) {
    const reason = error instanceof EgressRefusal ? error.reason : 'unreachable';
    if (!client.destroyed) targets.failed(target, reason);
    refuse(client, reason === 'blocked' ? '403 Forbidden' : '502 Bad Gateway');
  }
}

function join(
  client: Duplex,
  socket: Socket,
  { head, target, targets }: { head: Buffer; target: DialTarget; targets: CaptureTargets },
): void {
  socket.on('error', () => socket.destroy());
  socket.once('close', (hadError) => {
    // A reset is passed on as one, so that the client can tell it from an end.
    if (hadError && client instanceof Socket) client.resetAndDestroy();
    else if (!client.writableEnded) client.end();
  });
  client.once('close', () => socket.destroy());
  if (client.destroyed) {
    socket.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  watchFirstAnswer(client, socket, { target, targets });
  socket.on('data', () => targets.checkBytes());
  client.pipe(socket);
  socket.pipe(client);
}

/**
 * Learns from the first byte each way what can be learnt outside TLS: a target that hangs up on the client's first words, or
 * answers TLS with an alert or with something else. A certificate that the client dislikes cannot be seen from here; the
 * client's own error tells it.
 */
function watchFirstAnswer(
  client: Duplex,
  socket: Socket,
  { target, targets }: { target: DialTarget; targets: CaptureTargets },
): void {
  let asked: number | undefined;
  let answered = false;
  client.once('data', (chunk: Buffer) => {
    asked = chunk[0];
  });
  socket.once('data', (chunk: Buffer) => {
    answered = true;
    if (asked === TLS_HANDSHAKE && chunk[0] !== TLS_HANDSHAKE) targets.failed(target, 'tls');
    else targets.answered(target);
  });
  const hungUp = () => {
    // Browsers open tunnels that they may never use: one without a word, or left by the client, says nothing of the target.
    if (!answered && asked !== undefined && !client.destroyed) targets.failed(target, 'reset');
    answered = true;
  };
  socket.once('end', hungUp);
  socket.once('error', hungUp);
}

function refuse(client: Duplex, status: string): void {
  if (client.destroyed) return;
  client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** `host:port` and nothing more; the host in its WHATWG form, which is what is judged, dialled and recorded. */
function parseAuthority(authority: string): DialTarget | null {
  const [, hostname = '', portText] = /^(.*):(\d{1,5})$/.exec(authority) ?? [];
  const port = Number(portText);
  const host = parseHost(hostname);
  return host && port >= 1 && port <= 65_535 ? { hostname: host.hostname, port } : null;
}
