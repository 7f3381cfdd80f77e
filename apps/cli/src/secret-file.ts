import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { UsageError, unreadable } from './usage-error.ts';

/** @returns null if the file does not exist. @throws {UsageError} if other users can read it. */
export function readSecretFile(file: string): string | null {
  try {
    const isOpen = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
    if (isOpen) throw new UsageError(`${file} holds a key and is readable by other users: run \`chmod 600 ${file}\``);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (error instanceof UsageError) throw error;
    throw unreadable(file, error);
  }
}

/** Writes a file that only its owner can read (0600). A failed write leaves the old file unchanged. */
export function writeSecretFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode: 0o600 });
  // The file may be that of an interrupted run, whose mode writing keeps.
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}
