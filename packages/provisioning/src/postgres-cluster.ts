import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { ProvisioningError, type Report } from './provisioning-error.ts';
import { lastLine, runCommand } from './run-command.ts';
import { giveFolder, nobodyAccount, type Owner, ownDataFolder } from './server-owner.ts';

/** PostgreSQL's superuser; the platform itself uses another account. */
export const superuser = 'postgres';

/**
 * Creates a database cluster in `dataDir` if there is none. The cluster has another name until it is complete, so that a start
 * that is killed halfway leaves no folder that looks like a cluster.
 *
 * @throws {ProvisioningError} with the error of `initdb`, or if the existing cluster has another major version.
 */
export async function ensureCluster(options: {
  dataDir: string;
  owner: Owner;
  binaries: PostgresBinaries;
  superuserPassword: string;
  report: Report;
}): Promise<void> {
  const { dataDir, binaries } = options;
  const versionFile = path.join(dataDir, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    if (readdirSync(dataDir).length > 0) {
      throw new ProvisioningError(`${dataDir} contains files that are not a database: choose another DATA_DIR.`);
    }
    return createCluster(options);
  }
  const existing = readFileSync(versionFile, 'utf8').trim();
  const [installed] = binaries.version.split('.');
  if (existing !== installed) {
    throw new ProvisioningError(
      `The database in ${dataDir} was created by PostgreSQL ${existing}, and this is ${installed}: dump it with the old version, or choose another DATA_DIR.`,
    );
  }
}

async function createCluster(options: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const { dataDir, owner, binaries, superuserPassword, report } = options;
  report('PostgreSQL: creating a new database cluster');
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  // initdb needs an account with a name, but the server's uid has no name. The system's unprivileged account creates the files,
  // and the server's account becomes their owner afterwards.
  const creator = owner && nobodyAccount();
  if (creator) giveFolder(unfinished, creator);
  const passwordFile = `${dataDir}.password`;
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
  if (creator) chownSync(passwordFile, creator.uid, creator.gid);
  // The password is passed as an open file, because the creator may not be able to enter its folder.
  const password = openSync(passwordFile, 'r');
  rmSync(passwordFile);
  const args = [
    `--pgdata=${ownDataFolder(unfinished, creator)}`,
    `--username=${superuser}`,
    '--pwfile=/dev/fd/3',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's built-in UTF-8 locale has the same sort order on every machine, whatever locales the machine has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
  const where = { ...creator, cwd: unfinished, env: { LC_ALL: 'C', TZ: 'UTC' } };
  const { code, output, startError } = await runCommand(binaries.initdb, args, {
    ...where,
    files: [password],
    timeoutMs: 120_000,
  });
  closeSync(password);
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new ProvisioningError(
      `PostgreSQL could not create its data folder ${dataDir}: ${startError ?? (lastLine(output) || `code ${code}`)}`,
    );
  }
  if (owner) giveFolder(unfinished, owner);
  renameSync(unfinished, dataDir);
}
