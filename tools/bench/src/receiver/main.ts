// An HTTPS receiver that answers 200 at once and counts, a process of its own.
//   node main.js, with an IPC channel: the first message is its key and certificate, it tells its port; every further
//   message asks for the counts, and it ends when the channel closes.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

let hits = 0;
let firstAt = 0;
let lastAt = 0;
const ids = new Set<string>();

process.on('disconnect', () => process.exit(0));
// A Ctrl-C goes to the whole group of a terminal; who started this process ends it when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const [tls] = (await once(process, 'message')) as [{ key: string; cert: string }];
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
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => process.send?.({ hits, distinct: ids.size, ms: lastAt - firstAt }));
process.send?.({ port: (server.address() as AddressInfo).port });
