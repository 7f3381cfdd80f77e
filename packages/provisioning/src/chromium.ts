import os from 'node:os';
import path from 'node:path';
import { getInstalledBrowsers } from '@puppeteer/browsers';
import { findExecutable } from './find-executable.ts';
import { ProvisioningError } from './provisioning-error.ts';
import { lastLine, runCommand } from './run-command.ts';
import { nobodyAccount, type Owner } from './server-owner.ts';

export interface Chromium {
  path: string;
  /** The version, such as `Chromium 156.0.8078.79`. */
  version: string;
  /** Whether this is the old headless mode, a separate program: Puppeteer needs `headless: 'shell'` for it. */
  shell: boolean;
}

/**
 * Returns the account that runs Chromium. Chromium's sandbox refuses root, so a platform that root started runs Chromium as the
 * system's unprivileged account; null means the account that runs the platform.
 */
export function browserAccount(): Owner {
  return process.geteuid?.() === 0 ? nobodyAccount() : null;
}

const systemNames = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const systemFolders = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/opt/homebrew/bin', '/snap/bin'];
const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Finds a Chromium that `runAs` can run: the executable that `PUPPETEER_EXECUTABLE_PATH` names, then Puppeteer's cache, then the
 * system. Runs each candidate with `--version` as that account.
 *
 * @param env reads `PUPPETEER_EXECUTABLE_PATH`, `PUPPETEER_CACHE_DIR`, `PATH` and `HOME`.
 * @throws {ProvisioningError} if the executable that `PUPPETEER_EXECUTABLE_PATH` names does not run.
 */
export async function findChromium(
  env: Record<string, string | undefined>,
  runAs: Owner = browserAccount(),
): Promise<Chromium | null> {
  const configured = env.PUPPETEER_EXECUTABLE_PATH;
  if (configured) {
    const tried = await tryChromium(configured, runAs);
    if ('version' in tried) return tried;
    throw new ProvisioningError(
      `PUPPETEER_EXECUTABLE_PATH names ${configured}, which does not run here (${tried.fault}): set another path, or unset it to search for one.`,
    );
  }
  const folders = [...(env.PATH ?? '').split(':'), ...systemFolders];
  const system = systemNames.flatMap((name) => findExecutable(name, folders));
  for (const file of [...(await cachedBrowsers(env)), ...system, ...macApplications]) {
    const tried = await tryChromium(file, runAs);
    if ('version' in tried) return tried;
  }
  return null;
}

/** The folder where Puppeteer keeps the browsers that it downloads. */
export function puppeteerCache(env: Record<string, string | undefined>): string {
  return env.PUPPETEER_CACHE_DIR ?? path.join(env.HOME || os.homedir(), '.cache', 'puppeteer');
}

async function cachedBrowsers(env: Record<string, string | undefined>): Promise<string[]> {
  const preferred = ['chrome-headless-shell', 'chrome', 'chromium'];
  const installed = await getInstalledBrowsers({ cacheDir: puppeteerCache(env) });
  return preferred.flatMap((name) =>
    installed
      .filter((entry) => entry.browser === name)
      .map((entry) => entry.executablePath)
      .sort()
      .reverse(),
  );
}

async function tryChromium(file: string, runAs: Owner): Promise<Chromium | { fault: string }> {
  const env = { HOME: os.tmpdir(), PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  const { code, output, startError } = await runCommand(file, ['--version'], {
    ...runAs,
    cwd: '/',
    env,
    timeoutMs: 20_000,
  });
  const version = /\b(?:Chromium|Google Chrome(?: for Testing)?|HeadlessChrome)\s+\d+[\d.]*/.exec(output)?.[0];
  if (code === 0 && version) return { path: file, version, shell: /headless[-_]shell/.test(path.basename(file)) };
  if (code === 0) return { fault: 'its version output does not name Chromium' };
  return { fault: startError ?? (lastLine(output) || `it ended with code ${code}`) };
}
