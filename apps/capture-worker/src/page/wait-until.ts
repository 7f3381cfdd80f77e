import type { Deadline } from '../deadline.ts';
import type { CapturePage } from './capture-page.ts';
import type { PageActivity } from './page-activity.ts';

type Condition = (activity: PageActivity) => boolean;

/**
 * Waits until a condition of the page holds. Each change of the page's activity checks the condition again.
 *
 * @param limits.limitMs how long to wait at most, milliseconds; until the capture's deadline unless given.
 * @returns whether the condition held in time.
 * @throws the errors of `CapturePage.step`.
 */
export async function waitUntil(
  page: CapturePage,
  { deadline, limitMs = Number.POSITIVE_INFINITY }: { deadline: Deadline; limitMs?: number },
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
  // A timer's longest delay is 24 days; no capture lasts longer than two minutes.
  const timer = setTimeout(() => settleWith(false), Math.min(limitMs, deadline.remainingMs() + 1_000));
  try {
    return await page.step('waiting for the page', Number.POSITIVE_INFINITY, deadline, met);
  } finally {
    stop();
    clearTimeout(timer);
  }
}
