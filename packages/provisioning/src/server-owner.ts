import { chownSync, lchownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ProvisioningError } from './provisioning-error.ts';

/** The account that runs a server and owns its data folder; null means the account of this process. */
export type Owner = { uid: number; gid: number } | null;

/**
 * Under root each server runs under a separate user id without an entry in /etc/passwd. The machine therefore gets no new
 * account, and neither another service's account nor the browser's account can reach the server's memory or files. systemd's list
 * of user ids (https://systemd.io/UIDS-GIDS) leaves 60706–61183 unused.
 */
const postgresUid = 61_071;
const redisUid = 61_072;

/**
 * Creates a server's data folder (0700) if it is missing, and returns its owner. If root starts the platform, the data of an
 * ordinary user remains that user's, while files that root copied there become the server account's.
 *
 * @throws {ProvisioningError} if the folder belongs to a user whom this process cannot switch to.
 */
export function claimDataFolder(folder: string, server: 'postgres' | 'redis'): Owner {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, gid } = statSync(folder);
  const self = process.geteuid?.() ?? 0;
  if (self !== 0) {
    if (uid === self) return null;
    throw new ProvisioningError(
      `${folder} belongs to another user (uid ${uid}): start the platform as that user, or choose another DATA_DIR.`,
    );
  }
  if (uid !== 0) return { uid, gid };
  const owner = serverAccount(server);
  giveFolder(folder, owner);
  return owner;
}

export function serverAccount(server: 'postgres' | 'redis'): { uid: number; gid: number } {
  const uid = server === 'postgres' ? postgresUid : redisUid;
  return { uid, gid: uid };
}

export function giveFolder(folder: string, owner: { uid: number; gid: number }): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(folder, name), owner.uid, owner.gid);
  }
  chownSync(folder, owner.uid, owner.gid);
}

/** The machine's unprivileged account, which has a name, unlike the accounts above. */
export function nobodyAccount(): { uid: number; gid: number } {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith('nobody:'));
    const [, , uid, gid] = line?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  } catch {
    // A system without the file uses the usual user id.
  }
  return { uid: 65_534, gid: 65_534 };
}

/**
 * The path by which a server that runs as `owner` reaches its data folder when that folder is its working directory. If root
 * starts the server, the folders above may be closed to its account (as a folder of `mktemp -d` is). The process enters its
 * working directory before it drops its rights, and `/proc/self/cwd` then leads to the folder directly.
 */
export function ownDataFolder(folder: string, owner: Owner): string {
  return owner && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}
