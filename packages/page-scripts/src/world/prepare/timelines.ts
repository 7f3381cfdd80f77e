import { elementsAtMost } from '../dom/examined.ts';
import { state } from '../state/page-state.ts';
import type { Root } from '../state/tall-page.ts';
import { shareInMiddle } from './view-timeline.ts';

/**
 * Sets animations that follow the scroll position to the position at which a visitor reads: a view timeline to the moment when
 * its element is at the centre of the window (a viewport as tall as the page never scrolls that far), a timeline of the page to
 * its start. Animations that the scroll position triggers are set to their end.
 *
 * @param windowHeight of the visitor's window, CSS pixels.
 */
export function finishTimelines(windowHeight: number): void {
  const roots = rootsIn(document);
  if (state.lengths?.hasTriggers) for (const element of roots.flatMap(elementsOf)) endTriggered(element);
  // A document does not list the animations in its shadow roots.
  for (const animation of roots.flatMap((root) => root.getAnimations())) {
    const { timeline, effect } = animation;
    if (!(timeline instanceof ScrollTimeline) || !effect) continue;
    const source = timeline.source ?? document.scrollingElement;
    if (source !== document.scrollingElement) continue;
    const share = timeline instanceof ViewTimeline ? shareOf(animation, timeline.subject, windowHeight) : 0;
    if (share === null) continue;
    try {
      hold(animation, effect, share);
    } catch {
      // The animation stays as it is.
    }
  }
}

function elementsOf(root: Root): Element[] {
  return [...root.querySelectorAll('*')].slice(0, elementsAtMost);
}

function rootsIn(root: Root): Root[] {
  return [root, ...elementsOf(root).flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : []))];
}

/**
 * Ends triggered animations: in a window as tall as the page, the trigger of a section may not fire, or may revert its effect.
 */
function endTriggered(element: Element): void {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  if (!getComputedStyle(element).getPropertyValue('animation-trigger').includes('--')) return;
  const { style } = element;
  // The animation restarts, because an animation that waits for its trigger is not listed.
  style.setProperty('animation-name', 'none', 'important');
  style.setProperty('animation-trigger', 'none', 'important');
  element.getAnimations();
  style.removeProperty('animation-name');
  for (const animation of element.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  }
}

function shareOf(animation: Animation, subject: Element | null, windowHeight: number): number | null {
  if (!subject) return null;
  const { height } = subject.getBoundingClientRect();
  const { rangeStart, rangeEnd } = animation as Animation & { rangeStart?: RangeBound; rangeEnd?: RangeBound };
  return shareInMiddle({ rangeStart, rangeEnd }, height, windowHeight);
}

type RangeBound = Parameters<typeof shareInMiddle>[0]['rangeStart'];

/** Holds an animation, whatever the size of the viewport, by a timeline of the clock; on paper, by an inline style. */
function hold(animation: Animation, effect: AnimationEffect, share: number): void {
  // An endless animation has no position in its range.
  if (effect.getTiming().iterations === Number.POSITIVE_INFINITY) return;
  animation.timeline = document.timeline;
  effect.updateTiming({ delay: 0, endDelay: 0, duration: 1_000 });
  animation.pause();
  animation.currentTime = share * Number(effect.getComputedTiming().endTime);
  animation.commitStyles();
  animation.cancel();
}
