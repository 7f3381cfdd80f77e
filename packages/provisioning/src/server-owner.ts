import { chownSync, lchownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ProvisioningError } from './report.ts';

/** The account that a server runs as and that owns its data folder; null means: the one that started us. */
export type Owner = { uid: number; gid: number } | null;

/**
 * Started by root, each server gets a number of its own, without an entry in /etc/passwd: nothing is added to the
 * machine, and neither another service's account nor the browser's (nobody) can reach its memory or files. systemd's
 * list of user ids (https://systemd.io/UIDS-GIDS) leaves 60706–61183 to nobody.
 */
const postgresUid = 61_071;
const redisUid = 61_072;

/**
 * Makes a server's data folder (0700), if it is not there, and says who it belongs to. Data made by an ordinary user
 * stays that user's when root starts the platform; what root copied there is given to the server's own account.
 *
 * @throws {ProvisioningError} when the folder belongs to somebody whom this process cannot become.
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

/** The account of a server that root starts. */
export function serverAccount(server: 'postgres' | 'redis'): { uid: number; gid: number } {
  const uid = server === 'postgres' ? postgresUid : redisUid;
  return { uid, gid: uid };
}

/** Makes `owner` the owner of a folder and of all that is in it. */
export function giveFolder(folder: string, owner: { uid: number; gid: number }): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(folder, name), owner.uid, owner.gid);
  }
  chownSync(folder, owner.uid, owner.gid);
}

/** The machine's `nobody`: an account without rights that, unlike ours, has a name. */
export function nobody(): { uid: number; gid: number } {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith('nobody:'));
    const [, , uid, gid] = line?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  } catch {
    // Systems without the file know the usual number.
  }
  return { uid: 65_534, gid: 65_534 };
}

/**
 * How a server that runs as `owner` names its own data folder, when it is started with that folder as its working
 * directory. As root, folders above it may be closed to others (a `mktemp -d` is); the working directory, however, is
 * entered before the rights are given up, and `/proc/self/cwd` leads there without touching what lies above.
 */
export function ownDataFolder(folder: string, owner: Owner): string {
  return owner && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}
