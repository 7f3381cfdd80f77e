import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeRunFolder, required } from '@capture/testing/test-run';
import { killBrowsers } from '../harness/services.ts';
import { operatorCase } from './operator-case.ts';

/** The error of a Chromium that lacks a library, as after an update of the machine. */
const lastWords = 'error while loading shared libraries: libnss3.so';

export const operatorNoBrowser = operatorCase({
  name: 'no-browser',
  fault: "A worker's browser exits, and no other browser starts.",
  alert: 'CaptureBrowserDown',
  metric: 'capture_browser_up',
  leads: ['the browser does not start', 'capture_browser_launch_failures_total'],
  async stage(operator) {
    // The account that runs browsers can read this folder.
    const folder = makeRunFolder();
    chmodSync(folder, 0o755);
    const browser = path.join(folder, 'chromium');
    const program = (command: string) => writeFileSync(browser, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    program(`exec '${required('TEST_CHROMIUM_PATH')}' "$@"`);
    const worker = await operator.startWorker({ env: { PUPPETEER_EXECUTABLE_PATH: browser } });
    await operator.sees('a running browser', async () => (await worker.metric('capture_browser_up')) === 1);

    program(`echo '${lastWords}' >&2; exit 127`);
    killBrowsers(worker);
    await operator.seesOver('browsers that do not start', 0, () =>
      worker.metric('capture_browser_launch_failures_total'),
    );
    await operator.sees('a worker without a browser', async () => (await worker.metric('capture_browser_up')) === 0);
    await operator.sees('the failing browser with the reason, among the processes', async () => {
      const { processes } = await operator.get('/processes');
      const found = processes.find(({ kind }: { kind: string }) => kind === 'capture-worker')?.detail.browser;
      return found?.state === 'failing' && found.last_error.includes(lastWords);
    });
    await operator.seesLine("its error in the worker's log", worker, 'the browser does not start', lastWords);
  },
});
