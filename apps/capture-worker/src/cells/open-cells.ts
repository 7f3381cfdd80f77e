import { tmpdir } from 'node:os';
import { browserAccount, findChromium } from '@capture/provisioning/chromium';
import { removeOrphanedBrowsers } from '../browser/browser-folder.ts';
import { launchChromium } from '../browser/chromium-process.ts';
import { ordinaryUserAgent } from '../browser/user-agent.ts';
import { Cells, type CellsOptions } from './cells.ts';

/**
 * Finds this machine's Chromium and starts the first cell, after removing the browsers of killed workers.
 *
 * @param env may name the Chromium as `PUPPETEER_EXECUTABLE_PATH`.
 * @throws {Error} one sentence, when Chromium is missing or does not start.
 */
export async function openCells(
  options: Omit<CellsOptions, 'launch' | 'log'> & {
    env: Record<string, string | undefined>;
    sandbox: boolean;
    /** Replaces the user agent of an ordinary Chrome of this version. */
    userAgent?: string | undefined;
    /** Host of the proxies as Chromium resolves it; null for this machine. */
    proxyHost: string | null;
    log: CellsOptions['log'];
  },
): Promise<Cells> {
  const { env, sandbox, proxyHost, log } = options;
  if (!sandbox) log.warn('CHROMIUM_SANDBOX is off: a page that exploits a bug in Chromium can reach this machine');
  const removed = await removeOrphanedBrowsers(tmpdir());
  if (removed.length > 0) log.warn({ folders: removed }, 'removed the browser folders of a killed worker');
  const chromium = await findChromium(env);
  if (!chromium) throw new Error('There is no Chromium on this machine. Set PUPPETEER_EXECUTABLE_PATH to its path.');
  const { path: executablePath, shell, version } = chromium;
  const account = browserAccount();
  const userAgent = options.userAgent === undefined ? ordinaryUserAgent(version) : { userAgent: options.userAgent };
  const launchOptions = { executablePath, shell, sandbox, account, userAgent, ...(proxyHost && { proxyHost }) };
  return Cells.start({ ...options, launch: (kind) => launchChromium({ ...launchOptions, ...kind }) });
}
