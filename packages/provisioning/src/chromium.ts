import os from 'node:os';
import path from 'node:path';
import { getInstalledBrowsers } from '@puppeteer/browsers';
import { findExecutable } from './find-executable.ts';
import { ProvisioningError } from './report.ts';
import { lastLine, runCommand } from './run-command.ts';
import { nobody, type Owner } from './server-owner.ts';

export interface Chromium {
  path: string;
  /** Such as `Chromium 156.0.8078.79`. */
  version: string;
  /** It is the old headless mode as a program of its own: Puppeteer wants `headless: 'shell'` for it. */
  shell: boolean;
}

/**
 * The account that runs Chromium: its sandbox refuses root, so that root's platform runs it as `nobody`; null means
 * the account that runs the platform.
 */
export function browserAccount(): Owner {
  return process.geteuid?.() === 0 ? nobody() : null;
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
 * Finds a Chromium that `runAs` can run: the one that `PUPPETEER_EXECUTABLE_PATH` names, else one in Puppeteer's cache,
 * else one of the machine. Each candidate is asked for its version, as that account.
 *
 * @param env `PUPPETEER_EXECUTABLE_PATH`, `PUPPETEER_CACHE_DIR`, `PATH`, `HOME` are looked at.
 * @throws {ProvisioningError} when the one that `PUPPETEER_EXECUTABLE_PATH` names does not run.
 */
export async function findChromium(
  env: Record<string, string | undefined>,
  runAs: Owner = browserAccount(),
): Promise<Chromium | null> {
  const chosen = env.PUPPETEER_EXECUTABLE_PATH;
  if (chosen) {
    const tried = await tryChromium(chosen, runAs);
    if ('version' in tried) return tried;
    throw new ProvisioningError(
      `PUPPETEER_EXECUTABLE_PATH names ${chosen}, which does not run here (${tried.fault}): name another, or unset it to have one found.`,
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

/** Where Puppeteer keeps the browsers that it downloads. */
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
  if (code === 0) return { fault: 'it does not say that it is Chromium' };
  return { fault: startError ?? (lastLine(output) || `it ended with code ${code}`) };
}
