// The HTTPS receiver of the fault tests, a process of its own: whatever happens to the platform, it goes on counting.
//   node main.js <ledger file> <signing secrets…>, told what to do by IPC; it ends when its channel closes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { obey } from '../harness/run-commands.ts';
import { type Behaviour, behaviourOf } from './behaviour.ts';
import { type Counts, type Hit, isSuccess, type ReceiverOrder } from './hit.ts';
import { answerOddly } from './respond.ts';
import { isSigned, signersOf } from './verify.ts';

const [ledgerFile = '', ...secrets] = process.argv.slice(2);
const ledger = createWriteStream(ledgerFile, { flags: 'a', mode: 0o600 });

const numbers = new Map<string, number>();
const delivered = new Set<string>();
const open = new Map<string, number>();
let hits = 0;
let heal: (value?: unknown) => void = () => {};
let isHealed = false;
const healed = new Promise((resolve) => {
  heal = resolve;
});

/** By the sender's port; a receiver serves many ports, and each has its own senders. */
const connections = new Map<string, Socket>();

async function receive(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
  const body = await buffer(request).catch(() => null);
  // A sender that broke off in the middle has not delivered anything.
  if (!body) return;
  const path = request.url ?? '';
  const hit = note(request, body, path, port);
  response.once('close', () => settle(hit, response));
  const behaviour = behaviourOf(path);
  if (behaviour.delayMs > 0) await sleep(behaviour.delayMs);
  if (isOver(behaviour, hit.number)) response.end();
  else if (typeof behaviour.kind === 'number') response.writeHead(behaviour.kind).end();
  else {
    const connection = connections.get(`${port} ${request.socket.remotePort}`);
    // Only those that hang for all are let go when the receiver is healed.
    const released = behaviour.times === 'all' ? healed : new Promise(() => {});
    await answerOddly[behaviour.kind]({ response, connection, healed: released, port });
  }
}

function isOver({ times }: Behaviour, number: number): boolean {
  return times === 'all' ? isHealed : number > times;
}

function note(request: IncomingMessage, body: Buffer, path: string, port: number): Hit {
  const id = String(request.headers['webhook-id']);
  const number = (numbers.get(id) ?? 0) + 1;
  numbers.set(id, number);
  const others = open.get(id) ?? 0;
  open.set(id, others + 1);
  hits += 1;
  const signers = signersOf(request.headers, body, secrets);
  return {
    id,
    requestId: requestIdOf(body),
    path,
    port,
    number,
    at: Date.now(),
    overAt: 0,
    answered: null,
    overlapping: others > 0,
    sha256: createHash('sha256').update(body).digest('hex'),
    signed: isSigned(signers),
    signers,
  };
}

function requestIdOf(body: Buffer): string | null {
  try {
    return JSON.parse(body.toString()).request_id ?? null;
  } catch {
    return null;
  }
}

function settle(hit: Hit, response: ServerResponse): void {
  const others = (open.get(hit.id) ?? 1) - 1;
  if (others > 0) open.set(hit.id, others);
  else open.delete(hit.id);
  hit.overAt = Date.now();
  // An answer without an end is cut off by the sender, who has all that it wants of it.
  const isAnswered = response.writableFinished || behaviourOf(hit.path).kind === 'endless';
  hit.answered = isAnswered && response.headersSent ? response.statusCode : null;
  if (isSuccess(hit.answered)) delivered.add(hit.id);
  ledger.write(`${JSON.stringify(hit)}\n`);
}

async function listen(tls: { key: string; cert: string }): Promise<number> {
  const server = createServer(tls, (request, response) => void receive(request, response, port));
  server.on('connection', (socket: Socket) => {
    const key = `${port} ${socket.remotePort}`;
    connections.set(key, socket);
    socket.on('close', () => connections.delete(key));
  });
  // A sender that was killed, or that does not trust the certificate, is what these tests are about.
  server.on('tlsClientError', () => {});
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return port;
}

function count(): Counts {
  return { hits, delivered: delivered.size, open: [...open.values()].reduce((sum, each) => sum + each, 0) };
}

obey(async (order: ReceiverOrder) => {
  switch (order.type) {
    case 'listen':
      return Promise.all(Array.from({ length: order.servers }, () => listen(order.tls)));
    case 'count':
      return count();
    case 'heal':
      isHealed = true;
      heal();
      return null;
    case 'flush':
      await new Promise((resolve) => ledger.write('', resolve));
      return null;
  }
});
