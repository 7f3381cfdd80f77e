import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Report } from './report.ts';
import { type CommandResult, runCommand } from './run-command.ts';

/** Whether this process may install packages with apt: root on Debian, Ubuntu and the like. */
export function canInstallPackages(): boolean {
  return process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

const installWithinMs = 900_000;

/**
 * Installs packages with what they need, and nothing that is only recommended; a service that one of them brings is
 * not started. The lists of packages are fetched first: an old one names files that the archive no longer has, or a browser
 * of half a year ago, whose holes are known by now. Where they cannot be fetched, those of the machine have to do.
 *
 * @param env whose `PATH` and proxies apt-get gets.
 * @returns why it failed, in apt's words; null when all are installed.
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

/** Once a process: what is installed in one go need not ask again. */
function updateLists(env: Record<string, string | undefined>): Promise<CommandResult> {
  updating ??= aptGet(['update'], env);
  return updating;
}

function aptGet(args: string[], given: Record<string, string | undefined>): Promise<CommandResult> {
  // What is on the machine is its owner's: an install that would have to remove any of it is refused.
  const options = ['-y', '-q', '--no-install-recommends', '--no-remove', '-o', 'DPkg::Lock::Timeout=300'];
  const env = {
    PATH: `${given.PATH ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`,
    LC_ALL: 'C',
    DEBIAN_FRONTEND: 'noninteractive',
    // Ubuntu's needrestart asks questions, or restarts what is none of our business.
    NEEDRESTART_SUSPEND: '1',
    ...(given.http_proxy && { http_proxy: given.http_proxy }),
    ...(given.https_proxy && { https_proxy: given.https_proxy }),
  };
  return runCommand('apt-get', [...options, ...args], { cwd: '/', env, timeoutMs: installWithinMs });
}

function fault({ output, startError }: CommandResult): string {
  if (startError) return startError;
  const lines = output.split('\n').filter((line) => /^(E|Err):/.test(line));
  return lines[0]?.replace(/^(E|Err): */, '').trim() ?? '';
}

/** Debian asks this script before a package's service is started or stopped; 101 forbids it (its policy manual, 9.3.3). */
const servicePolicy = '/usr/sbin/policy-rc.d';
const forbidServices = '#!/bin/sh\n# Made by the capture platform for the time of an installation.\nexit 101\n';

async function withoutServices<Result>(work: () => Promise<Result>): Promise<Result> {
  // One that we left behind, because this process was killed meanwhile, is ours to remove.
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

/** Keeps a service that was installed along with its program from being started with the machine. */
export async function disableService(name: string): Promise<void> {
  if (!existsSync('/run/systemd/system')) return;
  await runCommand('systemctl', ['disable', '--quiet', '--now', name], { cwd: '/', timeoutMs: 30_000 });
}
