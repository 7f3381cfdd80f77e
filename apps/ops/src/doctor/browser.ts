import { browserAccount, type Chromium, findChromium } from '@capture/provisioning/chromium';
import { type Drawn, drawPixel } from '@capture/provisioning/draw-pixel';
import { CannotCheck, fault, group, notChecked, ok, warning } from './check.ts';

interface Subject {
  chromium: Chromium;
  sandbox: boolean;
  drawn?: Drawn;
}

const install = 'apt-get install chromium-headless-shell, or let PUPPETEER_EXECUTABLE_PATH name one';

export const browser = group<Subject>({
  name: 'browser',
  async open({ env, dataDir }) {
    const chromium = await findChromium(env).catch((error: Error) => {
      throw new CannotCheck(fault(error.message, install));
    });
    if (chromium) return { chromium, sandbox: env.CHROMIUM_SANDBOX !== 'off' };
    // Where `npm start` runs, so does the worker.
    if ('value' in dataDir) throw new CannotCheck(fault('there is no Chromium on this machine', install));
    throw new CannotCheck(notChecked('there is no Chromium on this machine: run the doctor where the workers run'));
  },
  checks: [
    {
      name: 'found',
      about: 'there is a Chromium that runs',
      run: ({ chromium }) => ok(`${chromium.version}, ${chromium.path}`),
    },
    {
      name: 'draws',
      about: 'it starts as captures start it, in its sandbox, and draws a pixel',
      async run(subject) {
        const { chromium, sandbox } = subject;
        try {
          subject.drawn = await drawPixel(chromium, { runAs: browserAccount(), sandbox });
        } catch (error) {
          return fault((error as Error).message, 'docs/operations.md, “The browser does not start”');
        }
        if (sandbox) return ok('it drew a pixel, in its sandbox');
        return warning(
          'it drew a pixel; CHROMIUM_SANDBOX is off',
          'turn it on: a page that finds a fault in Chromium is free',
        );
      },
    },
    {
      name: 'fonts',
      about: 'scripts of the world and emoji have a font',
      run({ drawn }) {
        if (!drawn) return notChecked('see browser.draws');
        if (drawn.missing.length === 0) return ok('Chinese, Japanese, Korean, Arabic, Devanagari and emoji are drawn');
        const fix = 'apt-get install fonts-noto-cjk fonts-lohit-deva fonts-noto-color-emoji';
        return warning(`shown as boxes: ${drawn.missing.join(', ')}`, fix);
      },
    },
  ],
});
