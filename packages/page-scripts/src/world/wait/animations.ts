import { state } from '../state/page-state.ts';
import type { Glance } from './glance.ts';

/** Drawings whose own animations are advanced. */
const drawingsAtMost = 50;

/** An entrance takes less than this, seconds. */
const entranceSeconds = 10;

/** Advances finite animations to their end; endless animations continue. Returns whether there were any. */
export function finishAnimations(glance: Glance): boolean {
  const finished = glance.roots.flatMap((root) => root.getAnimations()).filter(finish);
  if (finished.length > 0) showFinished();
  advanceDrawings(glance);
  return finished.length > 0;
}

function finish(animation: Animation): boolean {
  const end = animation.effect?.getComputedTiming().endTime;
  // The timeline is recognized by its name, because animations of frames belong to other realms.
  const isTimed = String(animation.timeline) === '[object DocumentTimeline]' && animation.playState === 'running';
  if (!isTimed || typeof end !== 'number' || !Number.isFinite(end)) return false;
  try {
    animation.finish();
    return true;
  } catch {
    // The animation plays backwards without an end.
    return false;
  }
}

/**
 * Chromium's compositor keeps showing a finished animation if an animation that it does not run, such as of a width, was also
 * finished. The compositor shows the ends once another animation starts: this animation changes nothing.
 */
function showFinished(): void {
  const { opacity } = getComputedStyle(document.documentElement);
  document.documentElement.animate({ opacity: [opacity, opacity] }, 1);
}

/** Advances the animations inside SVG drawings, once for each drawing. */
function advanceDrawings(glance: Glance): void {
  const drawings = glance.all<SVGSVGElement>('svg:has(animate, animateTransform, animateMotion, set)');
  state.advancedDrawings ??= new WeakSet();
  for (const drawing of drawings.slice(0, drawingsAtMost)) {
    if (!drawing.setCurrentTime || drawing.ownerSVGElement || state.advancedDrawings.has(drawing)) continue;
    state.advancedDrawings.add(drawing);
    drawing.setCurrentTime(drawing.getCurrentTime() + entranceSeconds);
  }
}
