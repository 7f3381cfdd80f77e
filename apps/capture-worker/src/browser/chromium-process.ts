import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { sandboxFault } from '@capture/provisioning/draw-pixel';
import { makeGpuLauncher } from '@capture/provisioning/gpu-launcher';
import { withTimeout } from '@capture/runtime/timeout';
import { type Browser, type CDPSession, connect } from 'puppeteer';
import { TimeLimitError, withTimeLimit } from '../deadline.ts';
import { type BrowserAccount, type BrowserFolder, makeBrowserFolder } from './browser-folder.ts';
import { chromiumFlags, type SiteIsolation } from './chromium-flags.ts';
import { followWorkers, type LeaveWorkers } from './follow-workers.ts';
import type { MessageMeter } from './message-meter.ts';
import { OwnerTurns } from './owner-turns.ts';
import { PipeTransport } from './pipe-transport.ts';
import { type BrowserPriority, lowerBrowser } from './priorities.ts';
import { ProcessGroup } from './process-group.ts';
import type { UserAgent } from './user-agent.ts';

/** How long Chromium may take to respond after its start, milliseconds: usually 100 to 400, under load many times that. */
const startWithinMs = 30_000;

/** How long after its pipe a process may end, milliseconds. */
const exitKnownWithinMs = 500;

/** How long a browser may take to close before it is killed, milliseconds: usually 100. */
const closeWithinMs = 3_000;

/** How long one large image delays the next, milliseconds: some pages never draw a frame. 100 million pixels take 2 to 7 s. */
const turnMs = 3_000;

/** Time limit of any protocol call: longer than the longest capture, shorter than Puppeteer's 180 s. */
const protocolTimeoutMs = 125_000;

/** Characters of Chromium's output that are kept for the error message when it does not start. */
const maxOutput = 4_096;

export interface ChromiumOptions {
  executablePath: string;
  /** Whether the program is `chromium-headless-shell`. */
  shell: boolean;
  sandbox: boolean;
  /** The account that runs Chromium; null for this process's account. Chromium's sandbox refuses root. */
  account: BrowserAccount | null;
  /** The user agent of captures that ask for no other. */
  userAgent: UserAgent;
  /** Host of the pages' proxies; this machine unless given. */
  proxyHost?: string;
  /** Where the browser's folder is created; the system's temporary directory unless given. */
  folders?: string;
  /** `ordinary` unless given. */
  priority?: BrowserPriority;
  /** `on` unless given. */
  siteIsolation?: SiteIsolation;
}

/** One running Chromium. */
export interface ChromiumProcess {
  /** Process id of the group's leader. */
  readonly pid: number;
  readonly browser: Browser;
  /** The session for calls that concern the whole browser. */
  readonly session: CDPSession;
  /** Such as `HeadlessChrome/156.0.8078.79`. */
  readonly version: string;
  /** The user agent of captures that ask for no other. */
  readonly userAgent: UserAgent;
  readonly leaveWorkers: LeaveWorkers;
  /** Counts the messages about each page. */
  readonly meter: Pick<MessageMeter, 'watch' | 'reset' | 'hasCredentials' | 'forget'>;
  /** False as soon as the browser ends or is being ended. */
  readonly alive: boolean;
  /** Resolves as soon as the browser can no longer be used. Never rejects. */
  readonly gone: Promise<void>;
  /** Resolves when all processes and the folder of the browser are gone. Never rejects. */
  readonly ended: Promise<void>;
  /** Resolves when the main process responds. One page can keep the GPU process so busy that nothing is drawn meanwhile. */
  respond(): Promise<void>;
  /**
   * Resolves when a new page has drawn a pixel: the GPU process may serve old pages, and accept no new page.
   *
   * @param opened called when the page is open.
   */
  drawInNewPage(opened?: () => void): Promise<void>;
  /** Draws a large image when no other large image is being drawn, or its time is used up. Owners take turns. */
  drawInTurn<T>(owner: string, draw: () => Promise<T>): Promise<T>;
  /** Whether a large image is being drawn. */
  readonly drawsLarge: boolean;
  /** Closes the browser, or kills it if closing takes too long. Resolves as `ended` does. */
  close(): Promise<void>;
  /** Kills all processes of the browser. */
  kill(): void;
}

/**
 * Starts Chromium in its own process group, folder and (for root) account. Its environment has only `HOME`, `TMPDIR` and `LANG`;
 * its sandbox is on unless turned off.
 *
 * @throws {Error} one sentence that says why Chromium does not start.
 */
export async function launchChromium(options: ChromiumOptions): Promise<ChromiumProcess> {
  const folder = await makeBrowserFolder(options.folders ?? tmpdir(), options.account);
  const gpuLauncher = options.sandbox ? await makeGpuLauncher(folder.home, options.account) : null;
  const child = spawnChromium(options, folder, gpuLauncher);
  const output = keepOutput(child);
  const group = new ProcessGroup(child, () => folder.remove());
  const transport = new PipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const failed = group.exited.then((reason) => Promise.reject(new Error(reason)));
  failed.catch(() => undefined);
  try {
    const connecting = connectTo(transport, options.userAgent);
    connecting.catch(() => undefined);
    const connected = await withTimeLimit('starting Chromium', startWithinMs, Promise.race([connecting, failed]));
    return new RunningChromium(group, connected, transport);
  } catch (error) {
    // The pipe closes before the process ends, but the way the process ends explains more.
    const cause = await withTimeLimit('ending', exitKnownWithinMs, failed).catch((reason) =>
      reason instanceof TimeLimitError ? error : reason,
    );
    group.kill();
    transport.close();
    await group.ended;
    throw new Error(describeFailure(options, cause, output()), { cause });
  }
}

function spawnChromium(options: ChromiumOptions, folder: BrowserFolder, gpuLauncher: string | null): ChildProcess {
  const { executablePath, shell, sandbox, proxyHost, account, priority = 'ordinary', siteIsolation = 'on' } = options;
  const { userAgent } = options.userAgent;
  const { profile } = folder;
  const own = { profile, shell, sandbox, siteIsolation, userAgent, gpuLauncher };
  const flags = chromiumFlags({ ...own, ...(proxyHost && { proxyHost }) });
  const child = spawn(executablePath, flags, {
    cwd: folder.home,
    // Chromium runs untrusted code, so it gets none of the worker's variables, some of which are secrets.
    env: { HOME: folder.home, TMPDIR: folder.temp, LANG: 'en_US.UTF-8' },
    // Debian's `chromium-headless-shell` is a shell script; killing its process group kills everything that it starts.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // With a uid Node also clears the supplementary groups.
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  if (child.pid !== undefined) lowerBrowser(child.pid, priority);
  return child;
}

type Connected = Pick<ChromiumProcess, 'browser' | 'session' | 'version' | 'userAgent' | 'leaveWorkers'>;

async function connectTo(transport: PipeTransport, userAgent: UserAgent): Promise<Connected> {
  const browser = await connect({
    transport,
    defaultViewport: null,
    protocolTimeout: protocolTimeoutMs,
    // The worker does not use these reports for developers.
    issuesEnabled: false,
  });
  const [session, version] = await Promise.all([browser.target().createCDPSession(), browser.version()]);
  const leaveWorkers = await followWorkers(session, userAgent);
  return { browser, session, version, userAgent, leaveWorkers };
}

/** Keeps the end of Chromium's output. If the pipe is not read, Chromium blocks when the pipe is full. */
function keepOutput(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = (kept + chunk.toString('latin1')).slice(-maxOutput);
  });
  return () => kept;
}

function describeFailure({ executablePath, account }: ChromiumOptions, error: unknown, output: string): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return `There is no Chromium at ${executablePath}.`;
  if (code === 'EACCES') {
    const runner = account ? `the account that runs it (uid ${account.uid})` : 'this account';
    return `Chromium at ${executablePath} cannot be run by ${runner}: no permission for the file or a folder above it.`;
  }
  const fault = sandboxFault(output);
  if (fault) return fault;
  const reason = error instanceof Error ? error.message : String(error);
  const last = output.trim().split('\n').at(-1);
  return `Chromium at ${executablePath} did not start: ${reason}${last ? ` (it printed: ${last.slice(0, 300)})` : ''}.`;
}

class RunningChromium implements ChromiumProcess {
  readonly pid: number;
  readonly browser: Browser;
  readonly session: CDPSession;
  readonly version: string;
  readonly userAgent: UserAgent;
  readonly leaveWorkers: LeaveWorkers;
  readonly meter: MessageMeter;
  readonly ended: Promise<void>;
  readonly gone: Promise<void>;
  readonly #group: ProcessGroup;
  readonly #turns = new OwnerTurns(1);
  #alive = true;
  #closing = false;

  constructor(group: ProcessGroup, connected: Connected, transport: PipeTransport) {
    this.#group = group;
    this.pid = group.pid;
    this.browser = connected.browser;
    this.session = connected.session;
    this.version = connected.version;
    this.userAgent = connected.userAgent;
    this.leaveWorkers = connected.leaveWorkers;
    this.meter = transport.meter;
    void group.exited.then(() => {
      this.#alive = false;
      transport.close();
    });
    this.ended = group.ended;
    // A browser without pipes is useless, even if its processes still run.
    const disconnected = new Promise<void>((resolve) => this.browser.once('disconnected', () => resolve()));
    this.gone = Promise.race([disconnected, group.exited.then(() => undefined)]);
    void disconnected.then(() => {
      if (!this.#closing) this.kill();
    });
  }

  get alive(): boolean {
    return this.#alive && this.browser.connected;
  }

  async respond(): Promise<void> {
    await this.browser.version();
  }

  async drawInNewPage(opened = () => {}): Promise<void> {
    // In the default context the page could share a renderer that the GPU process already serves.
    const context = await this.browser.createBrowserContext();
    try {
      const session = await (await context.newPage()).createCDPSession();
      opened();
      const clip = { x: 0, y: 0, width: 1, height: 1, scale: 1 };
      await session.send('Page.captureScreenshot', { format: 'jpeg', clip });
    } finally {
      context.close().catch(() => undefined);
    }
  }

  get drawsLarge(): boolean {
    return this.#turns.isActive;
  }

  drawInTurn<T>(owner: string, draw: () => Promise<T>): Promise<T> {
    return this.#turns.run(owner, turnMs, draw);
  }

  async close(): Promise<void> {
    this.#alive = false;
    this.#closing = true;
    await withTimeout(closeWithinMs, this.browser.close(), () => undefined).catch(() => undefined);
    await withTimeout(closeWithinMs, this.ended, () => this.kill());
    await this.ended;
  }

  kill(): void {
    this.#alive = false;
    this.#group.kill();
  }
}
