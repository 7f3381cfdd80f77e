/// <reference lib="dom" />
import type { FrozenWorld } from './frozen.ts';

/**
 * Puts animations that follow the scroll position where a visitor reads: a view timeline where its element is at the centre of
 * the window (a viewport as tall as the page never scrolls that far), a timeline of the page at its start. What is triggered
 * by the scroll position is put at its end.
 *
 * @param limits.elements how many elements are examined.
 */
export function placeTimelines({ windowHeight, elements }: { windowHeight: number; elements: number }): void {
  const select = (root: Document | ShadowRoot) => [...root.querySelectorAll('*')].slice(0, elements);
  const rootsIn = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [
    root,
    ...select(root).flatMap(({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : [])),
  ];
  const roots = rootsIn(document);
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  if (frozen?.hasTriggers) for (const element of roots.flatMap(select)) endTriggered(element);
  // A document does not name the animations in its shadow roots.
  const animations = roots.flatMap((root) => root.getAnimations());
  for (const animation of animations) {
    const { timeline, effect } = animation;
    if (!(timeline instanceof ScrollTimeline) || !effect) continue;
    const source = timeline.source ?? document.scrollingElement;
    if (source !== document.scrollingElement) continue;
    const progress = timeline instanceof ViewTimeline ? shareInMiddle(animation, timeline.subject) : 0;
    if (progress === null) continue;
    try {
      hold(animation, effect, progress);
    } catch {
      // The page sees it as it is.
    }
  }

  /** In a window as tall as the page, the trigger of a section may not fire, or take back what it did. */
  function endTriggered(element: Element): void {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
    if (!getComputedStyle(element).getPropertyValue('animation-trigger').includes('--')) return;
    const { style } = element;
    // Started again: one that waits for its trigger is not named.
    style.setProperty('animation-name', 'none', 'important');
    style.setProperty('animation-trigger', 'none', 'important');
    element.getAnimations();
    style.removeProperty('animation-name');
    for (const animation of element.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    }
  }

  /** A timeline of the clock stays where it is put, whatever the size of the viewport; on paper, only an inline style does. */
  function hold(animation: Animation, effect: AnimationEffect, progress: number): void {
    // An endless one has no place in its range.
    if (effect.getTiming().iterations === Number.POSITIVE_INFINITY) return;
    animation.timeline = document.timeline;
    effect.updateTiming({ delay: 0, endDelay: 0, duration: 1_000 });
    animation.pause();
    animation.currentTime = progress * Number(effect.getComputedTiming().endTime);
    animation.commitStyles();
    animation.cancel();
  }

  /** How much of its range an animation has gone through when the centre of its element is at the centre of the window. */
  function shareInMiddle(animation: Animation, subject: Element | null): number | null {
    if (!subject) return null;
    const { height } = subject.getBoundingClientRect();
    const [least, most] = [Math.min(height, windowHeight), Math.max(height, windowHeight)];
    const all = windowHeight + height;
    // From where to where, in pixels since the element came into view.
    const ranges: Record<string, [number, number]> = {
      cover: [0, all],
      contain: [least, most],
      entry: [0, least],
      exit: [most, all],
      'entry-crossing': [0, height],
      'exit-crossing': [windowHeight, all],
    };
    const position = (bound: unknown, share: number) => {
      const { rangeName = 'cover', offset } = (bound ?? {}) as { rangeName?: string; offset?: CSSUnitValue };
      const [from, to] = ranges[rangeName] ?? [0, all];
      if (offset?.unit === 'px') return from + offset.value;
      return from + (to - from) * (offset?.unit === 'percent' ? offset.value / 100 : share);
    };
    const { rangeStart, rangeEnd } = animation as Animation & { rangeStart?: unknown; rangeEnd?: unknown };
    const [start, end] = [position(rangeStart, 0), position(rangeEnd, 1)];
    return Math.min(1, Math.max(0, (all / 2 - start) / Math.max(1, end - start)));
  }
}
