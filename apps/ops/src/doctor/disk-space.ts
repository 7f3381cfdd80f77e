import { statfs } from 'node:fs/promises';
import { type Finding, fault, ok, warning } from './check.ts';

const gib = 1024 ** 3;

/** Postgres stops when it cannot write its WAL: at least 1 GB must be free for it. */
const least = { warning: { bytes: 5 * gib, share: 0.1 }, fault: { bytes: gib, share: 0.02 } };

/** Checks the free bytes and inodes of the disk of a folder. */
export async function checkSpace(folder: string, fix: string): Promise<Finding> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const size = blocks * bsize;
  const inodes = files === 0 ? 1 : ffree / files;
  const message = `${(free / gib).toFixed(1)} of ${(size / gib).toFixed(1)} GiB are free (${folder})`;
  // On a small disk the share counts, on a large one the size.
  const isBelow = ({ bytes, share }: { bytes: number; share: number }) =>
    free < Math.min(bytes, size * share) || inodes < share / 2;
  if (isBelow(least.fault)) return fault(message, fix);
  return isBelow(least.warning) ? warning(message, fix) : ok(message);
}
