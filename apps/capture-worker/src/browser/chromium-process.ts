import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { sandboxFault } from '@capture/provisioning/draw-pixel';
import { withTimeout } from '@capture/runtime/timeout';
import { type Browser, type CDPSession, connect } from 'puppeteer';
import { TimeLimitError, withTimeLimit } from '../deadline.ts';
import { type BrowserAccount, type BrowserFolder, makeBrowserFolder } from './browser-folder.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { PipeTransport } from './pipe-transport.ts';
import { ProcessGroup } from './process-group.ts';

/** From the start to the first answer takes 0.1 to 0.4 s; a machine under load may need many times that. */
const startWithinMs = 30_000;

/** Between the end of the pipe and the end of the process. */
const exitKnownWithinMs = 500;

/** A browser that was asked to close does so within 100 ms; then it is killed. */
const closeWithinMs = 3_000;

/** No call of Chromium's protocol may wait longer: more than the longest capture, less than Puppeteer's 180 s. */
const protocolTimeoutMs = 125_000;

/** What is kept of what Chromium printed, for the message when it does not start. */
const keptOutput = 4_096;

export interface ChromiumOptions {
  executablePath: string;
  /** Whether it is `chromium-headless-shell`. */
  shell: boolean;
  sandbox: boolean;
  /** Who runs it; null is the account of this process. Chromium's sandbox refuses root. */
  account: BrowserAccount | null;
  /** Name or address of the machine of the contexts' proxies; this one unless given. */
  proxyHost?: string;
  /** Where its folder is made; the system's place for temporary files unless given. */
  folders?: string;
}

/** One running Chromium. */
export interface ChromiumProcess {
  /** Of the process group's leader. */
  readonly pid: number;
  readonly browser: Browser;
  /** For calls that concern the whole browser. */
  readonly session: CDPSession;
  /** Such as `HeadlessChrome/156.0.8078.79`. */
  readonly version: string;
  /** False from the moment it ends or is made to end. */
  readonly alive: boolean;
  /** Resolves, never rejects, when all its processes and its folder are gone. */
  readonly ended: Promise<void>;
  /**
   * Resolves when the browser answers, and draws a pixel: the process that draws for all pages can be kept busy by one of
   * them while everything else answers.
   */
  checkHealth(): Promise<void>;
  /** Asks it to close, then kills it; resolves as `ended` does. */
  close(): Promise<void>;
  /** Ends all its processes at once. */
  kill(): void;
}

/**
 * Starts Chromium: in a process group, a folder and (for root) an account of its own, with an environment that holds
 * nothing but `HOME`, `TMPDIR` and `LANG`, and its sandbox on unless that was turned off.
 *
 * @throws {Error} one sentence that says why it does not start.
 */
export async function launchChromium(options: ChromiumOptions): Promise<ChromiumProcess> {
  const folder = await makeBrowserFolder(options.folders ?? tmpdir(), options.account);
  const child = spawnChromium(options, folder);
  const output = keepOutput(child);
  const group = new ProcessGroup(child, () => folder.remove());
  const transport = new PipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const failed = group.exited.then((how) => Promise.reject(new Error(how)));
  failed.catch(() => undefined);
  try {
    const connecting = connectTo(transport);
    connecting.catch(() => undefined);
    const connected = await withTimeLimit('starting Chromium', startWithinMs, Promise.race([connecting, failed]));
    return new RunningChromium(group, connected, transport);
  } catch (error) {
    // That the pipe closed is known before how the process ended, which tells more.
    const cause = await withTimeLimit('ending', exitKnownWithinMs, failed).catch((why) =>
      why instanceof TimeLimitError ? error : why,
    );
    group.kill();
    transport.close();
    await group.ended;
    throw new Error(describeFailure(options, cause, output()), { cause });
  }
}

function spawnChromium(options: ChromiumOptions, folder: BrowserFolder): ChildProcess {
  const { executablePath, shell, sandbox, proxyHost, account } = options;
  const flags = chromiumFlags({ profile: folder.profile, shell, sandbox, ...(proxyHost && { proxyHost }) });
  return spawn(executablePath, flags, {
    cwd: folder.home,
    // Chromium runs the code of strangers: it gets none of our variables, some of which are secrets.
    env: { HOME: folder.home, TMPDIR: folder.temp, LANG: 'en_US.UTF-8' },
    // Debian's `chromium-headless-shell` is a shell script; in a group of its own all of it can be ended.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // With a uid Node also clears the supplementary groups.
    ...(account && { uid: account.uid, gid: account.gid }),
  });
}

async function connectTo(
  transport: PipeTransport,
): Promise<{ browser: Browser; session: CDPSession; version: string }> {
  const browser = await connect({
    transport,
    defaultViewport: null,
    protocolTimeout: protocolTimeoutMs,
    // Reports for developers; nobody here reads them.
    issuesEnabled: false,
  });
  const [session, version] = await Promise.all([browser.target().createCDPSession(), browser.version()]);
  return { browser, session, version };
}

/** The last that Chromium printed: a pipe that nobody reads would stop it one day. */
function keepOutput(child: ChildProcess): () => string {
  let kept = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = (kept + chunk.toString('latin1')).slice(-keptOutput);
  });
  return () => kept;
}

function describeFailure({ executablePath, account }: ChromiumOptions, error: unknown, output: string): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return `There is no Chromium at ${executablePath}.`;
  if (code === 'EACCES') {
    const who = account ? `the account that runs it (uid ${account.uid})` : 'this account';
    return `Chromium at ${executablePath} cannot be run by ${who}: a folder above it or the file itself is closed.`;
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
  readonly ended: Promise<void>;
  readonly #group: ProcessGroup;
  #probe: Promise<CDPSession> | undefined;
  #alive = true;
  #closing = false;

  constructor(
    group: ProcessGroup,
    connected: { browser: Browser; session: CDPSession; version: string },
    transport: PipeTransport,
  ) {
    this.#group = group;
    this.pid = group.pid;
    this.browser = connected.browser;
    this.session = connected.session;
    this.version = connected.version;
    void group.exited.then(() => {
      this.#alive = false;
      transport.close();
    });
    this.ended = group.ended;
    // A browser that closed its pipes is of no use, whether or not its processes are still there.
    this.browser.once('disconnected', () => {
      if (!this.#closing) this.kill();
    });
  }

  get alive(): boolean {
    return this.#alive && this.browser.connected;
  }

  async checkHealth(): Promise<void> {
    await this.browser.version();
    this.#probe ??= this.#openProbe();
    const probe = await this.#probe;
    await probe.send('Page.captureScreenshot', { format: 'jpeg', clip: { x: 0, y: 0, width: 1, height: 1, scale: 1 } });
  }

  /** An empty page beside those of captures, which have contexts of their own. */
  async #openProbe(): Promise<CDPSession> {
    const page = await this.browser.newPage();
    return page.createCDPSession();
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
