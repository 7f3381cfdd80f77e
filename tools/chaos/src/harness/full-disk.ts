import { execFileSync } from 'node:child_process';
import { renameSync, unlinkSync, writeFileSync } from 'node:fs';
import type { CaptureWorker } from './capture-worker.ts';

/** A file larger than this breaks off in the middle: every picture does, bytes. */
const room = 1_024;

/**
 * Lets a worker write no more than a kilobyte of any file, as on a disk that is full: the system breaks off its writes in
 * the middle. Its browsers, which run already, are not concerned. Needs no privileges.
 *
 * @param folder where the captures' files go: where processes cannot be limited from outside, nothing can be written there.
 * @returns what makes room again, and how it was done.
 */
export function fillDisk({ process: { pid } }: CaptureWorker, folder: string): { how: string; relieve(): void } {
  if (process.platform === 'linux') {
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
    limit(String(room));
    return { how: `no file of the worker may be over ${room} bytes`, relieve: () => void limit('unlimited') };
  }
  const aside = `${folder}.aside`;
  renameSync(folder, aside);
  writeFileSync(folder, '');
  return {
    how: 'a file is where the folder of the captures should be',
    relieve() {
      unlinkSync(folder);
      renameSync(aside, folder);
    },
  };
}
