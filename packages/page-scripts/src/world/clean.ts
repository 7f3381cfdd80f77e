export { collectNames } from './clean/collect-names.ts';
export { hideElements } from './clean/hide-elements.ts';

/** Waits until finite animations have ended, for `limitMs` milliseconds at most. */
export async function waitForAnimations(limitMs: number): Promise<void> {
  const animations = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
  const finished = Promise.allSettled(animations.map((animation) => animation.finished));
  await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, limitMs))]);
}
