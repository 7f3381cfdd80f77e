import { chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findExecutable } from './find-executable.ts';
import { runCommand } from './run-command.ts';
import type { Owner } from './server-owner.ts';

/** Creating namespaces takes 10 ms. */
const withinMs = 10_000;

/**
 * Writes a program that starts Chromium's GPU process in a separate user, network and IPC namespace, for Chromium's option
 * `--gpu-launcher`. Chromium does not sandbox that process when it renders WebGL in software, because SwiftShader starts threads
 * before the sandbox could start, and does not start in the sandbox. In the namespaces the process has no network and no rights
 * over the browser's other processes.
 *
 * @param folder accessible to `runAs`, the account that runs the browser.
 * @returns the program's path; null if it does not work: not Linux, no `unshare`, no namespaces for ordinary users, or a folder
 * where nothing may be executed.
 */
export async function makeGpuLauncher(folder: string, runAs: Owner): Promise<string | null> {
  const [unshare] = process.platform === 'linux' ? findExecutable('unshare', ['/usr/bin', '/bin']) : [];
  const program = path.join(folder, 'gpu-launcher');
  // Chromium splits the option at spaces.
  if (unshare === undefined || /\s/.test(program)) return null;
  await writeFile(program, `#!/bin/sh\nexec ${unshare} --user --map-current-user --net --ipc -- "$@"\n`, {
    mode: 0o700,
  });
  if (runAs) await chown(program, runAs.uid, runAs.gid);
  const { code } = await runCommand(program, ['/bin/true'], { ...runAs, cwd: folder, env: {}, timeoutMs: withinMs });
  return code === 0 ? program : null;
}
