import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import { plainHeaders, type Visit } from './visit.ts';

/** Writes now and in every interval, until the client leaves. */
function repeat(response: ServerResponse, everyMs: number, write: () => void): void {
  write();
  const timer = setInterval(write, everyMs);
  response.on('close', () => clearInterval(timer));
}

/** Sends a camera's image: JPEG frames without an end. */
export async function streamJpegs({ url, response }: Visit): Promise<void> {
  const background = `#${(url.searchParams.get('color') ?? '2962ff').replace('#', '')}`;
  const frame = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .jpeg({ quality: 95 })
    .toBuffer();
  response.writeHead(200, { ...plainHeaders, 'content-type': 'multipart/x-mixed-replace; boundary=frame' });
  repeat(response, 200, () => {
    response.write(`--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${frame.length}\r\n\r\n`);
    response.write(frame);
    response.write('\r\n');
  });
}

/** Responds to a long poll with a body that begins and does not end. */
export function streamText({ response }: Visit): void {
  response.writeHead(200, { ...plainHeaders, 'content-type': 'text/plain' });
  repeat(response, 500, () => void response.write('.\n'));
}

/** Sends server-sent events: the data of `data=` at once, then a heartbeat every 300 ms. */
export function streamEvents({ url, response }: Visit): void {
  response.writeHead(200, { ...plainHeaders, 'content-type': 'text/event-stream' });
  response.write(`data: ${(url.searchParams.get('data') ?? 'hello').replaceAll(/[\r\n]/g, ' ')}\n\n`);
  repeat(response, 300, () => void response.write(': heartbeat\n\n'));
}
