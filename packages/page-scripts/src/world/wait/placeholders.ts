import { inView } from '../dom/visibility.ts';
import type { Glance } from './glance.ts';

const namedAtMost = 100;
const animationsAtMost = 200;

/** Placeholders pulse faster than this, milliseconds. */
const longestPulseMs = 3_000;

/**
 * Whether elements without words pulse, shimmer or turn without an end, in the rhythm of a loading indicator, or have a class of
 * Tailwind or Bootstrap for that. Decoration may look like this too, so placeholders count only while data is in flight.
 */
export function hasPlaceholders(glance: Glance): boolean {
  const named = glance.all('.animate-pulse, .animate-spin, .placeholder-glow, .placeholder-wave');
  const animations = glance.roots.flatMap((root) => root.getAnimations()).slice(0, animationsAtMost);
  const found = [...named.slice(0, namedAtMost), ...animations.map(pulsing)];
  return found.some((element) => element !== null && standsForContent(glance, element));
}

/** Returns the element that an animation lets pulse, shimmer or turn without an end; null for other motion. */
function pulsing({ effect }: Animation): Element | null {
  const { endTime, duration } = effect?.getComputedTiming() ?? {};
  if (endTime !== Number.POSITIVE_INFINITY || Number(duration) > longestPulseMs) return null;
  const { target, pseudoElement } = effect as KeyframeEffect;
  const isPulse = (effect as KeyframeEffect).getKeyframes().some((frame) => {
    const { opacity, backgroundColor, backgroundPosition, backgroundPositionX, rotate, transform } = frame;
    const fades = [opacity, backgroundColor, backgroundPosition, backgroundPositionX, rotate].some(
      (value) => value !== undefined,
    );
    // A glint that passes over a placeholder is a pseudo-element of the placeholder.
    return fades || (transform !== undefined && (pseudoElement !== null || /rotate/.test(String(transform))));
  });
  return isPulse ? target : null;
}

/** Whether an element is neither a dot, nor blurred, nor behind the page. */
function standsForContent(glance: Glance, element: Element): boolean {
  const { innerWidth: width, innerHeight: height } = window;
  const rect = element.getBoundingClientRect();
  const isSized = rect.height >= 8 && rect.width >= 16 && (rect.height >= 16 || rect.width >= 40);
  const { filter, zIndex } = getComputedStyle(element);
  return (
    isSized &&
    inView(element, rect) &&
    glance.isSeen(element) &&
    rect.width * rect.height < width * height * 0.6 &&
    !/\p{L}{2}/u.test(element.textContent ?? '') &&
    element.querySelector('img, video, canvas, iframe') === null &&
    !element.matches('html, body, img, video, canvas') &&
    !filter.includes('blur') &&
    !(Number(zIndex) < 0)
  );
}
