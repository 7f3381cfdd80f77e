import { findAdLists } from './ad-lists.ts';
import { canInstallPackages, installPackages } from './debian-packages.ts';
import type { Report } from './report.ts';

const packageName = 'webext-ublock-origin-chromium';

/**
 * Sees to it that there are ad lists for `block_ads`, with apt as root on Debian. Without them captures are made all the
 * same, so it never throws, and nothing need wait for it.
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

const remedy = `Put lists such as EasyList into a folder and name it with AD_LISTS_DIR, or \`apt-get install ${packageName}\`.`;
