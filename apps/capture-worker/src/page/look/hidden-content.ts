/// <reference lib="dom" />
import type { CanvasCopies } from './canvas-copies.ts';
import type { ChangeWatch } from './change-watch.ts';
import type { LookWorld } from './look.ts';
import type { PageRoots } from './page-roots.ts';
import type { Visibility } from './visibility.ts';

/** See `hiddenContent`. */
export type HiddenContent = ReturnType<typeof hiddenContent>;

/** Finds what the page's scripts will show or draw. Part of `look`. */
export function hiddenContent({
  page: { all },
  visible: { inView },
  canvases: { blankCanvases },
  changes: { watchChanges },
}: {
  page: PageRoots;
  visible: Visibility;
  canvases: CanvasCopies;
  changes: ChangeWatch;
}) {
  const world = globalThis as LookWorld;
  return { drawsLater, hidesContent, hasCollapsed };

  /** A canvas or drawing in view that shows nothing yet. */
  function drawsLater(): boolean {
    const drawings = (all('svg') as SVGSVGElement[]).slice(0, 50);
    const isEmpty = (svg: SVGSVGElement) => {
      const rect = svg.getBoundingClientRect();
      if (rect.width * rect.height < 10_000 || !inView(svg, rect) || !svg.getBBox) return false;
      const { width, height } = svg.getBBox();
      return svg.childElementCount > 0 && width * height === 0;
    };
    const { endless, hidden } = watchChanges();
    const empty = [...drawings.filter(isEmpty), ...blankCanvases()].filter((each) => !endless.has(each));
    hidden.push(...empty);
    return empty.length > 0;
  }

  /** Whether a drawing in view has marks without any size, as charts do before their bars grow and their lines are uncovered. */
  function hasCollapsed(): boolean {
    const { endless, hidden } = watchChanges();
    const isFlat = (mark: SVGGraphicsElement) => {
      const { width, height } = mark.getBBox();
      const isSet = mark.localName === 'rect' || (mark.getAttribute('d')?.length ?? 0) > 10;
      const { fill, stroke } = getComputedStyle(mark);
      // Lines of a grid are as they stay.
      const isLine = stroke !== 'none' && !/, 0\)$/.test(stroke);
      return isSet && width * height === 0 && fill !== 'none' && !isLine && !mark.closest('defs');
    };
    const isCollapsed = (svg: SVGSVGElement) => {
      const rect = svg.getBoundingClientRect();
      if (rect.width * rect.height < 10_000 || !inView(svg, rect) || endless.has(svg)) return false;
      if (svg.querySelector('clipPath > rect[width="0"], clipPath > rect[height="0"]')) return true;
      const marks = [...svg.querySelectorAll<SVGGraphicsElement>('path, rect')].slice(0, 100);
      return marks.filter(isFlat).length > 2;
    };
    const collapsed = (all('svg') as SVGSVGElement[]).slice(0, 50).filter(isCollapsed);
    hidden.push(...collapsed);
    return collapsed.length > 0;
  }

  function hidesContent(): boolean {
    const changes = watchChanges();
    const found = all('[style*="opacity"], [style*="visibility"], [style*="transform"]')
      .slice(0, 500)
      .filter((element) => {
        if (!(element instanceof HTMLElement) || changes.endless.has(element)) return false;
        // What follows the scroll position stays as it is.
        if (world.captureScenes?.looks.has(element)) return false;
        const { opacity, visibility } = element.style;
        const isFaded = (opacity !== '' && Number(opacity) < 0.9) || visibility === 'hidden';
        if (!(isFaded && inView(element)) && !isBesideView(element)) return false;
        const isContent = Boolean(element.textContent?.trim()) || element.querySelector('img, svg, canvas') !== null;
        return isContent && element.offsetWidth * element.offsetHeight > 1_000 && !liesOverContent(element);
      });
    changes.hidden.push(...found);
    return found.length > 0;
  }

  /** Whether it has no place of its own: a closed menu, a slide behind another one. What fades in has. */
  function liesOverContent(element: HTMLElement): boolean {
    const { innerWidth: width, innerHeight: height } = window;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x1, x2, y1, y2] = [Math.max(0, left), Math.min(width, right), Math.max(0, top), Math.min(height, bottom)];
    // Text may lie on an image, but not on text.
    const isText = Boolean(element.textContent?.trim());
    const hasContent = (each: Element) =>
      (!isText && each.matches('img, video, canvas, svg')) ||
      [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const isOther = (each: Element) => !each.contains(element) && !element.contains(each);
    const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
    return shares.some((share) =>
      shares.some((other) =>
        document
          .elementsFromPoint(x1 + (x2 - x1) * share, y1 + (y2 - y1) * other)
          .some((each) => isOther(each) && hasContent(each) && each.checkVisibility({ opacityProperty: true })),
      ),
    );
  }

  /** Whether scripts have moved it from its place in view to beside it, from where it slides in. */
  function isBesideView(element: HTMLElement): boolean {
    if (!/translate|matrix/.test(element.style.transform)) return false;
    const { innerWidth: width, innerHeight: height } = window;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if ((left < width && right > 0) || top >= height || bottom <= 0) return false;
    const { position } = getComputedStyle(element);
    const { m41: x } = new DOMMatrix(getComputedStyle(element).transform);
    return position !== 'fixed' && right - x > 0 && left - x < width;
  }
}
