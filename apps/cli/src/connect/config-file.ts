import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readSecretFile, writeSecretFile } from '../secret-file.ts';
import { UsageError } from '../usage-error.ts';

/** The content of the file that `capture login` writes. */
export interface Config {
  /** The platform of the key. The key is sent to no other platform. */
  server: string;
  apiKey: string;
}

/** Returns `~/.config/capture/config.json`, or the same below `XDG_CONFIG_HOME`. */
export function configFile(env: NodeJS.ProcessEnv): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'capture', 'config.json');
}

/**
 * @returns null if the file does not exist. @throws {UsageError} if other users can read the file, or its content is invalid.
 */
export function readConfig(file: string): Config | null {
  const text = readSecretFile(file);
  if (text === null) return null;
  try {
    const { server, api_key: apiKey } = JSON.parse(text);
    if (typeof server === 'string' && typeof apiKey === 'string') return { server, apiKey };
  } catch {
    // The error is reported below.
  }
  throw new UsageError(`${file} does not contain a server and an api_key: run \`capture login\` again, or delete it`);
}

/** Writes the file, which only its owner can read. */
export function writeConfig(file: string, { server, apiKey }: Config): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeSecretFile(file, `${JSON.stringify({ server, api_key: apiKey }, null, 2)}\n`);
}
