import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Report } from '@capture/provisioning/provisioning-error';
import { lastLine, runCommand } from '@capture/provisioning/run-command';

/** Packages that belong together, by name and exact version. */
export type Packages = Readonly<Record<string, string>>;

/** The time suffices for a gigabyte over a slow line. */
const installWithinMs = 600_000;

const done = 'installed';

/**
 * Installs packages outside of the repository, because it does not depend on them, and keeps them for the next run: in a
 * temporary folder of this user, where the account that runs browsers can read them, too.
 *
 * @param name the tool that needs the packages, such as `bench`. The folder is named after the tool.
 * @returns the folder that holds `node_modules`.
 * @throws {Error} with npm's last words.
 */
export async function installPackages(name: string, packages: Packages, report: Report): Promise<string> {
  const pins = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 12);
  const folder = path.join(os.tmpdir(), `capture-${name}-${process.geteuid?.() ?? 0}-${pins}`);
  if (existsSync(path.join(folder, done))) {
    expectOwn(folder);
    return folder;
  }
  const [first] = Object.keys(packages);
  report(`installing ${first} and related packages, for this run and later runs (${folder})`);
  // The folder has another name until it is complete, so that no later run uses the folder of a broken run.
  const making = `${folder}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { mode: 0o755 });
  try {
    const manifest = { name: `capture-${name}`, private: true, type: 'module', dependencies: packages };
    writeFileSync(path.join(making, 'package.json'), JSON.stringify(manifest));
    const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
    const [command = 'npm', ...args] = [...npm, 'install', '--ignore-scripts', '--no-audit', '--no-fund'];
    const options = { cwd: making, env: { ...process.env, npm_config_loglevel: 'error' }, timeoutMs: installWithinMs };
    const { code, output, startError } = await runCommand(command, args, options);
    if (code !== 0) throw new Error(startError ?? reasonIn(output));
    writeFileSync(path.join(making, done), '');
    // Another run may have been faster, and may read from the folder.
    if (existsSync(path.join(folder, done))) rmSync(making, { recursive: true, force: true });
    else {
      rmSync(folder, { recursive: true, force: true });
      renameSync(making, folder);
    }
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Finds the error in npm's output, which ends with the path of its log. */
function reasonIn(output: string): string {
  const reasons = output.split('\n').filter((line) => /^npm error (?!code|A complete log)/.test(line));
  return reasons.map((line) => line.replace('npm error ', '')).join(' ') || lastLine(output);
}

/** Refuses a folder of another user. Any user could create the folder, and its contents are executed. */
function expectOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  if (uid === (process.geteuid?.() ?? uid) && (mode & 0o022) === 0) return;
  throw new Error(`${folder} belongs to another user, or other users can write to it: remove it`);
}
