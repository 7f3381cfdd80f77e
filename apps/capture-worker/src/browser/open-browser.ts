import { tmpdir } from 'node:os';
import { browserAccount, findChromium } from '@capture/provisioning/chromium';
import type { Logger } from '@capture/runtime/service/log';
import { Browser, type BrowserEvents } from './browser.ts';
import { removeOrphanedBrowsers } from './browser-folder.ts';
import { launchChromium } from './chromium-process.ts';
import type { BrowserPriority } from './priorities.ts';
import { ordinaryUserAgent } from './user-agent.ts';

/**
 * Finds this machine's Chromium and starts it under its supervisor. Removes the browsers of killed workers first.
 *
 * @param env may name the Chromium as `PUPPETEER_EXECUTABLE_PATH`.
 * @throws {Error} one sentence, when there is none or it does not start.
 */
export async function openBrowser(options: {
  env: Record<string, string | undefined>;
  sandbox: boolean;
  /** Replaces that of an ordinary Chrome of this version. */
  userAgent?: string | undefined;
  /** Host of the pages' proxies; null for this machine. */
  proxyHost: string | null;
  events?: BrowserEvents;
  /** Browsers for a single page that run at once. */
  isolatedAtOnce: number;
  log: Logger;
}): Promise<Browser> {
  const { env, sandbox, proxyHost, events, isolatedAtOnce, log } = options;
  if (!sandbox) log.warn('CHROMIUM_SANDBOX is off: a page that exploits a bug in Chromium can reach this machine');
  const removed = await removeOrphanedBrowsers(tmpdir());
  if (removed.length > 0) log.warn({ folders: removed }, 'removed the browser folders of a killed worker');
  const chromium = await findChromium(env);
  if (!chromium) throw new Error('There is no Chromium on this machine. Set PUPPETEER_EXECUTABLE_PATH to one.');
  const { path: executablePath, shell, version } = chromium;
  const account = browserAccount();
  const userAgent = options.userAgent === undefined ? ordinaryUserAgent(version) : { userAgent: options.userAgent };
  const launchOptions = { executablePath, shell, sandbox, account, userAgent, ...(proxyHost && { proxyHost }) };
  const launch = (priority: BrowserPriority) => launchChromium({ ...launchOptions, priority });
  return Browser.start({ log, launch, isolatedAtOnce, ...(events && { events }) });
}
