import { randomBytes } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openStorage } from '@capture/storage/open-storage';
import type { Storage } from '@capture/storage/storage';
import { CannotCheck, fault, group, notChecked, ok, required } from './check.ts';
import { checkSpace } from './disk-space.ts';

interface Subject {
  storage: Storage;
  /** Null for a bucket. */
  folder: string | null;
  place: string;
}

export const storage = group<Subject>({
  name: 'storage',
  async open({ storage: known }) {
    const url = required(known);
    const fix = 'correct STORAGE_URL, or the rights of whoever runs the platform';
    try {
      const folder = url.startsWith('file:') ? fileURLToPath(url) : null;
      // Opening would make the folder, and hide that it is missing.
      if (folder !== null) await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
      return { storage: await openStorage(url), folder, place: folder ?? placeOf(url) };
    } catch (error) {
      throw new CannotCheck(fault((error as Error).message, fix));
    }
  },
  checks: [
    {
      name: 'writable',
      about: 'a file can be written, is read back to the letter, and can be removed',
      async run({ storage: store, place }) {
        // Were it left behind, the sweep for files without a row would find it.
        const key = `doctor/${randomBytes(8).toString('hex')}.txt`;
        const written = randomBytes(1_024);
        const fix = 'let the platform read, write and delete there';
        try {
          await store.put(key, written);
          const found = await store.open(key);
          if (!found) return fault(`what was written to ${place} is not there`, fix);
          const read = Buffer.concat(await found.stream.toArray());
          if (!read.equals(written)) return fault(`what was written to ${place} comes back changed`, fix);
        } catch (error) {
          return fault(`${place}: ${(error as Error).message}`, fix);
        } finally {
          await store.remove(key).catch(() => undefined);
        }
        if (await store.open(key)) return fault(`what was removed from ${place} is still there`, fix);
        return ok(place);
      },
    },
    {
      name: 'space',
      about: 'the disk of the files has room',
      run({ folder }) {
        if (folder === null) return notChecked('a bucket does not tell');
        return checkSpace(folder, 'make room, or lower FILE_RETENTION_DAYS: captures fail when it is full');
      },
    },
  ],
});

function placeOf(url: string): string {
  const { hostname, pathname, searchParams } = new URL(url);
  const endpoint = searchParams.get('endpoint');
  return `the bucket ${hostname}${pathname}${endpoint ? ` at ${new URL(endpoint).host}` : ''}`;
}
