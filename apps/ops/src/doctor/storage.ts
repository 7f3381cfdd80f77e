import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openStorage } from '@capture/storage/open-storage';
import type { Storage } from '@capture/storage/storage';
import { CannotCheck, fault, group, notChecked, ok, required } from './check.ts';
import { checkSpace } from './disk-space.ts';

interface Subject {
  storage: Storage;
  folder: string | null;
  location: string;
}

export const storage = group<Subject>({
  name: 'storage',
  async open({ storage: known }) {
    const url = required(known);
    const fix = 'correct STORAGE_URL, or the permissions of the user that runs the platform';
    try {
      const folder = url.startsWith('file:') ? fileURLToPath(url) : null;
      // Opening the store would create the folder and hide that it was missing.
      if (folder !== null) await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      return { storage: await openStorage(url), folder, location: folder ?? describeBucket(url) };
    } catch (error) {
      throw new CannotCheck(fault((error as Error).message, fix));
    }
  },
  checks: [
    {
      name: 'writable',
      about: 'a file can be written, read back unchanged, and removed',
      async run({ storage: store, location }) {
        // If the file is left behind, the cleanup job for orphaned files deletes it.
        const key = `doctor/${randomBytes(8).toString('hex')}.txt`;
        const written = randomBytes(1_024);
        const fix = 'allow the platform to read, write and delete there';
        try {
          await store.put(key, written);
          const found = await store.open(key);
          if (!found) return fault(`a file written to ${location} is missing`, fix);
          const read = Buffer.concat(await found.stream.toArray());
          if (!read.equals(written)) return fault(`a file written to ${location} comes back changed`, fix);
        } catch (error) {
          return fault(`${location}: ${(error as Error).message}`, fix);
        } finally {
          await store.remove(key).catch(() => undefined);
        }
        if (await store.open(key)) return fault(`a file removed from ${location} is still there`, fix);
        return ok(location);
      },
    },
    {
      name: 'space',
      about: 'the disk of the files has free space',
      run({ folder }) {
        if (folder === null) return notChecked('a bucket does not report its size');
        return checkSpace(folder, 'free up space, or lower FILE_RETENTION_DAYS: captures fail when it is full');
      },
    },
  ],
});

function describeBucket(url: string): string {
  const { hostname, pathname, searchParams } = new URL(url);
  const endpoint = searchParams.get('endpoint');
  return `the bucket ${hostname}${pathname}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`;
}
