import { findAdLists } from './ad-lists.ts';
import { canInstallPackages, installPackages } from './debian-packages.ts';
import type { Report } from './provisioning-error.ts';

const packageName = 'webext-ublock-origin-chromium';

/**
 * Finds ad lists for `block_ads`, or installs them with apt, as root on Debian. Captures work without ad lists, so this never
 * throws and no caller waits for it.
 */
export async function findOrInstallAdLists(env: Record<string, string | undefined>, report: Report): Promise<void> {
  const folder = env.AD_LISTS_DIR || undefined;
  try {
    let lists = await findAdLists(folder);
    let fault: string | null = null;
    if (lists.length === 0 && folder === undefined && canInstallPackages()) {
      fault = await installPackages([packageName], env, report);
      lists = await findAdLists(folder);
    }
    if (lists.length > 0) report(`ad lists: ${lists.map(({ name }) => name).join(', ')}`);
    else report(`ad lists: none${fault ? ` (apt-get: ${fault})` : ''}; block_ads blocks nothing. ${remedy}`);
  } catch (error) {
    report(`ad lists: ${(error as Error).message}; block_ads blocks nothing. ${remedy}`);
  }
}

const remedy = `Put lists such as EasyList into a folder and set AD_LISTS_DIR to it, or \`apt-get install ${packageName}\`.`;
