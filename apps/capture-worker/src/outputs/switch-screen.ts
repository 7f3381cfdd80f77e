import type { OutputKind } from '@capture/contract/events/events';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import { type Screen, setScreen } from '../load/emulate.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { settle, waitForFrame } from '../wait/settle.ts';

const callWithinMs = 10_000;

/** How long a page is waited for in another viewport or colour scheme, milliseconds: it stands still. */
const settleWithinMs = 1_500;

/** What of the emulation differs between the outputs of a visit. */
export type OutputScreen = Screen &
  Pick<PageRequest, 'dark_mode' | 'reduced_motion'> & { medium: '' | 'screen' | 'print'; isTransparent: boolean };

export function screenOf({ kind, request }: { kind: OutputKind; request: PageRequest }): OutputScreen {
  const { width, height, device_scale_factor, is_mobile, has_touch, is_landscape, dark_mode, reduced_motion } = request;
  const own = kind === 'pdf' ? 'print' : 'screen';
  return {
    ...{ width, height, device_scale_factor, is_mobile, has_touch, is_landscape, dark_mode, reduced_motion },
    medium: request.media === own ? '' : request.media,
    isTransparent: (request as { omit_background?: boolean }).omit_background === true,
  };
}

/** Changes the emulation to that of another output, and waits until the page shows it. */
export async function switchTo(
  page: CapturePage,
  from: OutputScreen,
  to: OutputScreen,
  deadline: Deadline,
): Promise<OutputScreen> {
  if (JSON.stringify(from) === JSON.stringify(to)) return to;
  const calls: Promise<unknown>[] = [setScreen(page.session, to)];
  if (from.dark_mode !== to.dark_mode || from.medium !== to.medium || from.width === 0) {
    const features = [
      { name: 'prefers-color-scheme', value: to.dark_mode ? 'dark' : 'light' },
      { name: 'prefers-reduced-motion', value: to.reduced_motion ? 'reduce' : 'no-preference' },
    ];
    // Chromium hands the colour scheme on to frames of other sites.
    calls.push(page.session.send('Emulation.setEmulatedMedia', { media: to.medium, features }));
  }
  if (from.isTransparent && !to.isTransparent) {
    calls.push(page.session.send('Emulation.setDefaultBackgroundColorOverride', {}));
  }
  await page.step('changing the screen', callWithinMs, deadline, Promise.all(calls));
  await waitForFrame(page, deadline);
  await settle(page, 'auto', deadline, settleWithinMs);
  return to;
}
