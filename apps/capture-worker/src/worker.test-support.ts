import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type ScreenshotRequestInput, screenshotRequest } from '@capture/contract/capture-options';
import { type ContractForm, contractForm } from '@capture/contract/forms';
import { parseAddressRules } from '@capture/egress/address-rules';
import { browserAccount } from '@capture/provisioning/chromium';
import { noteOpen } from '@capture/testing/open-resources';
import { required } from '@capture/testing/test-run';
import sharp from 'sharp';
import { Browser, type BrowserOptions } from './browser.ts';
import { type CaptureReport, captureScreenshot } from './capture.ts';
import { CaptureFailure } from './capture-failure.ts';
import { type ChromiumOptions, type ChromiumProcess, launchChromium } from './chromium-process.ts';
import { ContextPool } from './context-pool.ts';
import type { Picture } from './render/screenshot.ts';

export const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function chromiumOptions(): ChromiumOptions {
  const executablePath = required('TEST_CHROMIUM_PATH');
  return { executablePath, shell: /headless[-_]shell/.test(executablePath), sandbox: true, account: browserAccount() };
}

/** The Chromium of a machine that tests run on, noted so that one left open fails the test. */
export async function launchTestChromium(): Promise<ChromiumProcess> {
  const chromium = await launchChromium(chromiumOptions());
  const closed = noteOpen(`Chromium ${chromium.pid}`, () => chromium.close());
  void chromium.ended.then(closed);
  return chromium;
}

export interface TestWorker {
  browser: Browser;
  pool: ContextPool;
  /** Rejects with the failure; its report is lost then. */
  capture(
    url: string,
    options?: Omit<ScreenshotRequestInput, 'url'>,
    form?: ContractForm,
  ): Promise<{ picture: Picture; report: CaptureReport }>;
  /** What a capture that should fail fails with. */
  fail(
    url: string,
    options?: Omit<ScreenshotRequestInput, 'url'>,
    form?: ContractForm,
  ): Promise<{ code: string; message: string }>;
  close(): Promise<void>;
}

/** The part of a worker that draws: a browser, its pool, and captures without queue and records. */
export async function openTestWorker(options: {
  /** `EGRESS_ALLOW`. */
  allow: string;
  size?: number;
  browser?: Partial<BrowserOptions>;
}): Promise<TestWorker> {
  const { allow, size = 1 } = options;
  // The worker is noted as open, and not each browser that it starts on the way.
  const launch = () => launchChromium(chromiumOptions());
  const browser = await Browser.start({ launch, log: quiet, ...options.browser });
  const rules = parseAddressRules({ allow });
  const pool = new ContextPool({ browser, rules, size, log: quiet });
  const worker: TestWorker = {
    browser,
    pool,
    async capture(url, given = {}, form = contractForm('B')) {
      const attempt = captureScreenshot({ browser, pool, rules, form }, screenshotRequest.parse({ url, ...given }));
      try {
        return { picture: await attempt.picture, report: attempt.report };
      } finally {
        await attempt.tidyUp();
      }
    },
    async fail(url, given, form) {
      try {
        await worker.capture(url, given, form);
      } catch (error) {
        if (error instanceof CaptureFailure) return { code: error.code, message: error.message };
        throw error;
      }
      throw new Error(`${url} was captured, but should have failed`);
    },
    async close() {
      closed();
      await pool.close();
      await browser.close();
    },
  };
  const closed = noteOpen('test worker', () => worker.close());
  return worker;
}

export interface Pixels {
  width: number;
  height: number;
  /** `#rrggbb` */
  at(x: number, y: number): string;
}

export async function readPixels({ bytes }: Picture): Promise<Pixels> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    width,
    height,
    at: (x, y) => `#${data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).toString('hex')}`,
  };
}

/** A process as the system knows it. */
export interface SystemProcess {
  pid: number;
  parent: number;
  group: number;
  zombie: boolean;
  commandLine: string;
}

export function listProcesses(): SystemProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [
          { pid: Number(name), parent: Number(parent), group: Number(group), zombie: state === 'Z', commandLine },
        ];
      } catch {
        return [];
      }
    });
}

/** The processes of a group that run. A zombie among them waits for the system's first process alone. */
export function groupOf(pid: number): SystemProcess[] {
  return listProcesses().filter((each) => each.group === pid && !each.zombie);
}

/** The folders that browsers of this process have now. */
export function browserFolders(pid = process.pid): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`capture-browser-${pid}-`));
}
