import type { Socket } from 'node:net';
import type { CaptureTargets } from './capture-targets.ts';
import type { DialTarget } from './dial.ts';
import { EgressRefusal, type RefusalReason } from './refusal.ts';
import { readSocksTarget, type SocksReply, sendReply } from './socks-handshake.ts';

/** The first byte of a TLS record with a handshake message (RFC 8446 §5.1). */
const TLS_HANDSHAKE = 0x16;

/** The replies to the browser, which shows an error of its choice; the record has the reason. */
const replies: Partial<Record<RefusalReason, SocksReply>> = {
  blocked: 'notAllowed',
  refused: 'refused',
};

/**
 * Connects a client to its requested target if the rules allow the target. Each connection to a host and port may carry any
 * number of requests (http, https, ws or wss). A refused target never gets a tunnel.
 *
 * @param targetsNow returns the targets of the current turn; called when the request is complete.
 */
export async function openTunnel(client: Socket, targetsNow: () => CaptureTargets): Promise<void> {
  client.on('error', () => client.destroy());
  const target = await readSocksTarget(client);
  if (!target) return;
  const targets = targetsNow();
  if (!targets.admit()) return sendReply(client, 'notAllowed');
  try {
    join(client, await targets.connect(target), { target, targets });
  } catch (error) {
    const reason = error instanceof EgressRefusal ? error.reason : 'unreachable';
    if (!client.destroyed) targets.failed(target, reason);
    sendReply(client, replies[reason] ?? 'unreachable');
  }
}

function join(
  client: Socket,
  socket: Socket,
  { target, targets }: { target: DialTarget; targets: CaptureTargets },
): void {
  socket.on('error', () => socket.destroy());
  socket.once('close', (hadError) => {
    // A reset is forwarded as a reset, so that the client can distinguish it from an end.
    if (hadError) client.resetAndDestroy();
    else if (!client.writableEnded) client.end();
  });
  client.once('close', () => socket.destroy());
  if (client.destroyed) {
    socket.destroy();
    return;
  }
  sendReply(client, 'succeeded');
  watchFirstResponse(client, socket, { target, targets });
  socket.on('data', () => targets.checkBytes());
  client.pipe(socket);
  socket.pipe(client);
}

/**
 * Records failures that the first byte in each direction shows without decrypting TLS: a target that hangs up on the client's
 * first bytes, or responds to TLS with an alert or another protocol. A certificate that the client rejects is not visible here;
 * the client's error reports it.
 */
function watchFirstResponse(
  client: Socket,
  socket: Socket,
  { target, targets }: { target: DialTarget; targets: CaptureTargets },
): void {
  let firstByte: number | undefined;
  let responded = false;
  client.once('data', (chunk: Buffer) => {
    firstByte = chunk[0];
  });
  socket.once('data', (chunk: Buffer) => {
    responded = true;
    if (firstByte === TLS_HANDSHAKE && chunk[0] !== TLS_HANDSHAKE) targets.failed(target, 'tls');
    else targets.reached(target);
  });
  const hungUp = () => {
    // Browsers open tunnels that they never use. A tunnel without data, or closed by the client, says nothing about the target.
    if (!responded && firstByte !== undefined && !client.destroyed) targets.failed(target, 'reset');
    responded = true;
  };
  socket.once('end', hungUp);
  socket.once('error', hungUp);
}
