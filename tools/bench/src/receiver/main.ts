// Runs an HTTPS receiver that responds with 200 at once and counts, in a separate process: node main.js, with commands over
// IPC. The process exits when the channel closes.
import { createServer } from 'node:https';
import { listen } from '@capture/testing/network/listen';
import { serveCommands } from '@capture/testing/processes/serve-commands';
import type { Counts, ReceiverCommand } from './receiver.ts';

let hits = 0;
let firstAt = 0;
let lastAt = 0;
const ids = new Set<string>();

async function open(tls: { key: string; cert: string }): Promise<number> {
  const server = createServer(tls, (request, response) => {
    request.resume();
    request.on('end', () => {
      lastAt = performance.now();
      firstAt ||= lastAt;
      hits += 1;
      ids.add(String(request.headers['webhook-id']));
      response.writeHead(200).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  return (await listen(server, 'receiver')).port;
}

serveCommands((command: ReceiverCommand): Promise<number> | Counts =>
  command.type === 'listen' ? open(command.tls) : { hits, distinct: ids.size, ms: lastAt - firstAt },
);
