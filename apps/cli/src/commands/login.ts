import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CaptureClient } from '@capture-platform/sdk/client';
import { Argument, Command } from 'commander';
import { configFile, writeConfig } from '../connect/config-file.ts';
import { parseBaseUrl } from '../connect/find-server.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

/** `capture login` checks a server and a key, and saves both. */
export function loginCommand({ env, report, signal }: Session): Command {
  return new Command('login')
    .description('save a server and an API key for later commands (in a file that only you can read)')
    .addArgument(new Argument('<server>', 'its URL; the key is prompted for, or read from standard input'))
    .action(async (server: string) => {
      const baseUrl = parseBaseUrl(server) as string;
      const apiKey = (await (process.stdin.isTTY ? promptHidden(signal) : text(process.stdin))).trim();
      if (apiKey === '') throw new UsageError('there is no key on standard input');
      const account = await new CaptureClient({ baseUrl, apiKey }).account.get({ signal });
      const file = configFile(env);
      writeConfig(file, { server: baseUrl, apiKey });
      report(`signed in as ${account.email} (plan ${account.plan}); key saved in ${file}`);
    });
}

/** Prompts at the terminal without echo. */
async function promptHidden(signal: AbortSignal): Promise<string> {
  process.stderr.write('API key: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await terminal.question('', { signal });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
