/// <reference lib="dom" />
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `placeholders`. */
export type Placeholders = ReturnType<typeof placeholders>;

/** Recognizes what stands for content that is to come. Part of `look`. */
export function placeholders({
  page: { roots, all },
  visible: { inView, isSeen },
}: {
  page: PageRoots;
  visible: Visibility;
}) {
  return { hasPlaceholders };

  /**
   * Whether elements without words pulse, shimmer or turn without an end, in a rhythm that says that more is coming; or have a
   * class name of Tailwind or Bootstrap for that. A page may be decorated so: it counts only while data is in flight.
   */
  function hasPlaceholders(): boolean {
    const named = all('.animate-pulse, .animate-spin, .placeholder-glow, .placeholder-wave').slice(0, 100);
    return [
      ...named,
      ...roots()
        .flatMap((root) => root.getAnimations())
        .slice(0, 200)
        .map(pulsing),
    ].some((element) => element !== null && standsForContent(element));
  }

  /** The element that an animation lets pulse, shimmer or turn without an end; null for other motion. */
  function pulsing({ effect }: Animation): Element | null {
    const { endTime, duration } = effect?.getComputedTiming() ?? {};
    if (endTime !== Number.POSITIVE_INFINITY || Number(duration) > 3_000) return null;
    const { target, pseudoElement } = effect as KeyframeEffect;
    const isPulse = (effect as KeyframeEffect).getKeyframes().some((frame) => {
      const { opacity, backgroundColor, backgroundPosition, backgroundPositionX, rotate, transform } = frame;
      const fades = [opacity, backgroundColor, backgroundPosition, backgroundPositionX, rotate].some(
        (value) => value !== undefined,
      );
      // A glint that passes over a placeholder is a pseudo-element of it.
      return fades || (transform !== undefined && (pseudoElement !== null || /rotate/.test(String(transform))));
    });
    return isPulse ? target : null;
  }

  /** Not a dot, a blurred shape or what lies behind the page. */
  function standsForContent(element: Element): boolean {
    const { innerWidth: width, innerHeight: height } = window;
    const rect = element.getBoundingClientRect();
    const isSized = rect.height >= 8 && rect.width >= 16 && (rect.height >= 16 || rect.width >= 40);
    const { filter, zIndex } = getComputedStyle(element);
    return (
      isSized &&
      inView(element, rect) &&
      isSeen(element) &&
      rect.width * rect.height < width * height * 0.6 &&
      !/\p{L}{2}/u.test(element.textContent ?? '') &&
      element.querySelector('img, video, canvas, iframe') === null &&
      !element.matches('html, body, img, video, canvas') &&
      !filter.includes('blur') &&
      !(Number(zIndex) < 0)
    );
  }
}
