import { contractForm } from '@capture/contract/forms/forms';
import { captureKinds } from '@capture/contract/options/capture-options';
import { findDevice } from '@capture/contract/options/devices';
import { parseAddressRules } from '@capture/egress/address-rules';
import { describe, expect, it } from '@jest/globals';
import type { Frame } from 'puppeteer';
import sharp from 'sharp';
import { Deadline } from '../deadline.ts';
import { type EmulatedOption, emulatedOptions, emulationOf } from '../load/emulation.ts';
import { load } from '../load/load.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { partsOf } from '../wait/look-frames.ts';
import { openForTests } from '../worker.test-support.ts';
import { switchTo } from './switch-screen.ts';

const position = `new Promise((resolve) => navigator.geolocation.getCurrentPosition(
  ({ coords }) => resolve(coords.latitude), ({ code }) => resolve(code)))`;

/** A value of each emulated option, and an expression that shows it to a page; null for an option that only the image shows. */
const cases: Record<EmulatedOption, [value: unknown, seen: string | null]> = {
  width: [500, 'outerWidth'],
  height: [400, 'outerHeight'],
  device_scale_factor: [2, 'devicePixelRatio'],
  is_mobile: [true, '[document.documentElement.clientWidth, navigator.platform]'],
  is_landscape: [true, 'screen.orientation.angle'],
  has_touch: [true, 'navigator.maxTouchPoints'],
  user_agent: [findDevice('Pixel 5')?.userAgent, 'navigator.userAgent'],
  locale: ['de-AT', '[navigator.language, new Intl.NumberFormat().resolvedOptions().locale]'],
  timezone: ['Asia/Tokyo', 'new Date(0).getHours()'],
  geolocation: [{ latitude: 48, longitude: 16, accuracy: 1 }, position],
  media: ['print', "matchMedia('print').matches"],
  dark_mode: [true, "matchMedia('(prefers-color-scheme: dark)').matches"],
  reduced_motion: [true, "matchMedia('(prefers-reduced-motion: reduce)').matches"],
  omit_background: [true, null],
};

type Seen = Partial<Record<EmulatedOption, unknown>>;

describe('switching between outputs', () => {
  const { server, worker } = openForTests({ '/inner': '<!doctype html><p>inner' }, { isolation: 'site' });

  it('sets and resets every option that loading sets, in frames of other sites too', async () => {
    // Chromium treats 127.0.0.1 and localhost as two sites. The header gives the page and the frame separate processes.
    const body = `<!doctype html><p>text<iframe src="${server.url('/inner', 'localhost')}"></iframe>`;
    server.serve({ '/page': { headers: { 'content-type': 'text/html', 'origin-agent-cluster': '?1' }, body } });
    const names = Object.keys(cases) as EmulatedOption[];
    const plain = captureKinds.screenshot.request.parse({ url: server.url('/page') });
    const every = { ...plain, ...Object.fromEntries(names.map((name) => [name, cases[name][0]])) };
    const terms = { rules: parseAddressRules({ allow: `127.0.0.1/32:${server.port}` }), form: contractForm('B') };

    const deadline = new Deadline(100_000);
    const open = async (request: typeof plain) => {
      const page = await worker.pool.take();
      await load(page, request, { ...terms, medium: 'screen', prints: false, deadline, report: () => undefined });
      return page;
    };
    const [first, second] = [await open(plain), await open(every)];
    try {
      const [client, frameClient] = first.page.frames().map((frame) => partsOf(frame).client);
      expect(frameClient).not.toBe(client);
      const [unset, set] = [await seenBy(first), await seenBy(second)];
      for (const { option, inFrames } of emulatedOptions) {
        const places = inFrames ? (['page', 'frame'] as const) : (['page'] as const);
        for (const place of places) {
          const isSet = JSON.stringify(set[place][option]) !== JSON.stringify(unset[place][option]);
          expect({ option, place, isSet }).toEqual({ option, place, isSet: true });
        }
      }
      const [from, to] = [emulationOf(plain, 'screen'), emulationOf(every, 'screen')];
      await switchTo(first, from, to, deadline);
      expect(await seenBy(first)).toEqual(set);
      await switchTo(first, to, from, deadline);
      expect(await seenBy(first)).toEqual(unset);
      await switchTo(second, to, from, deadline);
      expect(await seenBy(second)).toEqual(unset);
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  });
});

async function seenBy({ page, session }: CapturePage): Promise<Record<'page' | 'frame', Seen>> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  const { isOpaque } = await sharp(Buffer.from(data, 'base64')).stats();
  const [main, frame] = await Promise.all(page.frames().map(evaluateIn));
  const seen = async (inFrames: boolean): Promise<Seen> => {
    const evaluate = inFrames ? frame : main;
    const values = emulatedOptions
      .filter((each) => each.inFrames || !inFrames)
      .map(async ({ option }) => {
        const [, expression] = cases[option];
        return [option, expression === null ? isOpaque : await evaluate?.(expression)];
      });
    return Object.fromEntries(await Promise.all(values));
  };
  return { page: await seen(false), frame: await seen(true) };
}

async function evaluateIn(frame: Frame): Promise<(expression: string) => Promise<unknown>> {
  const { client, _id: frameId } = partsOf(frame);
  const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', { frameId });
  return async (expression) => {
    const how = { contextId, expression, awaitPromise: true, returnByValue: true };
    return (await client.send('Runtime.evaluate', how)).result.value;
  };
}
