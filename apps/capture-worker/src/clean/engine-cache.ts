import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const suffix = '.engine';

/** The folder that keeps parsed lists between starts: a temporary folder of this user alone. */
export function cacheFolder(): string {
  return path.join(tmpdir(), `capture-filters-${process.geteuid?.() ?? 'user'}`);
}

/**
 * Reads the cached engine with this key, or null.
 *
 * @param key the digest of everything that the engine was built from.
 */
export async function readCached(folder: string, key: string): Promise<Uint8Array | null> {
  if (!(await isPrivate(folder))) return null;
  const bytes = await readFile(path.join(folder, key + suffix)).catch(() => null);
  // The engine needs an aligned buffer, but Node's may start at any offset.
  return bytes && new Uint8Array(bytes);
}

/** Caches an engine and deletes the oldest engines. Never rejects, because the engine can be built again. */
export async function writeCached(folder: string, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await isPrivate(folder))) return;
    const partial = path.join(folder, `${key}.${process.pid}`);
    await writeFile(partial, bytes, { mode: 0o600 });
    await rename(partial, path.join(folder, key + suffix));
    await deleteOldest(folder);
  } catch {
    // On a full or read-only disk, the lists are parsed again at the next start.
  }
}

/** An engine has 7 MB. Four suffice for two workers with different lists. */
const maxEngines = 4;

async function deleteOldest(folder: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, at: (await lstat(path.join(folder, name))).mtimeMs })),
  );
  const old = entries.sort((a, b) => b.at - a.at).slice(maxEngines);
  for (const { name } of old) await rm(path.join(folder, name), { force: true });
}

/** Any user can create a folder with this name in the temporary folder, so folders that others can write are not read. */
async function isPrivate(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory()) return false;
  return process.geteuid === undefined || (stats.uid === process.geteuid() && (stats.mode & 0o022) === 0);
}
