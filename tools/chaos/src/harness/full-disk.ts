import { execFileSync } from 'node:child_process';
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import type { CaptureWorker } from './services.ts';

/** Writing a larger file fails halfway: every screenshot does, bytes. */
const fileLimit = 1_024;

/**
 * Lets a worker write at most a kilobyte per file, as on a full disk: the system aborts its writes halfway. Its running
 * browsers are not affected. Needs no privileges.
 *
 * @param folder of captured files: where a process cannot be limited from outside, it becomes unwritable instead.
 * @returns what frees the disk again, and how it was filled.
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
