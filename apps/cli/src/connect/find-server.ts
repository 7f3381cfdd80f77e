import { readSecretFile } from '../secret-file.ts';
import { UsageError } from '../usage-error.ts';
import { configFile, readConfig } from './config-file.ts';

/** What a call says of where to capture. */
export interface ServerFlags {
  server?: string;
  keyFile?: string;
  embedded?: true;
}

/** A platform that runs already, and the key to it. */
export interface Server {
  baseUrl: string;
  apiKey: string;
}

/**
 * The platform that the call, the environment (`CAPTURE_SERVER`, `CAPTURE_API_KEY`) or the configuration file names, in
 * this order; null where none of them does, which asks for the embedded one.
 *
 * @throws {UsageError} for an address that is none, or where there is no key for it.
 */
export function findServer(flags: ServerFlags, env: NodeJS.ProcessEnv): Server | null {
  if (flags.embedded) return null;
  const file = configFile(env);
  const named = flags.server ?? (env.CAPTURE_SERVER || undefined);
  const config = readConfig(file);
  const baseUrl = baseUrlOf(named ?? config?.server);
  if (baseUrl === null) {
    if (flags.keyFile === undefined) return null;
    throw new UsageError('--key-file is the key to a server: name it with --server or CAPTURE_SERVER');
  }
  const apiKey = keyOf(flags, env) ?? (baseUrlOf(config?.server) === baseUrl ? config?.apiKey : undefined);
  if (apiKey) return { baseUrl, apiKey };
  throw new UsageError(
    `there is no API key for ${baseUrl}: set CAPTURE_API_KEY, give --key-file, or run \`capture login ${baseUrl}\` once`,
  );
}

/** An address as requests begin with it; null for none. @throws {UsageError} for what is not http or https. */
export function baseUrlOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageError('the server must be an address such as https://captures.example.com, without a user name');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function keyOf({ keyFile }: ServerFlags, env: NodeJS.ProcessEnv): string | undefined {
  if (keyFile === undefined) return env.CAPTURE_API_KEY?.trim() || undefined;
  const text = readSecretFile(keyFile);
  if (text === null) throw new UsageError(`there is no file ${keyFile}`);
  return text.trim();
}
