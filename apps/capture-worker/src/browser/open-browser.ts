import { tmpdir } from 'node:os';
import { browserAccount, findChromium } from '@capture/provisioning/chromium';
import type { Logger } from '@capture/runtime/log';
import { Browser, type BrowserEvents } from './browser.ts';
import { removeLeftBrowsers } from './browser-folder.ts';
import { launchChromium } from './chromium-process.ts';

/**
 * Finds this machine's Chromium and starts it under its supervisor, after removing what a killed worker's has left.
 *
 * @param env where it is looked for: `PUPPETEER_EXECUTABLE_PATH` first.
 * @throws {Error} one sentence, when there is none or it does not start.
 */
export async function openBrowser(options: {
  env: Record<string, string | undefined>;
  sandbox: boolean;
  /** Name or address of the machine of the contexts' proxies; null for this one. */
  proxyHost: string | null;
  events?: BrowserEvents;
  log: Logger;
}): Promise<Browser> {
  const { env, sandbox, proxyHost, events, log } = options;
  if (!sandbox) log.warn('CHROMIUM_SANDBOX is off: a page that finds a fault in Chromium is free on this machine');
  const left = await removeLeftBrowsers(tmpdir());
  if (left.length > 0) log.warn({ folders: left }, 'what browsers of a killed worker had left is removed');
  const chromium = await findChromium(env);
  if (!chromium) throw new Error('There is no Chromium on this machine: let PUPPETEER_EXECUTABLE_PATH name one.');
  const { path: executablePath, shell } = chromium;
  const account = browserAccount();
  const chosen = { executablePath, shell, sandbox, account, ...(proxyHost && { proxyHost }) };
  return Browser.start({ log, launch: () => launchChromium(chosen), ...(events && { events }) });
}
