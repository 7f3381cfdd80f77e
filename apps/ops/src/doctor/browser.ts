import { browserAccount, type Chromium, findChromium } from '@capture/provisioning/chromium';
import { type Drawn, drawPixel } from '@capture/provisioning/draw-pixel';
import { fontRemedy } from '@capture/provisioning/install-fonts';
import { scripts } from '@capture/provisioning/scripts';
import { CannotCheck, fault, group, notChecked, ok, warning } from './check.ts';

interface Subject {
  chromium: Chromium;
  sandbox: boolean;
  drawn?: Drawn;
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
          'turn it on: without it, a page that exploits Chromium owns the machine',
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
