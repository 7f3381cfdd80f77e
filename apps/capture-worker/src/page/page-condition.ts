import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import type { PageActivity } from './page-activity.ts';

type Condition = (activity: PageActivity) => boolean;

/** Waits for a condition of the page until the capture's deadline. */
export async function until(page: CapturePage, deadline: Deadline, condition: Condition): Promise<void> {
  await within(page, deadline, Number.POSITIVE_INFINITY, condition);
}

/**
 * Waits for a condition of the page; it is looked at on each sign of life.
 *
 * @returns false if it is not met within `limitMs` milliseconds.
 */
export async function within(
  page: CapturePage,
  deadline: Deadline,
  limitMs: number,
  condition: Condition,
): Promise<boolean> {
  const { activity } = page;
  if (condition(activity)) return true;
  if (limitMs <= 0) return false;
  let settleWith: (met: boolean) => void = () => undefined;
  const met = new Promise<boolean>((resolve) => {
    settleWith = resolve;
  });
  const stop = activity.onChange(() => condition(activity) && settleWith(true));
  // The longest delay that a timer knows is 24 days; no capture lasts longer than two minutes.
  const timer = setTimeout(() => settleWith(false), Math.min(limitMs, deadline.left() + 1_000));
  try {
    return await page.step('waiting for the page', Number.POSITIVE_INFINITY, deadline, met);
  } finally {
    stop();
    clearTimeout(timer);
  }
}
