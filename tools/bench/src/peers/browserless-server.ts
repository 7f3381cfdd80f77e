import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@capture/provisioning/free-port';
import { runCommand } from '@capture/provisioning/run-command';
import { Pool } from 'undici';
import type { PeerAccount } from './account.ts';
import { startPeerProcess } from './child.ts';
import { type Peer, type Screenshot, type ScreenshotTask, takeRound, viewport as usual } from './contender.ts';

const readyWithinMs = 60_000;
const closeWithinMs = 10_000;

/**
 * Starts browserless.io's server as its image does (`CMD`, without a debugger), on the same Chromium. The server keeps its own
 * flags: it launches a browser for each request, without a sandbox.
 */
export async function startBrowserlessServer(options: {
  node: string;
  /** The folder of the installation. */
  installed: string;
  folder: string;
  executablePath: string;
  account: PeerAccount['account'];
}): Promise<Peer> {
  const { node, installed, folder, executablePath, account } = options;
  const program = path.join(installed, 'node_modules', '@browserless.io', 'browserless', 'build');
  // The image for Chromium has no other browser, and the server does not start where a route's browser is missing.
  for (const other of ['chrome', 'edge', 'firefox', 'webkit']) {
    rmSync(path.join(program, 'routes', other), { recursive: true, force: true });
  }
  const browsers = path.join(installed, 'browsers');
  const env = { PLAYWRIGHT_BROWSERS_PATH: browsers };
  await placeChromium(node, installed, env, executablePath);
  const port = await findFreePort();
  const child = startPeerProcess({
    name: "browserless.io's server",
    command: node,
    args: [path.join(program, 'index.js')],
    cwd: installed,
    folder,
    account,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port), CONCURRENT: '16', QUEUED: '200', DEBUG: '-*' },
  });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
  const end = async () => {
    await pool.destroy();
    child.process.kill('SIGTERM');
    await child.ended(closeWithinMs);
  };
  const take = async (task: ScreenshotTask): Promise<Screenshot> => {
    const startedAt = performance.now();
    const { url, waitUntil = 'load', fullPage = false, selector, clip, viewport = usual } = task;
    const options = { type: 'png', fullPage, clip };
    const body = JSON.stringify({ url, viewport, selector, gotoOptions: { waitUntil }, options });
    const headers = { 'content-type': 'application/json' };
    const response = await pool.request({ method: 'POST', path: '/chromium/screenshot', headers, body });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode !== 200)
      throw new Error(`browserless.io: ${response.statusCode} ${bytes.subarray(0, 200)}`);
    return { ms: performance.now() - startedAt, bytes };
  };
  try {
    await firstResponse(take, () => child.process.exitCode !== null);
  } catch (error) {
    await end();
    throw new Error(`browserless.io did not start: ${child.fault() || (error as Error).message}`);
  }
  return {
    name: "browserless.io's server",
    take,
    takeAll: (tasks, concurrency) => takeRound(take, tasks, concurrency),
    pids: () => [child.pid],
    alive: child.alive,
    close: end,
  };
}

/** Puts our Chromium in the place of the browser that the server's Playwright would have downloaded. */
async function placeChromium(
  node: string,
  installed: string,
  env: Record<string, string>,
  executablePath: string,
): Promise<void> {
  const script = "process.stdout.write(require('playwright-core').chromium.executablePath())";
  const { code, output } = await runCommand(node, ['-e', script], { cwd: installed, env, timeoutMs: 20_000 });
  const place = output.trim();
  if (code !== 0 || !place.startsWith(installed)) throw new Error('the place of its browser is unknown');
  mkdirSync(path.dirname(place), { recursive: true });
  if (lstatSync(place, { throwIfNoEntry: false })) rmSync(place);
  symlinkSync(executablePath, place);
}

async function firstResponse(
  take: (task: ScreenshotTask) => Promise<Screenshot>,
  hasEnded: () => boolean,
): Promise<void> {
  const end = Date.now() + readyWithinMs;
  for (;;) {
    try {
      await take({ url: 'data:text/html,ready' });
      return;
    } catch (error) {
      if (hasEnded() || Date.now() > end) throw error;
      await sleep(200);
    }
  }
}
