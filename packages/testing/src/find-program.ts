import { setTimeout as sleep } from 'node:timers/promises';
import { canInstallPackages, installPackages } from '@capture/provisioning/debian-packages';
import { findExecutable } from '@capture/provisioning/find-executable';
import { runCommand } from '@capture/provisioning/run-command';

/** apt-get waits for dpkg's lock, not for that on the lists of packages, which another test file's may hold: 30 s. */
const lockTries = 6;
const lockPauseMs = 5_000;

/**
 * The path of a program that a test starts, and that answers to `--version`. What is missing is installed where that can
 * be done, as root on Debian and the like; what cannot be had is an error, never a skipped test.
 *
 * @param name how it is called: `php`.
 * @param debianPackage what brings it: `php-cli`.
 * @throws Error with what to install.
 */
export async function findOrInstallProgram(name: string, debianPackage: string): Promise<string> {
  let reason = '';
  for (let tries = 0; tries < lockTries; tries += 1) {
    const found = await findProgram(name);
    if (found) return found;
    if (!canInstallPackages()) break;
    if (tries > 0) await sleep(lockPauseMs);
    const fault = await installPackages([debianPackage], process.env, (line) =>
      process.stderr.write(`tests: ${line}\n`),
    );
    reason = fault === null ? '' : ` (apt-get: ${fault})`;
    if (fault !== null && !/\block\b/.test(fault)) break;
  }
  const installed = await findProgram(name);
  if (installed) return installed;
  throw new Error(
    `No ${name} that runs was found${reason}, and a test needs it: install it (\`apt-get install ${debianPackage}\`).`,
  );
}

async function findProgram(name: string): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/bin', '/usr/bin'];
  for (const file of findExecutable(name, folders)) {
    // A shim may be there for a program that is not.
    const { code } = await runCommand(file, ['--version'], { timeoutMs: 30_000 });
    if (code === 0) return file;
  }
  return undefined;
}
