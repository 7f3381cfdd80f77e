import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browserAccount, type Chromium, findChromium } from '@capture/provisioning/chromium';
import { type Drawn, drawPixel } from '@capture/provisioning/draw-pixel';
import { makeGpuLauncher } from '@capture/provisioning/gpu-launcher';
import { fontRemedy } from '@capture/provisioning/install-fonts';
import { scripts } from '@capture/provisioning/scripts';
import { CannotCheck, fault, group, notChecked, ok, warning } from './check.ts';

interface Subject {
  chromium: Chromium;
  sandbox: boolean;
  drawn?: Drawn;
}

/** Tries to create the namespaces as a worker does. */
async function hasGpuNamespaces(): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'capture-try-gpu-'));
  try {
    const account = browserAccount();
    if (account) await chown(folder, account.uid, account.gid);
    return (await makeGpuLauncher(folder, account)) !== null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const install = 'apt-get install chromium-headless-shell, or set PUPPETEER_EXECUTABLE_PATH';

export const browser = group<Subject>({
  name: 'browser',
  async open({ env, dataDir }) {
    const chromium = await findChromium(env).catch((error: Error) => {
      throw new CannotCheck(fault(error.message, install));
    });
    if (chromium) return { chromium, sandbox: env.CHROMIUM_SANDBOX !== 'off' };
    // The worker runs where `npm start` runs.
    if ('value' in dataDir) throw new CannotCheck(fault('there is no Chromium on this machine', install));
    throw new CannotCheck(notChecked('there is no Chromium on this machine: run the doctor on a worker'));
  },
  checks: [
    {
      name: 'found',
      about: 'Chromium is installed and runs',
      run: ({ chromium }) => ok(`${chromium.version}, ${chromium.path}`),
    },
    {
      name: 'draws',
      about: 'Chromium starts in its sandbox, as for captures, and renders a pixel',
      async run(subject) {
        const { chromium, sandbox } = subject;
        try {
          subject.drawn = await drawPixel(chromium, { runAs: browserAccount(), sandbox });
        } catch (error) {
          return fault((error as Error).message, 'docs/operations.md, “The browser does not start”');
        }
        if (sandbox) return ok('rendered a pixel in its sandbox');
        return warning(
          'rendered a pixel; CHROMIUM_SANDBOX is off',
          'turn it on: without it, a page that exploits Chromium controls the machine',
        );
      },
    },
    {
      name: 'gpu_process',
      about:
        "Chromium's GPU process, which renders WebGL, has no network and cannot read the memory of other processes",
      async run({ sandbox }) {
        if (!sandbox) return notChecked('CHROMIUM_SANDBOX is off');
        if (await hasGpuNamespaces())
          return ok('it has namespaces of its own; Chromium does not filter its system calls');
        return warning(
          'it runs like an ordinary program of the browser user, outside of the sandbox',
          'install `unshare` (util-linux), let ordinary users create namespaces, and mount the temporary folder without `noexec`',
        );
      },
    },
    {
      name: 'fonts',
      about: 'fonts cover the scripts of the world, mathematics, symbols and emoji',
      run({ drawn }) {
        if (!drawn) return notChecked('see browser.draws');
        if (drawn.missing.length === 0) return ok(`all ${scripts.length} scripts and sets of signs are rendered`);
        return warning(`rendered as boxes: ${drawn.missing.join(', ')}`, `install fonts. ${fontRemedy}`);
      },
    },
  ],
});
