import { setTimeout as sleep } from 'node:timers/promises';
import { canInstallPackages, installPackages } from '@capture/provisioning/debian-packages';
import { findExecutable } from '@capture/provisioning/find-executable';
import { runCommand } from '@capture/provisioning/run-command';

/** apt-get waits for dpkg's lock but not for the package lists' lock, which another test file may hold: 30 s in all. */
const lockTries = 6;
const lockPauseMs = 5_000;

/**
 * The path of a program that a test starts and that supports `--version`. A missing program is installed where possible
 * (as root on Debian and the like); otherwise this throws, so that no test is skipped.
 *
 * @param name of its executable: `php`.
 * @param debianPackage that contains it: `php-cli`.
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
    `No working ${name} was found${reason}, and a test needs it: install it (\`apt-get install ${debianPackage}\`).`,
  );
}

async function findProgram(name: string): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/bin', '/usr/bin'];
  for (const file of findExecutable(name, folders)) {
    // A shim may exist for a program that does not.
    const { code } = await runCommand(file, ['--version'], { timeoutMs: 30_000 });
    if (code === 0) return file;
  }
  return undefined;
}
