import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import type { Server } from '../connect/find-server.ts';
import { withServer } from '../connect/with-client.ts';
import type { Session } from '../session.ts';

/** The JSON-RPC code of an error of the server. */
const internalError = -32_603;

/** `capture mcp` serves the platform's tools to an agent's client that starts a program and exchanges lines of JSON. */
export function mcpCommand(session: Session): Command {
  const command = new Command('mcp').description(
    'serve the tools of the platform to an agent, by the Model Context Protocol on standard input and output',
  );
  addConnectFlags(command);
  return command.action((flags: ConnectFlags) =>
    withServer(flags, session, (server) => passMessages(server, session.signal)),
  );
}

/**
 * Passes each line to the platform's `/mcp` and its response back, until the client closes standard input. Requests run
 * concurrently, as the protocol allows.
 */
async function passMessages(server: Server, signal: AbortSignal): Promise<void> {
  const open = new Set<Promise<void>>();
  /** The open requests by their id, as JSON. */
  const calls = new Map<string, AbortController>();
  for await (const line of createInterface({ input: process.stdin, signal })) {
    if (line.trim() === '') continue;
    const { id, method, params } = parseMessage(line);
    if (method === 'notifications/cancelled') {
      calls.get(JSON.stringify(params?.requestId))?.abort();
      continue;
    }
    const key = JSON.stringify(id) ?? '';
    const call = new AbortController();
    calls.set(key, call);
    const passing = pass(server, line, AbortSignal.any([signal, call.signal]), call.signal);
    open.add(passing);
    void passing.finally(() => {
      open.delete(passing);
      if (calls.get(key) === call) calls.delete(key);
    });
  }
  await Promise.all(open);
}

const write = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Passes one message, and writes the platform's messages in response. A notification has none.
 *
 * @param signal ends the request, which cancels the capture.
 * @param cancelled whether the client has ended the request, and so expects no response.
 */
async function pass(
  { baseUrl, apiKey }: Server,
  line: string,
  signal: AbortSignal,
  cancelled: AbortSignal,
): Promise<void> {
  try {
    const response = await fetch(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: line,
      signal,
      redirect: 'manual',
    });
    if (response.body && /^text\/event-stream/.test(response.headers.get('content-type') ?? '')) {
      await writeEvents(response.body);
      return;
    }
    const body = await response.text();
    if (!response.ok) writeFailure(line, JSON.parse(body).error_message);
    else if (body !== '') write(body);
  } catch (error) {
    if (cancelled.aborted) return;
    const { message, cause } = error as Error;
    writeFailure(line, `${baseUrl} does not respond: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** Writes the messages of a stream as they come: notifications, then the response. */
async function writeEvents(body: AsyncIterable<Uint8Array>): Promise<void> {
  let hasResponse = false;
  const input = Readable.from(body);
  // `node:readline` ends at an error of its input without throwing it.
  let failure: Error | undefined;
  input.once('error', (error) => {
    failure = error;
  });
  for await (const line of createInterface({ input })) {
    if (!line.startsWith('data:')) continue;
    const message = line.slice('data:'.length).trim();
    write(message);
    hasResponse ||= !('method' in JSON.parse(message));
  }
  if (!hasResponse) throw failure ?? new Error('the stream ended before the response');
}

/** Writes the response to a request that failed on its way. A notification gets none. */
function writeFailure(line: string, message: string): void {
  const { id } = parseMessage(line);
  if (id !== undefined) write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: internalError, message } }));
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}

/** Parses a message. Text that is not JSON gets an error without an id, as JSON-RPC prescribes. */
function parseMessage(line: string): Message {
  try {
    return Object(JSON.parse(line));
  } catch {
    return { id: null };
  }
}
