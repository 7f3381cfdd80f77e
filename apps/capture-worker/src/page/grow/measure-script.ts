/// <reference lib="dom" />
import type { FrozenWorld } from './frozen.ts';

/**
 * The size of the page, CSS pixels. `left` is how far it reaches to the left of where it starts, `scale` how a phone scales
 * a page without a mobile layout, `windowHeight` that of the window, which is larger on a phone whose page is too wide for it,
 * `endsEarly` whether the end of the window seems empty: no page is measured shorter than that. `squeezes` is whether a script
 * has drawn a canvas as tall as the window now is, into a box that kept its height, or that cuts it.
 *
 * Sent as text by `runInPage`, so it must be self-contained.
 */
export function measurePage(): {
  width: number;
  height: number;
  left: number;
  viewport: number;
  scale: number;
  windowHeight: number;
  endsEarly: boolean;
  squeezes: boolean;
} {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  frozen?.rest?.remove();
  const root = document.scrollingElement ?? document.documentElement;
  const { scrollWidth, scrollHeight, clientWidth } = root;
  const { scrollX } = window;
  window.scrollTo({ left: -scrollWidth, top: window.scrollY, behavior: 'instant' });
  const left = Math.max(0, Math.round(-window.scrollX));
  window.scrollTo({ left: scrollX, top: window.scrollY, behavior: 'instant' });
  const scale = window.visualViewport?.scale ?? 1;
  // The body's overflow is the window's if the root has none of its own.
  const own = getComputedStyle(document.documentElement).overflowX;
  const overflow = own === 'visible' && document.body ? getComputedStyle(document.body).overflowX : own;
  const width = /hidden|clip/.test(overflow) ? clientWidth : scrollWidth;
  const { innerHeight: windowHeight } = window;
  const measured = {
    width,
    height: isStage() ? root.clientHeight : scrollHeight + framesRest(),
    left,
    viewport: clientWidth,
    scale,
    windowHeight,
    endsEarly: endsEarly(),
    squeezes: (frozen?.canvases ?? []).some(({ canvas, bitmap, box }) => {
      const { height: shown } = canvas.getBoundingClientRect();
      const isCut = canvas.parentElement !== null && canvas.parentElement.clientHeight < shown * 0.9;
      return canvas.height / bitmap > 1.1 * (isCut ? 1 : shown / box);
    }),
  };
  if (frozen?.rest) document.documentElement.append(frozen.rest);
  return measured;

  /** Whether scripts move a space of slides behind the window, which cannot be scrolled (impress.js): only one is seen. */
  function isStage(): boolean {
    const { documentElement, body } = document;
    const { overflowX, overflowY } = getComputedStyle(own === 'visible' && body ? body : documentElement);
    const isLocked = [overflowX, overflowY].every((each) => /hidden|clip/.test(each));
    if (!isLocked || scrollWidth < clientWidth * 2) return false;
    return [...(body?.children ?? [])].some((each) => getComputedStyle(each).transformStyle === 'preserve-3d');
  }

  /** How much of the documents in a frameset, which is as tall as the window, can be scrolled to. */
  function framesRest(): number {
    if (!(document.body instanceof HTMLFrameSetElement)) return 0;
    const rests = [...document.querySelectorAll('frame')].map(({ contentDocument }) => {
      const inner = contentDocument?.scrollingElement;
      return inner ? inner.scrollHeight - inner.clientHeight : 0;
    });
    return Math.max(0, ...rests);
  }

  function endsEarly(): boolean {
    const { documentElement, body } = document;
    const { innerWidth, innerHeight } = window;
    const blocks = [documentElement, ...(body ? [body] : [])];
    const ends = blocks.map((each) => each.getBoundingClientRect().bottom);
    if (Math.max(...ends) > innerHeight - 50) return false;
    const atEnd = [0.2, 0.5, 0.8].flatMap((share) => document.elementsFromPoint(innerWidth * share, innerHeight - 2));
    return atEnd.every((each) => blocks.includes(each as HTMLElement) || getComputedStyle(each).position === 'fixed');
  }
}
