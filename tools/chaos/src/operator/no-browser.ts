import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeRunFolder, required } from '@capture/testing/test-run';
import { killBrowsers } from '../harness/services.ts';
import { operatorCase } from './operator-case.ts';

/** What a Chromium says that misses a library, as after an update of the machine. */
const lastWords = 'error while loading shared libraries: libnss3.so';

export const operatorNoBrowser = operatorCase({
  name: 'no-browser',
  fault: 'The browser of a worker ends, and no other one starts.',
  alert: 'CaptureBrowserDown',
  metric: 'capture_browser_up',
  leads: ['the browser does not start', 'capture_browser_launch_failures_total'],
  async stage(desk) {
    // Where the account that runs browsers may read.
    const folder = makeRunFolder();
    chmodSync(folder, 0o755);
    const browser = path.join(folder, 'chromium');
    const program = (command: string) => writeFileSync(browser, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    program(`exec '${required('TEST_CHROMIUM_PATH')}' "$@"`);
    const worker = await desk.startWorker({ env: { PUPPETEER_EXECUTABLE_PATH: browser } });
    await desk.sees('a browser that runs', async () => (await worker.metric('capture_browser_up')) === 1);

    program(`echo '${lastWords}' >&2; exit 127`);
    killBrowsers(worker);
    await desk.sees('browsers that do not start', async () => {
      return ((await worker.metric('capture_browser_launch_failures_total')) ?? 0) > 0;
    });
    await desk.sees('a worker without a browser', async () => (await worker.metric('capture_browser_up')) === 0);
    await desk.sees('a browser that fails, and why, among the processes', async () => {
      const { processes } = await desk.operator('/processes');
      const found = processes.find(({ kind }: { kind: string }) => kind === 'capture-worker')?.detail.browser;
      return found?.state === 'failing' && found.last_error.includes(lastWords);
    });
    await desk.sees("what it said in the worker's log", () => {
      const lines = worker.process.output().split('\n');
      return lines.some((line) => line.includes('the browser does not start') && line.includes(lastWords));
    });
  },
});
