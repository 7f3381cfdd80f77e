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
import { ProvisioningError, type Report } from './report.ts';
import { lastLine, runCommand } from './run-command.ts';
import { giveFolder, nobody, type Owner, ownDataFolder } from './server-owner.ts';

/** The account of PostgreSQL that may do everything; the platform itself uses one of its own. */
export const superuser = 'postgres';

/**
 * Makes a new database cluster in `dataDir`, if there is none. It is made beside it and renamed when it is whole, so
 * that a start which is killed half-way leaves nothing that looks like a cluster.
 *
 * @throws {ProvisioningError} with what `initdb` said, or when the cluster there is of another major version.
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
      throw new ProvisioningError(`${dataDir} holds something that is not a database: choose another DATA_DIR.`);
    }
    return createCluster(options);
  }
  const made = readFileSync(versionFile, 'utf8').trim();
  const [runs] = binaries.version.split('.');
  if (made !== runs) {
    throw new ProvisioningError(
      `The database in ${dataDir} was made by PostgreSQL ${made} and this is ${runs}: dump it with the old one, or choose another DATA_DIR.`,
    );
  }
}

async function createCluster(options: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const { dataDir, owner, binaries, superuserPassword, report } = options;
  report('PostgreSQL: making a new database cluster');
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  // initdb wants an account that has a name, which the server's own number has not: nobody makes the files, and they
  // are given to the server's account afterwards.
  const maker = owner && nobody();
  if (maker) giveFolder(unfinished, maker);
  const passwordFile = `${dataDir}.password`;
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${superuserPassword}\n`, { mode: 0o600 });
  if (maker) chownSync(passwordFile, maker.uid, maker.gid);
  // Handed over as an open file: its folder may be one that the maker cannot enter.
  const password = openSync(passwordFile, 'r');
  rmSync(passwordFile);
  const args = [
    `--pgdata=${ownDataFolder(unfinished, maker)}`,
    `--username=${superuser}`,
    '--pwfile=/dev/fd/3',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own UTF-8 locale: the same order on every machine, whatever locales that has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
  const where = { ...maker, cwd: unfinished, env: { LC_ALL: 'C', TZ: 'UTC' } };
  const { code, output, startError } = await runCommand(binaries.initdb, args, {
    ...where,
    files: [password],
    timeoutMs: 120_000,
  });
  closeSync(password);
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new ProvisioningError(
      `PostgreSQL could not make its data folder ${dataDir}: ${startError ?? (lastLine(output) || `code ${code}`)}`,
    );
  }
  if (owner) giveFolder(unfinished, owner);
  renameSync(unfinished, dataDir);
}
