import { existsSync } from 'node:fs';
import { browserAccount, type Chromium } from './chromium.ts';
import { canInstallPackages, installPackages } from './debian-packages.ts';
import { drawPixel } from './draw-pixel.ts';
import type { Report } from './provisioning-error.ts';
import type { Owner } from './server-owner.ts';

/**
 * The fonts contain metric-compatible Arial, Times and Courier, the usual font of `system-ui`, Noto for all scripts, and emoji: a
 * download of 81 MB. Noto has regular and bold faces, and the regional forms of Chinese, Japanese and Korean.
 */
const fonts = ['fonts-liberation', 'fonts-dejavu-core', 'fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji'];

/** The folder where dpkg keeps a file for each installed package. */
const dpkgFolder = '/var/lib/dpkg/info';

/**
 * Installs missing fonts with apt, as root on Debian. Chromium reads the list of fonts once, so this has to end before Chromium
 * starts. If all fonts are installed, it takes no time. Never throws.
 */
export async function findOrInstallFonts(
  chromium: Chromium,
  env: Record<string, string | undefined>,
  report: Report,
  runAs: Owner = browserAccount(),
): Promise<void> {
  if (!canInstallPackages()) return;
  const missing = fonts.filter((name) => !existsSync(`${dpkgFolder}/${name}.list`));
  if (missing.length === 0) return;
  // The machine may have other fonts for all scripts.
  const scripts = await missingScripts(chromium, env, runAs);
  if (scripts?.length === 0) return;
  const fault = await installPackages(missing, env, report);
  if (fault) report(describeMissing(scripts ?? [], `could not be installed (${fault})`));
}

/**
 * Reports the scripts that this machine has no font for, and what to install if apt cannot install it. Starts Chromium once, for
 * about half a second; no caller needs to wait. Never throws.
 */
export async function reportMissingFonts(
  chromium: Chromium,
  env: Record<string, string | undefined>,
  report: Report,
): Promise<void> {
  if (canInstallPackages()) return;
  const scripts = await missingScripts(chromium, env, browserAccount());
  if (scripts && scripts.length > 0) report(describeMissing(scripts, 'are not installed'));
}

/** The fonts to install on common systems. */
export const fontRemedy =
  'Debian, Ubuntu: fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji; Fedora: google-noto-fonts-all google-noto-sans-cjk-fonts google-noto-color-emoji-fonts; Alpine: font-noto-all font-noto-cjk font-noto-emoji; Arch: noto-fonts noto-fonts-cjk noto-fonts-emoji';

function describeMissing(scripts: readonly string[], why: string): string {
  const which = scripts.length > 0 ? scripts.join(', ') : 'some scripts';
  return `fonts ${why}: ${which} will show as boxes. Install them (${fontRemedy})`;
}

/** Null if Chromium does not start, which the worker reports. */
async function missingScripts(
  chromium: Chromium,
  env: Record<string, string | undefined>,
  runAs: Owner,
): Promise<string[] | null> {
  const sandbox = env.CHROMIUM_SANDBOX !== 'off';
  return drawPixel(chromium, { runAs, sandbox }).then(
    ({ missing }) => missing,
    () => null,
  );
}
