import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CaptureClient } from '@capture/sdk/client';
import { Argument, Command } from 'commander';
import { configFile, writeConfig } from '../connect/config-file.ts';
import { baseUrlOf } from '../connect/find-server.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';

/** `capture login`: keeps a server and its key, once both are seen to fit. */
export function loginCommand({ env, report, signal }: Session): Command {
  return new Command('login')
    .description('keep a server and an API key for later calls (in a file that only you can read)')
    .addArgument(new Argument('<server>', 'its address; the key is asked for, or read from standard input'))
    .action(async (server: string) => {
      const baseUrl = baseUrlOf(server) as string;
      const apiKey = (await (process.stdin.isTTY ? askHidden(signal) : text(process.stdin))).trim();
      if (apiKey === '') throw new UsageError('there is no key on standard input');
      const account = await new CaptureClient({ baseUrl, apiKey }).account.get({ signal });
      const file = configFile(env);
      writeConfig(file, { server: baseUrl, apiKey });
      report(`signed in as ${account.email} (plan ${account.plan}); the key is in ${file}`);
    });
}

/** Asks at the terminal without showing what is typed. */
async function askHidden(signal: AbortSignal): Promise<string> {
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
