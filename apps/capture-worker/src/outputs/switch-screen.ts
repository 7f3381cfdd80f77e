import type { OutputKind } from '@capture/contract/events/events';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import { emulatedMedia, type Screen, setScreen } from '../load/emulation.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { settle, waitForFrame } from '../wait/settle.ts';

const callWithinMs = 10_000;

/** How long a page is waited for in another viewport or colour scheme, milliseconds. The page stands still meanwhile. */
const settleWithinMs = 1_500;

/** The part of the emulation that differs between the outputs of a visit. */
export type OutputScreen = Screen & { media: ReturnType<typeof emulatedMedia>; isTransparent: boolean };

export function screenOf({ kind, request }: { kind: OutputKind; request: PageRequest }): OutputScreen {
  const { width, height, device_scale_factor, is_mobile, has_touch, is_landscape } = request;
  return {
    ...{ width, height, device_scale_factor, is_mobile, has_touch, is_landscape },
    media: emulatedMedia(request, kind === 'pdf' ? 'print' : 'screen'),
    isTransparent: (request as { omit_background?: boolean }).omit_background === true,
  };
}

/** Changes the emulation to that of another output, and waits until the page shows the change. */
export async function switchTo(
  page: CapturePage,
  from: OutputScreen,
  to: OutputScreen,
  deadline: Deadline,
): Promise<OutputScreen> {
  if (JSON.stringify(from) === JSON.stringify(to)) return to;
  const calls: Promise<unknown>[] = [setScreen(page.session, to)];
  if (JSON.stringify(from.media) !== JSON.stringify(to.media) || from.width === 0) {
    // Chromium passes the colour scheme on to frames of other sites.
    calls.push(page.session.send('Emulation.setEmulatedMedia', to.media));
  }
  if (from.isTransparent && !to.isTransparent) {
    calls.push(page.session.send('Emulation.setDefaultBackgroundColorOverride', {}));
  }
  await page.step('changing the screen', callWithinMs, deadline, Promise.all(calls));
  await waitForFrame(page, deadline);
  await settle(page, 'auto', deadline, settleWithinMs);
  return to;
}
