import { hasOwnText, isShown } from '../dom/examined.ts';
import { setStyles } from '../dom/styles.ts';
import { visitorHeight } from './visitor-window.ts';

/** Whether a layer shows an image as large as the window. */
export function showsImage(element: HTMLElement): boolean {
  if (getComputedStyle(element).backgroundImage.includes('url(')) return true;
  const inner = [element, ...element.querySelectorAll<HTMLElement>('img, video, canvas')];
  return inner.some((each) => each.matches('img, video, canvas') && each.offsetWidth >= window.innerWidth * 0.8);
}

export function canvasIn(element: HTMLElement): HTMLCanvasElement | null {
  const inner = [element, ...element.querySelectorAll('canvas')];
  return (
    inner.find((each): each is HTMLCanvasElement => each instanceof HTMLCanvasElement && fillsWindow(each)) ?? null
  );
}

/** Whether an image or a video in a layer fills the window, and the layer is no article. */
export function hasPhoto(element: HTMLElement): boolean {
  if ((element.textContent?.trim().length ?? 0) > 300) return false;
  return [element, ...element.querySelectorAll<HTMLElement>('img, video')].some((each) => {
    if (!each.matches('img, video') || (each !== element && getComputedStyle(each).position === 'fixed')) return false;
    return isShown(each) && fillsWindow(each);
  });
}

function fillsWindow({ offsetWidth, offsetHeight }: HTMLElement): boolean {
  return offsetWidth >= window.innerWidth * 0.9 && offsetHeight >= visitorHeight() * 0.9;
}

/**
 * Whether the page after the first screen hides a layer, as a curtain does.
 *
 * @param isHost whether the element has a pseudo-element behind the page, which the element's content may hide.
 */
export function isCoveredBelow(element: HTMLElement, isHost = false): boolean {
  const hides = (each: Element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(each);
    return each.matches('img, video, canvas') || backgroundImage !== 'none' || /^rgb\(/.test(backgroundColor);
  };
  let hidden = 0;
  const points = [0.1, 0.35, 0.65, 0.9].flatMap((x) => [0.1, 0.3, 0.5, 0.7, 0.9].map((y) => [x, y] as const));
  for (const [x, y] of points) {
    const stack = document.elementsFromPoint(x * window.innerWidth, belowFirstScreen(y));
    const at = stack.findIndex((each) => each === element || element.contains(each));
    const over = (at === -1 || isHost ? stack : stack.slice(0, at)).filter((each) => !each.contains(element));
    if (over.some(hides)) hidden += 1;
  }
  return hidden >= points.length * 0.75;
}

/**
 * Whether a layer lies over the text: a panel over the text would hide it, but a column beside the text continues down the page.
 */
export function coversContent(element: HTMLElement, { left, width }: DOMRect): boolean {
  return [0.2, 0.4, 0.6, 0.8].some((share) => {
    const stack = document.elementsFromPoint(left + width / 2, belowFirstScreen(share));
    const under = stack.find((each) => !element.contains(each));
    if (under === undefined || under.contains(element)) return false;
    return under.matches('img, video, canvas') || hasOwnText(under);
  });
}

/** Returns the vertical position at this share of the page below the first screen, CSS pixels. */
function belowFirstScreen(share: number): number {
  return visitorHeight() + (window.innerHeight - visitorHeight()) * share;
}

/** Lets a layer fill the page, but keeps its centered content at the center of the first screen. */
export function stretch(element: HTMLElement, before: { height: number; padding: number }): void {
  const { innerHeight: grown } = window;
  const centers = /flex|grid/.test(getComputedStyle(element).display) && element.childElementCount > 0;
  const padding = before.padding + grown - before.height;
  setStyles(element, {
    height: `${grown}px`,
    'min-height': '0',
    'max-height': 'none',
    bottom: 'auto',
    top: '0px',
    ...(centers && { 'box-sizing': 'border-box', 'padding-bottom': `${padding}px` }),
  });
  if (centers) return;
  for (const child of Reflect.get(Element.prototype, 'children', element) as HTMLCollection) {
    if (!(child instanceof HTMLElement) || getComputedStyle(child).position !== 'absolute') continue;
    // `top: 50%` of the layer moves back to the center of the screen.
    const top = String(child.computedStyleMap().get('top'));
    const match = /^([\d.]+)%$/.exec(top);
    if (match && match[1] !== '0') setStyles(child, { top: `${(Number(match[1]) / 100) * visitorHeight()}px` });
  }
}
