import { inView } from '../dom/visibility.ts';
import { state } from '../state/page-state.ts';
import { blankCanvases } from './canvas-copies.ts';
import { watchChanges } from './changes.ts';
import type { Glance } from './glance.ts';

/** How many drawings, marks of a drawing, and elements with an inline style are examined. */
const atMost = { drawings: 50, marks: 100, styled: 500 };

/** A smaller drawing is an icon, and a smaller element no content, square CSS pixels. */
const least = { drawing: 10_000, content: 1_000 };

/** Whether a canvas or drawing in view shows nothing yet that the page's scripts may draw. */
export function isUndrawn(glance: Glance): boolean {
  watchChanges(glance).hidden = [];
  // A worker may draw, too.
  return (glance.isAtWork || glance.work.workerForMs > 0) && drawsLater(glance);
}

/** Whether the page's scripts keep content in view invisible, or without a size. */
export function hidesContent(glance: Glance): boolean {
  return (glance.isAtWork && hasInvisible(glance)) || (glance.work.loops && hasCollapsed(glance));
}

function drawsLater(glance: Glance): boolean {
  const { endless, hidden } = watchChanges(glance);
  const drawings = glance.all<SVGSVGElement>('svg').slice(0, atMost.drawings);
  const empty = [...drawings.filter(isEmpty), ...blankCanvases(glance)].filter((each) => !endless.has(each));
  hidden.push(...empty);
  return empty.length > 0;
}

function isEmpty(svg: SVGSVGElement): boolean {
  const rect = svg.getBoundingClientRect();
  if (rect.width * rect.height < least.drawing || !inView(svg, rect) || !svg.getBBox) return false;
  const { width, height } = svg.getBBox();
  return svg.childElementCount > 0 && width * height === 0;
}

/** Whether a drawing in view has marks without any size, as charts have before their bars grow and their lines are uncovered. */
function hasCollapsed(glance: Glance): boolean {
  const { endless, hidden } = watchChanges(glance);
  const drawings = glance.all<SVGSVGElement>('svg').slice(0, atMost.drawings);
  const collapsed = drawings.filter((svg) => !endless.has(svg) && isCollapsed(svg));
  hidden.push(...collapsed);
  return collapsed.length > 0;
}

function isCollapsed(svg: SVGSVGElement): boolean {
  const rect = svg.getBoundingClientRect();
  if (rect.width * rect.height < least.drawing || !inView(svg, rect)) return false;
  if (svg.querySelector('clipPath > rect[width="0"], clipPath > rect[height="0"]')) return true;
  const marks = [...svg.querySelectorAll<SVGGraphicsElement>('path, rect')].slice(0, atMost.marks);
  return marks.filter(isFlat).length > 2;
}

function isFlat(mark: SVGGraphicsElement): boolean {
  const { width, height } = mark.getBBox();
  const isSet = mark.localName === 'rect' || (mark.getAttribute('d')?.length ?? 0) > 10;
  const { fill, stroke } = getComputedStyle(mark);
  // Lines of a grid keep their size.
  const isLine = stroke !== 'none' && !/, 0\)$/.test(stroke);
  return isSet && width * height === 0 && fill !== 'none' && !isLine && !mark.closest('defs');
}

function hasInvisible(glance: Glance): boolean {
  const { endless, hidden } = watchChanges(glance);
  const found = glance
    .all('[style*="opacity"], [style*="visibility"], [style*="transform"]')
    .slice(0, atMost.styled)
    .filter((element) => element instanceof HTMLElement && !endless.has(element) && willAppear(element));
  hidden.push(...found);
  return found.length > 0;
}

function willAppear(element: HTMLElement): boolean {
  // An element that follows the scroll position stays as it is.
  if (followsScroll(element)) return false;
  const { opacity, visibility } = element.style;
  const isFaded = (opacity !== '' && Number(opacity) < 0.9) || visibility === 'hidden';
  if (!(isFaded && inView(element)) && !isBesideView(element)) return false;
  const isContent = Boolean(element.textContent?.trim()) || element.querySelector('img, svg, canvas') !== null;
  return isContent && element.offsetWidth * element.offsetHeight > least.content && !liesOverContent(element);
}

function followsScroll(element: HTMLElement): boolean {
  return state.scenes?.looks.has(element as HTMLElement) ?? false;
}

/** Whether an element lies over content, as a closed menu and a slide behind another slide do. Content that fades in does not. */
function liesOverContent(element: HTMLElement): boolean {
  const { innerWidth: width, innerHeight: height } = window;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x1, x2, y1, y2] = [Math.max(0, left), Math.min(width, right), Math.max(0, top), Math.min(height, bottom)];
  // Text may lie on an image, but not on text.
  const isText = Boolean(element.textContent?.trim());
  const isOther = (each: Element) => !each.contains(element) && !element.contains(each);
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
  return shares.some((share) =>
    shares.some((other) =>
      document
        .elementsFromPoint(x1 + (x2 - x1) * share, y1 + (y2 - y1) * other)
        .some((each) => isOther(each) && hasContent(each, isText) && each.checkVisibility({ opacityProperty: true })),
    ),
  );
}

function hasContent(element: Element, isOnlyText: boolean): boolean {
  if (!isOnlyText && element.matches('img, video, canvas, svg')) return true;
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
}

/** Whether scripts have moved an element from its place in view to the side of the window, from where it slides in. */
function isBesideView(element: HTMLElement): boolean {
  if (!/translate|matrix/.test(element.style.transform)) return false;
  const { innerWidth: width, innerHeight: height } = window;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  if ((left < width && right > 0) || top >= height || bottom <= 0) return false;
  const { position, transform } = getComputedStyle(element);
  const { m41: x } = new DOMMatrix(transform);
  return position !== 'fixed' && right - x > 0 && left - x < width;
}
