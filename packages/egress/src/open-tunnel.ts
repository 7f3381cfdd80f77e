import type { Socket } from 'node:net';
import type { CaptureTargets } from './capture-targets.ts';
import type { DialTarget } from './dial.ts';
import { EgressRefusal, type RefusalReason } from './refusal.ts';
import { readSocksTarget, responseSocks, type SocksReply } from './socks-handshake.ts';

/** First byte of a TLS record: a handshake message (RFC 8446 §5.1). */
const TLS_HANDSHAKE = 0x16;

/** What a browser is told; it shows its own error, and the record tells why. */
const replies: Partial<Record<RefusalReason, SocksReply>> = {
  blocked: 'notAllowed',
  refused: 'refused',
};

/**
 * Connects a client to the target that it asks for, if that may be reached: http, https, ws and wss all come this way, a
 * connection for each host and port, used for as many requests as the two of them like. A refusal is never a tunnel.
 *
 * @param targetsNow whose turn it is when the client has said what it wants.
 */
export async function openTunnel(client: Socket, targetsNow: () => CaptureTargets): Promise<void> {
  client.on('error', () => client.destroy());
  const target = await readSocksTarget(client);
  if (!target) return;
  const targets = targetsNow();
  if (!targets.admit()) return responseSocks(client, 'notAllowed');
  try {
    join(client, await targets.connect(target), { target, targets });
  } catch (error) {
    const reason = error instanceof EgressRefusal ? error.reason : 'unreachable';
    if (!client.destroyed) targets.failed(target, reason);
    responseSocks(client, replies[reason] ?? 'unreachable');
  }
}

function join(
  client: Socket,
  socket: Socket,
  { target, targets }: { target: DialTarget; targets: CaptureTargets },
): void {
  socket.on('error', () => socket.destroy());
  socket.once('close', (hadError) => {
    // A reset is passed on as one, so that the client can tell it from an end.
    if (hadError) client.resetAndDestroy();
    else if (!client.writableEnded) client.end();
  });
  client.once('close', () => socket.destroy());
  if (client.destroyed) {
    socket.destroy();
    return;
  }
  responseSocks(client, 'succeeded');
  watchFirstResponse(client, socket, { target, targets });
  socket.on('data', () => targets.checkBytes());
  client.pipe(socket);
  socket.pipe(client);
}

/**
 * Learns from the first byte each way what can be learnt outside TLS: a target that hangs up on the client's first words, or
 * answers TLS with an alert or with something else. A certificate that the client dislikes cannot be seen from here; the
 * client's own error tells it.
 */
function watchFirstResponse(
  client: Socket,
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
