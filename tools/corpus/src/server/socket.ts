import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The constant of RFC 6455, section 1.3. */
const protocolId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const textFrame = (text: string) => Buffer.concat([Buffer.from([0x81, Buffer.byteLength(text)]), Buffer.from(text)]);

/** Accepts a WebSocket, sends `data=` (at most 125 bytes) at once, and a heartbeat every 300 ms. */
export function acceptSocket(request: IncomingMessage, socket: Duplex): void {
  const key = request.headers['sec-websocket-key'];
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (key === undefined || url.pathname !== '/socket') {
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  const accept = createHash('sha1').update(`${key}${protocolId}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.write(textFrame((url.searchParams.get('data') ?? 'hello').slice(0, 60)));
  const heartbeat = setInterval(() => socket.write(textFrame('heartbeat')), 300);
  socket.on('error', () => socket.destroy());
  socket.on('data', () => {});
  socket.on('close', () => clearInterval(heartbeat));
}
