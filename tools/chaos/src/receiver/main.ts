// Runs the HTTPS receiver of the chaos tests in a separate process, which keeps counting whatever happens to the platform. Run
// as node main.js <ledger file> <signing secrets…>, with commands over IPC. The process exits when the channel closes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '@capture/testing/network/listen';
import { serveCommands } from '@capture/testing/processes/serve-commands';
import { type Behavior, parseBehavior } from './behavior.ts';
import { type Counts, type Hit, isSuccess, type ReceiverCommand } from './hit.ts';
import { misbehave } from './misbehave.ts';
import { findSigners, isSigned } from './verify.ts';

const [ledgerFile = '', ...secrets] = process.argv.slice(2);
const ledger = createWriteStream(ledgerFile, { flags: 'a', mode: 0o600 });

const numbers = new Map<string, number>();
const delivered = new Set<string>();
const inProgress = new Map<string, number>();
let hits = 0;
let heal: (value?: unknown) => void = () => {};
let isHealed = false;
const healed = new Promise((resolve) => {
  heal = resolve;
});

/** The sockets by the receiver's and the sender's port. */
const connections = new Map<string, Socket>();

async function receive(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
  const body = await buffer(request).catch(() => null);
  // A sender that disconnected before the end has not delivered anything.
  if (!body) return;
  const path = request.url ?? '';
  const hit = note(request, body, path, port);
  response.once('close', () => settle(hit, response));
  const behavior = parseBehavior(path);
  if (behavior.delayMs > 0) await sleep(behavior.delayMs);
  if (isOver(behavior, hit.number)) response.end();
  else if (typeof behavior.kind === 'number') response.writeHead(behavior.kind).end();
  else {
    const connection = connections.get(`${port} ${request.socket.remotePort}`);
    // Healing only releases requests that hang until the receiver is healed.
    const released = behavior.times === 'all' ? healed : new Promise(() => {});
    await misbehave[behavior.kind]({ response, connection, healed: released, port });
  }
}

function isOver({ times }: Behavior, number: number): boolean {
  return times === 'all' ? isHealed : number > times;
}

function note(request: IncomingMessage, body: Buffer, path: string, port: number): Hit {
  const id = String(request.headers['webhook-id']);
  const number = (numbers.get(id) ?? 0) + 1;
  numbers.set(id, number);
  const others = inProgress.get(id) ?? 0;
  inProgress.set(id, others + 1);
  hits += 1;
  const signers = findSigners(request.headers, body, secrets);
  return {
    id,
    requestId: readRequestId(body),
    path,
    port,
    number,
    at: Date.now(),
    overAt: 0,
    status: null,
    overlapping: others > 0,
    sha256: createHash('sha256').update(body).digest('hex'),
    signed: isSigned(signers),
    signers,
  };
}

function readRequestId(body: Buffer): string | null {
  try {
    return JSON.parse(body.toString()).request_id ?? null;
  } catch {
    return null;
  }
}

function settle(hit: Hit, response: ServerResponse): void {
  const others = (inProgress.get(hit.id) ?? 1) - 1;
  if (others > 0) inProgress.set(hit.id, others);
  else inProgress.delete(hit.id);
  hit.overAt = Date.now();
  // A sender cuts off an endless response once it has read enough.
  const isComplete = response.writableFinished || parseBehavior(hit.path).kind === 'endless';
  hit.status = isComplete && response.headersSent ? response.statusCode : null;
  if (isSuccess(hit.status)) delivered.add(hit.id);
  ledger.write(`${JSON.stringify(hit)}\n`);
}

async function open(tls: { key: string; cert: string }): Promise<number> {
  const server = createServer(tls, (request, response) => void receive(request, response, port));
  server.on('connection', (socket: Socket) => {
    const key = `${port} ${socket.remotePort}`;
    connections.set(key, socket);
    socket.on('close', () => connections.delete(key));
  });
  // Senders are killed, or reject the certificate, on purpose.
  server.on('tlsClientError', () => {});
  server.on('clientError', (_error, socket) => socket.destroy());
  const { port } = await listen(server, 'receiver');
  return port;
}

function count(): Counts {
  return { hits, delivered: delivered.size, open: [...inProgress.values()].reduce((sum, each) => sum + each, 0) };
}

serveCommands(async (command: ReceiverCommand) => {
  switch (command.type) {
    case 'listen':
      return Promise.all(Array.from({ length: command.servers }, () => open(command.tls)));
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
