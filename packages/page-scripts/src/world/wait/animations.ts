import { state } from '../state/page-state.ts';
import type { Glance } from './glance.ts';

/** Drawings whose own animations are advanced. */
const drawingsAtMost = 50;

/** An entrance takes less than this, seconds. */
const entranceSeconds = 10;

/** Advances animations that have an end to that end; endless ones continue. Returns whether there were any. */
export function finishAnimations(glance: Glance): boolean {
  const finished = glance.roots.flatMap((root) => root.getAnimations()).filter(finish);
  if (finished.length > 0) showFinished();
  advanceDrawings(glance);
  return finished.length > 0;
}

function finish(animation: Animation): boolean {
  const end = animation.effect?.getComputedTiming().endTime;
  // By name, because animations of frames belong to other realms.
  const isTimed = String(animation.timeline) === '[object DocumentTimeline]' && animation.playState === 'running';
  if (!isTimed || typeof end !== 'number' || !Number.isFinite(end)) return false;
  try {
    animation.finish();
    return true;
  } catch {
    // The animation is played backwards, without an end.
    return false;
  }
}

/**
 * Chromium's compositor goes on showing an animation that was finished, if another was finished that it does not run, such as
 * that of a width. The compositor shows the ends once another animation begins: this one changes nothing.
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
