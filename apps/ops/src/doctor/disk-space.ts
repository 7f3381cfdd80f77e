import { statfs } from 'node:fs/promises';
import { type Finding, fault, ok, warning } from './check.ts';

const gib = 1024 ** 3;

/** The least free space. Postgres stops when it cannot write its WAL, which needs at least 1 GB. */
const least = { warning: { bytes: 5 * gib, share: 0.1 }, fault: { bytes: gib, share: 0.02 } };

/** Checks the free bytes and inodes of a folder's disk. */
export async function checkSpace(folder: string, fix: string): Promise<Finding> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
  const free = bavail * bsize;
  const size = blocks * bsize;
  const inodes = files === 0 ? 1 : ffree / files;
  const message = `${(free / gib).toFixed(1)} of ${(size / gib).toFixed(1)} GiB are free (${folder})`;
  // The share counts on a small disk, the size on a large disk.
  const isBelow = ({ bytes, share }: { bytes: number; share: number }) =>
    free < Math.min(bytes, size * share) || inodes < share / 2;
  if (isBelow(least.fault)) return fault(message, fix);
  return isBelow(least.warning) ? warning(message, fix) : ok(message);
}
