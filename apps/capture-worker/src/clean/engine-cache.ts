import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const suffix = '.engine';

/** Where parsed lists are kept between starts: what is temporary, and this account's alone. */
export function cacheFolder(): string {
  return path.join(tmpdir(), `capture-filters-${process.geteuid?.() ?? 'user'}`);
}

/**
 * What was kept under this key, or null.
 *
 * @param key the digest of all that it was made from.
 */
export async function readKept(folder: string, key: string): Promise<Uint8Array | null> {
  if (!(await isOurs(folder))) return null;
  const bytes = await readFile(path.join(folder, key + suffix)).catch(() => null);
  // The engine reads its buffer as words, and Node may give one that begins anywhere.
  return bytes && new Uint8Array(bytes);
}

/** Keeps it; that of other keys is kept beside it until there are more than a few. Never rejects: it can be made again. */
export async function keep(folder: string, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await isOurs(folder))) return;
    const unfinished = path.join(folder, `${key}.${process.pid}`);
    await writeFile(unfinished, bytes, { mode: 0o600 });
    await rename(unfinished, path.join(folder, key + suffix));
    await forgetOld(folder);
  } catch {
    // A full or read-only disk: the lists are parsed again at the next start.
  }
}

/** 7 MB each: those of the lists now, and of a worker with others. */
const keptAtMost = 4;

async function forgetOld(folder: string): Promise<void> {
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, at: (await lstat(path.join(folder, name))).mtimeMs })),
  );
  const old = entries.sort((a, b) => b.at - a.at).slice(keptAtMost);
  for (const { name } of old) await rm(path.join(folder, name), { force: true });
}

/** Anybody can make a folder of such a name where temporary files are; what others can write is not read. */
async function isOurs(folder: string): Promise<boolean> {
  const facts = await lstat(folder).catch(() => null);
  if (!facts?.isDirectory()) return false;
  return process.geteuid === undefined || (facts.uid === process.geteuid() && (facts.mode & 0o022) === 0);
}
