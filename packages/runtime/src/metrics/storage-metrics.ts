import { statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Counter, Histogram, type Registry } from 'prom-client';
import { readMetrics } from './read-metrics.ts';

/** The part of a store that is measured. */
interface MeasuredStorage {
  put(key: string, bytes: Buffer): Promise<void>;
  open(key: string, part?: { start: number; end: number }): Promise<unknown>;
  remove(key: string): Promise<void>;
}

/**
 * Wraps a storage to time its calls and count its failures.
 *
 * @param url the value of `STORAGE_URL`. For a folder, the free space of its file system is measured too.
 */
export function measureStorage<Storage extends MeasuredStorage>(
  registry: Registry,
  url: string,
  storage: Storage,
): Storage {
  if (url.startsWith('file:')) watchDiskSpace(registry, fileURLToPath(url));
  const durations = new Histogram({
    name: 'capture_storage_duration_seconds',
    help: 'Time for a file to be written, opened or removed.',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'capture_storage_failures_total',
    help: 'Files that could not be written, opened or removed. A missing file is no failure.',
    labelNames: ['operation'],
    registers: [registry],
  });
  for (const operation of ['put', 'open', 'remove']) failures.inc({ operation }, 0);
  async function measured<Result>(operation: 'put' | 'open' | 'remove', call: () => Promise<Result>): Promise<Result> {
    const stop = durations.startTimer({ operation });
    try {
      return await call();
    } catch (error) {
      failures.inc({ operation });
      throw error;
    } finally {
      stop();
    }
  }
  return {
    ...storage,
    put: (key: string, bytes: Buffer) => measured('put', () => storage.put(key, bytes)),
    open: (key: string, part?: { start: number; end: number }) => measured('open', () => storage.open(key, part)),
    remove: (key: string) => measured('remove', () => storage.remove(key)),
  };
}

function watchDiskSpace(registry: Registry, folder: string): void {
  readMetrics(registry, () => statfs(folder), [
    {
      name: 'capture_storage_free_bytes',
      help: 'Free space for this process on the file system of the files.',
      show: (disk) => disk && disk.bavail * disk.bsize,
    },
    {
      name: 'capture_storage_size_bytes',
      help: 'Size of the file system of the files.',
      show: (disk) => disk && disk.blocks * disk.bsize,
    },
  ]);
}
