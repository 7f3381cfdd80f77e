import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { identifyProcess } from '@capture/provisioning/process-identity';
import { fontConfig } from './font-config.ts';

const prefix = 'capture-browser-';
const nameForm = new RegExp(`^${prefix}(\\d+)-([0-9a-f]{8})-[A-Za-z0-9]{6}$`);

export interface BrowserAccount {
  uid: number;
  gid: number;
}

/** The folders of one browser, which writes nowhere else. */
export interface BrowserFolder {
  /** The browser's home and working directory. */
  home: string;
  temp: string;
  profile: string;
  /** Removes the folders. Retries while the browser's last processes still write. */
  remove(): Promise<void>;
}

/**
 * Creates the folders of one browser, accessible only to `owner`. The name contains the worker's process id, so that a later
 * worker recognizes the folders of a killed worker.
 */
export async function makeBrowserFolder(parent: string, owner: BrowserAccount | null): Promise<BrowserFolder> {
  const home = await mkdtemp(path.join(parent, `${prefix}${process.pid}-${startHashOf(process.pid)}-`));
  const folder = { home, temp: path.join(home, 'tmp'), profile: path.join(home, 'profile') };
  const remove = () => removeTree(home);
  try {
    for (const each of [folder.temp, folder.profile]) await mkdir(each, { mode: 0o700 });
    await writeFontConfig(home, owner);
    if (owner) for (const each of Object.values(folder)) await chown(each, owner.uid, owner.gid);
  } catch (error) {
    await remove();
    throw error;
  }
  return { ...folder, remove };
}

async function writeFontConfig(home: string, owner: BrowserAccount | null): Promise<void> {
  const settings = path.join(home, '.config');
  const file = path.join(settings, 'fontconfig', 'fonts.conf');
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, fontConfig);
  if (owner) for (const each of [settings, path.dirname(file), file]) await chown(each, owner.uid, owner.gid);
}

/**
 * Kills the processes of browsers whose worker is gone, and removes their folders. (A browser ends by itself when its pipe
 * closes, unless it hangs.)
 *
 * @returns the removed folders.
 */
export async function removeOrphanedBrowsers(parent: string): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(parent)) {
    const [, pid, start] = nameForm.exec(name) ?? [];
    if (pid === undefined || startHashOf(Number(pid)) === start) continue;
    const folder = path.join(parent, name);
    if (!(await isOurs(folder))) continue;
    await killUsersOf(folder);
    await removeTree(folder);
    removed.push(folder);
  }
  return removed;
}

function removeTree(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** A hash of a process's start time, eight characters; `gone` if there is no such process. */
function startHashOf(pid: number): string {
  const identity = identifyProcess(pid);
  return identity ? createHash('sha256').update(identity.startedAt).digest('hex').slice(0, 8) : 'gone';
}

/** Whether this account owns the folder: any account can create such a name in the temporary directory. */
async function isOurs(folder: string): Promise<boolean> {
  const facts = await lstat(folder).catch(() => null);
  const self = process.geteuid?.() ?? 0;
  return facts?.isDirectory() === true && (self === 0 || facts.uid === self);
}

/** Kills the processes that were started with their profile in this folder. Linux only, where workers run. */
async function killUsersOf(folder: string): Promise<void> {
  const argument = `--user-data-dir=${folder}/`;
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const commandLine = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (!commandLine.split('\0').some((each) => each.startsWith(argument))) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // The process has ended, or belongs to another account.
    }
  }
}
