import { canInstallPackages, installPackages } from '@capture/provisioning/debian-packages';
import { findExecutable } from '@capture/provisioning/find-executable';
import { runCommand } from '@capture/provisioning/run-command';

/**
 * Returns the path of a program that a test starts and that prints its version. A missing program is installed where possible
 * (as root on Debian and the like). Otherwise this throws, so that no test is skipped.
 *
 * @param name of its executable: `php`.
 * @param debianPackage that contains it: `php-cli`.
 * @param versionFlag the flag that prints its version.
 * @throws Error that names the packages to install.
 */
export async function findOrInstallProgram(
  name: string,
  debianPackage: string,
  versionFlag = '--version',
): Promise<string> {
  const found = await findProgram(name, versionFlag);
  if (found) return found;
  await installForTests(name, [debianPackage]);
  const installed = await findProgram(name, versionFlag);
  if (installed) return installed;
  throw new Error(`${name} does not run, although ${debianPackage} is installed.`);
}

/**
 * Installs Debian packages that a test needs.
 *
 * @param name of the missing program: `php`.
 * @throws Error that names the packages to install, where this process cannot install them.
 */
export async function installForTests(name: string, packages: readonly string[]): Promise<void> {
  const report = (line: string) => void process.stderr.write(`tests: ${line}\n`);
  const fault = canInstallPackages() ? await installPackages(packages, process.env, report) : 'only root can install';
  if (fault === null) return;
  throw new Error(
    `No working ${name} was found (${fault}), and a test needs it: install it (\`apt-get install ${packages.join(' ')}\`).`,
  );
}

async function findProgram(name: string, versionFlag: string): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/bin', '/usr/bin', '/usr/sbin'];
  for (const file of findExecutable(name, folders)) {
    // A shim may exist although its program is missing.
    const { code } = await runCommand(file, [versionFlag], { timeoutMs: 30_000 });
    if (code === 0) return file;
  }
  return undefined;
}
