import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, install } from '@puppeteer/browsers';
import { browserAccount, type Chromium, findChromium, puppeteerCache } from './chromium.ts';
import { canInstallPackages, installPackages } from './debian-packages.ts';
import { findOrInstallFonts } from './install-fonts.ts';
import { ProvisioningError, type Report } from './provisioning-error.ts';
import type { Owner } from './server-owner.ts';

/**
 * Finds a Chromium that runs here, or installs one: with apt as root on Debian, or else with Puppeteer's download. Also installs
 * missing fonts.
 *
 * @throws {ProvisioningError} that says what to install.
 */
export async function findOrInstallChromium(
  env: Record<string, string | undefined>,
  report: Report,
  runAs: Owner = browserAccount(),
): Promise<Chromium> {
  const chromium = (await findChromium(env, runAs)) ?? (await installChromium(env, report, runAs));
  await findOrInstallFonts(chromium, env, report, runAs);
  return chromium;
}

async function installChromium(
  env: Record<string, string | undefined>,
  report: Report,
  runAs: Owner,
): Promise<Chromium> {
  report('Chromium: not found on this machine');
  const faults: string[] = [];
  if (canInstallPackages()) {
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const fault = await installPackages([name], env, report);
      const installed = await findChromium(env, runAs);
      if (installed) return installed;
      if (fault) faults.push(`apt-get: ${fault}`);
    }
  }
  const fault = await download(env, report);
  const downloaded = await findChromium(env, runAs);
  if (downloaded) return downloaded;
  faults.push(`download: ${fault ?? 'the downloaded browser does not run here'}`);
  throw new ProvisioningError(
    `No Chromium that runs here was found, nor could one be installed (${faults.join('; ')}): install one (\`apt-get install chromium-headless-shell\`, \`dnf install chromium\`, \`apk add chromium\`) or set PUPPETEER_EXECUTABLE_PATH.`,
  );
}

/** Downloads the build of this Puppeteer version into Puppeteer's cache. Returns the reason of a failure, or null. */
async function download(env: Record<string, string | undefined>, report: Report): Promise<string | null> {
  report('downloading chrome-headless-shell (about 100 MB)');
  // Puppeteer exports the revisions for its own command, but its types lack them.
  const { PUPPETEER_REVISIONS } = (await import('puppeteer')) as unknown as {
    PUPPETEER_REVISIONS: { 'chrome-headless-shell': string };
  };
  const buildId = PUPPETEER_REVISIONS['chrome-headless-shell'];
  const cacheDir = puppeteerCache(env);
  try {
    const installing = install({ browser: Browser.CHROMEHEADLESSSHELL, buildId, cacheDir });
    const timedOut = 'it took longer than ten minutes';
    return await Promise.race([installing.then(() => null), sleep(600_000, timedOut, { ref: false })]);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return [message, cause?.message].filter(Boolean).join(': ').replace(/\s+/g, ' ');
  }
}
