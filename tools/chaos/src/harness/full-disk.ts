import { execFileSync } from 'node:child_process';
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import type { CaptureWorker } from './services.ts';

/** The size in bytes at which writing a file fails. Every screenshot is larger. */
const fileLimit = 1_024;

/**
 * Lets a worker write at most a kilobyte per file, as on a full disk: the system aborts its writes halfway. Its running
 * browsers are not affected. Needs no privileges.
 *
 * @param folder of captured files. If the process cannot be limited from outside, the folder becomes unwritable.
 * @returns a function that frees the disk again, and the way in which the disk was filled.
 */
export function fillDisk({ process: { pid } }: CaptureWorker, folder: string): { how: string; free(): void } {
  if (process.platform === 'linux') {
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
    limit(String(fileLimit));
    return { how: `no file of the worker may exceed ${fileLimit} bytes`, free: () => void limit('unlimited') };
  }
  const aside = `${folder}.aside`;
  renameSync(folder, aside);
  writeFileSync(folder, '');
  return {
    how: 'a file replaces the folder of captures',
    free() {
      unlinkSync(folder);
      renameSync(aside, folder);
    },
  };
}
