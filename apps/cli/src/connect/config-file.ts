import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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

/** @returns null where there is no such file. @throws {UsageError} for one that others than its owner may read. */
export function readSecretFile(file: string): string | null {
  try {
    const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
    if (isOpen) throw new UsageError(`${file} holds a key and can be read by others: run \`chmod 600 ${file}\``);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read (${code})`);
  }
}

export function writeSecretFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode: 0o600 });
  // One that was left open by a broken-off run keeps the mode that it had.
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}
