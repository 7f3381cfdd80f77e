import { elementsInBody, rootElements } from '../dom/examined.ts';
import { state } from '../state/page-state.ts';

/** The size of a page, CSS pixels. */
interface Measured {
  width: number;
  height: number;
  /** How far the page reaches to the left of where it starts. */
  left: number;
  /** The width of the window without its scroll bar. */
  viewport: number;
  /** The factor by which a phone scales a page without a mobile layout. */
  scale: number;
  /** The height of the window, which is larger on a phone whose page is too wide for it. */
  windowHeight: number;
  /** Whether the end of the window seems empty: no page is measured shorter than the window. */
  endsEarly: boolean;
  /** Whether a script has drawn a canvas as tall as the grown window, into a box that kept its height or that cuts the canvas. */
  squeezes: boolean;
}

export function measurePage(): Measured {
  state.rest?.remove();
  const root = document.scrollingElement ?? document.documentElement;
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = root;
  const measured = {
    width: /hidden|clip/.test(getComputedStyle(holderOfOverflow()).overflowX) ? clientWidth : scrollWidth,
    left: reachToLeft(scrollWidth),
    height: isStage(root) ? clientHeight : scrollHeight + framesRest(),
    viewport: clientWidth,
    scale: window.visualViewport?.scale ?? 1,
    windowHeight: window.innerHeight,
    endsEarly: endsEarly(),
    squeezes: squeezesCanvas(),
  };
  if (state.rest) document.documentElement.append(state.rest);
  return measured;
}

/** Returns the element whose overflow is the window's: the body, if the root has no overflow. */
function holderOfOverflow(): HTMLElement {
  const { documentElement, body } = document;
  return body && getComputedStyle(documentElement).overflowX === 'visible' ? body : documentElement;
}

function reachToLeft(scrollWidth: number): number {
  const { scrollX, scrollY: top } = window;
  window.scrollTo({ left: -scrollWidth, top, behavior: 'instant' });
  const left = Math.max(0, Math.round(-window.scrollX));
  window.scrollTo({ left: scrollX, top, behavior: 'instant' });
  return left;
}

/** Whether scripts move slides behind the window, which cannot be scrolled (impress.js): a visitor sees one slide at a time. */
function isStage({ scrollWidth, clientWidth }: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(holderOfOverflow());
  const isLocked = [overflowX, overflowY].every((each) => /hidden|clip/.test(each));
  if (!isLocked || scrollWidth < clientWidth * 2) return false;
  return [...(document.body?.children ?? [])].some((each) => getComputedStyle(each).transformStyle === 'preserve-3d');
}

/** Returns the scrollable height of the documents in a frameset, which is as tall as the window. */
function framesRest(): number {
  if (!(document.body instanceof HTMLFrameSetElement)) return 0;
  const rests = [...document.querySelectorAll('frame')].map(({ contentDocument }) => {
    const inner = contentDocument?.scrollingElement;
    return inner ? inner.scrollHeight - inner.clientHeight : 0;
  });
  return Math.max(0, ...rests);
}

function endsEarly(): boolean {
  const { innerWidth, innerHeight } = window;
  const blocks = rootElements();
  const ends = blocks.map((each) => each.getBoundingClientRect().bottom);
  if (Math.max(...ends) > innerHeight - 50) return false;
  const atEnd = [0.2, 0.5, 0.8].flatMap((share) => document.elementsFromPoint(innerWidth * share, innerHeight - 2));
  return atEnd.every((each) => blocks.includes(each as HTMLElement) || getComputedStyle(each).position === 'fixed');
}

function squeezesCanvas(): boolean {
  return (state.canvasShapes ?? []).some(({ canvas, bitmap, box }) => {
    const { height: shown } = canvas.getBoundingClientRect();
    const isCut = canvas.parentElement !== null && canvas.parentElement.clientHeight < shown * 0.9;
    return canvas.height / bitmap > 1.1 * (isCut ? 1 : shown / box);
  });
}

/**
 * Puts elements back that scripts have moved below the end of the page's own boxes: fast parallax moves them by many windows, and
 * a visitor sees them in their place when they are in view.
 */
export function returnStrays(): void {
  const end = Math.max(window.innerHeight, ...rootElements().map((each) => each.getBoundingClientRect().bottom));
  for (const element of elementsInBody()) {
    const { style } = element;
    if (!(style?.transform || style?.translate) || element.getBoundingClientRect().bottom <= end) continue;
    style.setProperty('transform', 'none', 'important');
    style.setProperty('translate', 'none', 'important');
  }
}
