import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { addConnectFlags, type ConnectFlags } from '../connect/connect-flags.ts';
import type { Server } from '../connect/find-server.ts';
import { withServer } from '../connect/with-client.ts';
import type { Session } from '../session.ts';

/** The JSON-RPC code of an error of the server. */
const internalError = -32_603;

/** `capture mcp`: the platform's tools for an agent's client that starts a program and talks to it by lines of JSON. */
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
 * Passes each line to the platform's `/mcp` and its response back, until the client closes standard input. Requests run side
 * by side, as the protocol allows.
 */
async function passMessages(server: Server, signal: AbortSignal): Promise<void> {
  const open = new Set<Promise<void>>();
  const lines = createInterface({ input: process.stdin, signal });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const passing = pass(server, line, signal).then((response) => {
      if (response !== '') process.stdout.write(`${response}\n`);
    });
    open.add(passing);
    void passing.finally(() => open.delete(passing));
  }
  await Promise.all(open);
}

/** @returns a line of JSON; an empty one for a notification. */
async function pass({ baseUrl, apiKey }: Server, line: string, signal: AbortSignal): Promise<string> {
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
    const body = await response.text();
    if (response.ok) return body;
    return failed(line, JSON.parse(body).error_message);
  } catch (error) {
    const { message, cause } = error as Error;
    return failed(line, `${baseUrl} does not respond: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** The response to a request that failed on its way; none to a notification. */
function failed(line: string, message: string): string {
  const { id } = idOf(line);
  if (id === undefined) return '';
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: internalError, message } });
}

function idOf(line: string): { id?: unknown } {
  try {
    return JSON.parse(line);
  } catch {
    return { id: null };
  }
}
