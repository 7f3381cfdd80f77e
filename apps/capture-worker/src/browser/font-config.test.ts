import { scripts } from '@capture/provisioning/scripts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CDPSession } from 'puppeteer';
import { launchTestChromium, openForTests } from '../worker.test-support.ts';
import type { ChromiumProcess } from './chromium-process.ts';

/** The characters of a text that have a glyph by themselves. */
const signsOf = (text: string) => [...new Set(text.match(/[\p{L}\p{N}\p{S}]/gu))];

/** Scripts whose sample words have only characters of that script. */
const ofOneFont = [
  'Arabic',
  'Urdu',
  'Hebrew',
  'Thai',
  'Bengali',
  'Gujarati',
  'Kannada',
  'Sinhala',
  'Korean',
  'simplified Chinese',
];

const familyOf = (postScriptName: string) => postScriptName.replace(/-.*/, '');

describe('the fonts of captures', () => {
  const { server, worker } = openForTests();

  it(`render ${scripts.length} scripts and sets of symbols, regular and bold, without a box`, async () => {
    const table = scripts.map(({ name, language, text }) => [name, language, signsOf(text)]);
    server.serve({
      '/scripts': `<!doctype html><meta charset="utf-8"><body><script>
        const draw = (sign, lang, weight) => {
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 80;
          canvas.lang = lang;
          document.body.append(canvas);
          const pen = canvas.getContext('2d');
          pen.font = weight + ' 40px sans-serif';
          pen.fillText(sign, 10, 60);
          canvas.remove();
          return canvas.toDataURL();
        };
        const empty = draw('', 'en', 400);
        const boxes = [];
        for (const [name, lang, signs] of ${JSON.stringify(table)}) {
          for (const weight of [400, 700]) {
            // U+10FFFE is never assigned, so it is drawn as the box for missing glyphs.
            const box = draw('\\u{10fffe}', lang, weight);
            for (const sign of signs) if ([box, empty].includes(draw(sign, lang, weight))) boxes.push(name + ' ' + sign);
          }
        }
        document.title = 'boxes: ' + boxes.join();
        document.body.insertAdjacentHTML('beforeend', '<p id="done">');
      </script>`,
    });
    const { report } = await worker.capture(server.url('/scripts'), { wait_until: 'load', wait_for_selector: '#done' });
    expect(report.page?.title).toBe('boxes:');
    expect(table.length).toBeGreaterThanOrEqual(40);
  });

  describe('are', () => {
    let chromium: ChromiumProcess;

    beforeAll(async () => {
      chromium = await launchTestChromium();
    });
    afterAll(async () => {
      await chromium.close();
    });

    /** The PostScript names of the fonts that draw the first paragraph of a document. */
    async function fontsOf(html: string): Promise<string[]> {
      const page = await chromium.browser.newPage();
      await page.setContent(`<!doctype html><meta charset="utf-8"><style>p { font-family: sans-serif }</style>${html}`);
      const session: CDPSession = await page.createCDPSession();
      await Promise.all([session.send('DOM.enable'), session.send('CSS.enable')]);
      const { root } = await session.send('DOM.getDocument');
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      await page.close();
      return fonts.map(({ postScriptName }) => postScriptName).sort();
    }

    it.each([
      ['zh-CN', 'sc'],
      ['zh-Hans', 'sc'],
      ['zh-TW', 'tc'],
      ['zh-Hant', 'tc'],
      ['ja', 'jp'],
    ])('those of the declared language for Chinese characters: %s', async (language, region) => {
      const characters = '直骨我能吞下玻璃而不伤身体';
      expect(await fontsOf(`<p lang="${language}">${characters}`)).toEqual([`NotoSansCJK${region}-Regular`]);
    });

    it('one font for regular and bold text of a script', async () => {
      for (const { name, language, text } of scripts.filter(({ name }) => ofOneFont.includes(name))) {
        const [signs = ''] = text.split(' ');
        const [family, ...others] = new Set((await fontsOf(`<p lang="${language}">${signs}<b>${signs}`)).map(familyOf));
        expect({ name, family, others }).toEqual({
          name,
          family: expect.stringMatching(/Noto|DejaVu|Nanum|Lohit/),
          others: [],
        });
      }
    });

    it.each([
      ['sans-serif', ['LiberationSans', 'LiberationSans-Bold']],
      ['serif', ['LiberationSerif', 'LiberationSerif-Bold']],
      ['monospace', ['LiberationMono', 'LiberationMono-Bold']],
      ['system-ui', ['DejaVuSans', 'DejaVuSans-Bold']],
      ['Helvetica', ['LiberationSans', 'LiberationSans-Bold']],
    ])('the same for Latin text, whatever other fonts are installed: %s', async (family, names) => {
      expect(await fontsOf(`<p style="font-family: ${family}">plain <b>and bold</b>`)).toEqual(names);
    });
  });
});
