/// <reference lib="dom" />
import type { GrownWindow } from './grown-window.ts';

/** See `layers`. */
export type Layers = ReturnType<typeof layers>;

/** Finds out what elements in front of the page show, and stretches them. Part of `placeElements`. */
export function layers({ view: { innerWidth, grown, frozenHeight, set } }: { view: GrownWindow }) {
  return { showsImage, canvasIn, hasPhoto, isCoveredBelow, coversContent, stretch };

  /** Whether it shows an image as large as the window. */
  function showsImage(element: HTMLElement): boolean {
    if (getComputedStyle(element).backgroundImage.includes('url(')) return true;
    const inner = [element, ...element.querySelectorAll<HTMLElement>('img, video, canvas')];
    return inner.some((each) => each.matches('img, video, canvas') && each.offsetWidth >= innerWidth * 0.8);
  }

  /** The canvas that fills a layer. */
  function canvasIn(element: HTMLElement): HTMLCanvasElement | null {
    const inner = [element, ...element.querySelectorAll('canvas')];
    const fills = ({ offsetWidth, offsetHeight }: HTMLElement) =>
      offsetWidth >= innerWidth * 0.9 && offsetHeight >= frozenHeight * 0.9;
    return inner.find((each): each is HTMLCanvasElement => each instanceof HTMLCanvasElement && fills(each)) ?? null;
  }

  /** Whether an image or a video in it fills the window, and it is not a page of its own. */
  function hasPhoto(element: HTMLElement): boolean {
    if ((element.textContent?.trim().length ?? 0) > 300) return false;
    return [element, ...element.querySelectorAll<HTMLElement>('img, video')].some((each) => {
      if (!each.matches('img, video') || (each !== element && getComputedStyle(each).position === 'fixed'))
        return false;
      const isShown = each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      return isShown && each.offsetWidth >= innerWidth * 0.9 && each.offsetHeight >= frozenHeight * 0.9;
    });
  }

  /**
   * Whether what comes after the first screen hides it, as a curtain does.
   *
   * @param isHost whether it has a pseudo-element behind the page, which may be hidden by what is in it.
   */
  function isCoveredBelow(element: HTMLElement, isHost = false): boolean {
    const hides = (each: Element) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      return each.matches('img, video, canvas') || backgroundImage !== 'none' || /^rgb\(/.test(backgroundColor);
    };
    let hidden = 0;
    const points = [0.1, 0.35, 0.65, 0.9].flatMap((x) => [0.1, 0.3, 0.5, 0.7, 0.9].map((y) => [x, y] as const));
    for (const [x, y] of points) {
      const stack = document.elementsFromPoint(x * innerWidth, frozenHeight + y * (grown - frozenHeight));
      const at = stack.findIndex((each) => each === element || element.contains(each));
      const over = (at === -1 || isHost ? stack : stack.slice(0, at)).filter((each) => !each.contains(element));
      if (over.some(hides)) hidden += 1;
    }
    return hidden >= points.length * 0.75;
  }

  /** A column beside the text goes on along the page; a panel over the text would hide it. */
  function coversContent(element: HTMLElement, { left, width }: DOMRect): boolean {
    return [0.2, 0.4, 0.6, 0.8].some((share) => {
      const y = frozenHeight + (grown - frozenHeight) * share;
      const under = document.elementsFromPoint(left + width / 2, y).find((each) => !element.contains(each));
      return under !== undefined && !under.contains(element) && (under.matches('img, video, canvas') || hasText(under));
    });
  }

  function hasText(element: Element): boolean {
    return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  }

  /** A layer fills the page, but what it centers stays at the center of the first screen. */
  function stretch(element: HTMLElement, display: string, before: { height: number; padding: number }): void {
    const centers = /flex|grid/.test(display) && element.childElementCount > 0;
    const padding = before.padding + grown - before.height;
    set(element, {
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
      // `top: 50%` of the layer: back to the center of the screen.
      const top = String(child.computedStyleMap().get('top'));
      const match = /^([\d.]+)%$/.exec(top);
      if (match && match[1] !== '0') set(child, { top: `${(Number(match[1]) / 100) * frozenHeight}px` });
    }
  }
}
