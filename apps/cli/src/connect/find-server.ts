import { readSecretFile } from '../secret-file.ts';
import { UsageError } from '../usage-error.ts';
import { configFile, readConfig } from './config-file.ts';

export interface ServerFlags {
  server?: string;
  keyFile?: string;
  embedded?: true;
}

/** A running platform and its key. */
export interface Server {
  baseUrl: string;
  apiKey: string;
}

/**
 * Finds the platform of the flags, the environment (`CAPTURE_SERVER`, `CAPTURE_API_KEY`) or the configuration file, in this
 * order. Returns null, which means the embedded platform, if none of them names a platform.
 *
 * @throws {UsageError} for an invalid URL, or a URL without a key.
 */
export function findServer(flags: ServerFlags, env: NodeJS.ProcessEnv): Server | null {
  if (flags.embedded) return null;
  const file = configFile(env);
  const named = flags.server ?? (env.CAPTURE_SERVER || undefined);
  const config = readConfig(file);
  const baseUrl = parseBaseUrl(named ?? config?.server);
  if (baseUrl === null) {
    if (flags.keyFile === undefined) return null;
    throw new UsageError('--key-file needs a server: pass --server or set CAPTURE_SERVER');
  }
  const apiKey = readKey(flags, env) ?? (parseBaseUrl(config?.server) === baseUrl ? config?.apiKey : undefined);
  if (apiKey) return { baseUrl, apiKey };
  throw new UsageError(
    `there is no API key for ${baseUrl}: set CAPTURE_API_KEY, pass --key-file, or run \`capture login ${baseUrl}\` once`,
  );
}

/** Returns a URL without a trailing slash; null for undefined. @throws {UsageError} for anything but http or https. */
export function parseBaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageError('the server must be a URL such as https://captures.example.com, without a user name');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function readKey({ keyFile }: ServerFlags, env: NodeJS.ProcessEnv): string | undefined {
  if (keyFile === undefined) return env.CAPTURE_API_KEY?.trim() || undefined;
  const text = readSecretFile(keyFile);
  if (text === null) throw new UsageError(`there is no file ${keyFile}`);
  return text.trim();
}
