import type { Deadline } from '../deadline.ts';
import { applyChanges, changedParts, type Emulation } from '../load/emulation.ts';
import { changeFrames } from '../load/follow-frames.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { settle, waitForFrame } from '../wait/settle.ts';

const callWithinMs = 10_000;

/** How long to wait until a page shows another viewport or colour scheme, milliseconds. The page stands still meanwhile. */
const settleWithinMs = 1_500;

/** Changes the emulation to that of another output, and waits until the page shows the change. */
export async function switchTo(page: CapturePage, from: Emulation, to: Emulation, deadline: Deadline): Promise<void> {
  if (changedParts(from, to).length === 0) return;
  // Drawing may have changed the screen size.
  const applying = applyChanges({ session: page.session, page }, { ...from, screen: null }, to);
  await page.step('changing the screen', callWithinMs, deadline, applying);
  await changeFrames(page, to, deadline);
  await waitForFrame(page, deadline);
  await settle(page, 'auto', deadline, settleWithinMs);
}
