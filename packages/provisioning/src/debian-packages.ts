import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from './provisioning-error.ts';
import { type CommandResult, runCommand } from './run-command.ts';

/** Whether this process may install packages with apt, as root on Debian, Ubuntu and their derivatives. */
export function canInstallPackages(): boolean {
  return process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

const installWithinMs = 900_000;

/** apt-get waits for dpkg's lock, but not for the lock of the package lists, which another process may hold. */
const lock = { waitMs: 120_000, pauseMs: 1_000 };

/**
 * Installs packages with their dependencies but not their recommendations, without starting their services. Updates the package
 * lists first, because old lists name files that the archive no longer has, or a browser with known vulnerabilities. If the
 * update fails, the existing lists are used.
 *
 * @param env apt-get gets its `PATH` and proxies.
 * @returns apt's error message; null if all packages are installed.
 */
export async function installPackages(
  names: readonly string[],
  env: Record<string, string | undefined>,
  report: Report,
): Promise<string | null> {
  report(`installing ${names.join(', ')} with apt-get`);
  const update = await updateLists(env);
  const install = await withoutServices(() => aptGet(['install', ...names], env));
  if (install.code === 0) return null;
  return fault(install) || fault(update) || `apt-get ended with code ${install.code}`;
}

let updating: Promise<CommandResult> | undefined;

/** Updates the lists once per process. */
function updateLists(env: Record<string, string | undefined>): Promise<CommandResult> {
  updating ??= aptGet(['update'], env);
  return updating;
}

async function aptGet(args: string[], callerEnv: Record<string, string | undefined>): Promise<CommandResult> {
  // With `--no-remove` an installation that would remove an installed package fails instead.
  const options = ['-y', '-q', '--no-install-recommends', '--no-remove', '-o', 'DPkg::Lock::Timeout=300'];
  const env = {
    PATH: `${callerEnv.PATH ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`,
    LC_ALL: 'C',
    DEBIAN_FRONTEND: 'noninteractive',
    // Ubuntu's needrestart would prompt, or restart unrelated services.
    NEEDRESTART_SUSPEND: '1',
    ...(callerEnv.http_proxy && { http_proxy: callerEnv.http_proxy }),
    ...(callerEnv.https_proxy && { https_proxy: callerEnv.https_proxy }),
  };
  const end = Date.now() + lock.waitMs;
  for (;;) {
    const result = await runCommand('apt-get', [...options, ...args], { cwd: '/', env, timeoutMs: installWithinMs });
    const isLocked = result.code !== 0 && /\block\b/.test(fault(result));
    if (!isLocked || Date.now() > end) return result;
    await sleep(lock.pauseMs);
  }
}

function fault({ output, startError }: CommandResult): string {
  if (startError) return startError;
  const lines = output.split('\n').filter((line) => /^(E|Err):/.test(line));
  return lines[0]?.replace(/^(E|Err): */, '').trim() ?? '';
}

/** Debian asks this script before it starts or stops a package's service; 101 forbids it (Debian's policy manual, 9.3.3). */
const servicePolicy = '/usr/sbin/policy-rc.d';
const forbidServices = '#!/bin/sh\n# Made by the capture platform for the time of an installation.\nexit 101\n';

async function withoutServices<Result>(work: () => Promise<Result>): Promise<Result> {
  // This also removes a policy that an earlier process of the platform left when it was killed.
  const isOurs = !existsSync(servicePolicy) || readFileSync(servicePolicy, 'utf8') === forbidServices;
  if (!isOurs) return work();
  const restore = () => rmSync(servicePolicy, { force: true });
  writeFileSync(servicePolicy, forbidServices, { mode: 0o755 });
  process.once('exit', restore);
  try {
    return await work();
  } finally {
    process.off('exit', restore);
    restore();
  }
}

/** Keeps a service that was installed together with its program from starting at boot. */
export async function disableService(name: string): Promise<void> {
  if (!existsSync('/run/systemd/system')) return;
  await runCommand('systemctl', ['disable', '--quiet', '--now', name], { cwd: '/', timeoutMs: 30_000 });
}
