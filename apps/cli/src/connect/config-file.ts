import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readSecretFile, writeSecretFile } from '../secret-file.ts';
import { UsageError } from '../usage-error.ts';

/** What `capture login` leaves, so that a key need not be given each time. */
export interface Config {
  /** The platform that the key is for: it is sent to no other. */
  server: string;
  apiKey: string;
}

/** `~/.config/capture/config.json`, or where `XDG_CONFIG_HOME` says. */
export function configFile(env: NodeJS.ProcessEnv): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'capture', 'config.json');
}

/** @returns null where there is none. @throws {UsageError} for one that others may read, or that holds something else. */
export function readConfig(file: string): Config | null {
  const text = readSecretFile(file);
  if (text === null) return null;
  try {
    const { server, api_key: apiKey } = JSON.parse(text);
    if (typeof server === 'string' && typeof apiKey === 'string') return { server, apiKey };
  } catch {
    // Said below.
  }
  throw new UsageError(`${file} does not hold a server and an api_key: run \`capture login\` again, or remove it`);
}

/** Writes it closed to everybody else (0600), whole or not at all. */
export function writeConfig(file: string, { server, apiKey }: Config): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeSecretFile(file, `${JSON.stringify({ server, api_key: apiKey }, null, 2)}\n`);
}
