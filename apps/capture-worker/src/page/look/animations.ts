/// <reference lib="dom" />
import type { LookWorld } from './look.ts';
import type { PageRoots } from './page-roots.ts';

/** See `animations`. */
export type Animations = ReturnType<typeof animations>;

/** Finishes animations. Part of `look`. */
export function animations({ page: { roots, all } }: { page: PageRoots }) {
  const world = globalThis as LookWorld;
  return { finishAnimations };

  /** Advances animations that have an end to it; endless ones continue. */
  function finishAnimations(): boolean {
    let finished = false;
    for (const animation of roots().flatMap((root) => root.getAnimations())) {
      const end = animation.effect?.getComputedTiming().endTime;
      // By name: animations of frames belong to other realms.
      const isTimed = String(animation.timeline) === '[object DocumentTimeline]' && animation.playState === 'running';
      if (!isTimed || typeof end !== 'number' || !Number.isFinite(end)) continue;
      try {
        animation.finish();
        finished = true;
      } catch {
        // Played backwards without an end.
      }
    }
    if (finished) showFinished();
    for (const drawing of all('svg:has(animate, animateTransform, animateMotion, set)').slice(
      0,
      50,
    ) as SVGSVGElement[]) {
      // Advanced once, by more than any entrance takes.
      if (!drawing.setCurrentTime || drawing.ownerSVGElement || world.captureDrawings?.has(drawing)) continue;
      world.captureDrawings ??= new WeakSet();
      world.captureDrawings.add(drawing);
      drawing.setCurrentTime(drawing.getCurrentTime() + 10);
    }
    return finished;
  }

  /**
   * Chromium's compositor goes on showing what was finished, if one that it does not run was too, such as of a width. It shows
   * the ends once another one begins: this one changes nothing.
   */
  function showFinished(): void {
    const { opacity } = getComputedStyle(document.documentElement);
    document.documentElement.animate({ opacity: [opacity, opacity] }, 1);
  }
}
