/** Decides which elements are left out of the copy, although they are drawn. */
import { attributeOf, matches, textOf } from './node-reader.ts';

const permalink = '.headerlink, .header-anchor, .anchorjs-link, .hash-link, .permalink, .octicon-link, .mw-editsection';
const formulaTwins = '.MathJax, .MathJax_Display, .MathJax_Preview, .katex-html';
const surrounding =
  'nav, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], [role=alertdialog], [aria-modal=true]';

/** Whether the element only serves the layout, or repeats its neighbour. `isClipped`: see the function of that name. */
export function isSuperfluous(element: Element, style: CSSStyleDeclaration, clipped: boolean): boolean {
  if (clipped && !hasTwin(element, isHiddenFromReaders)) return true;
  if (matches(element, permalink) || matches(element, formulaTwins)) return true;
  if (!isHiddenFromReaders(element)) return false;
  if (textOf(element).length < 20 && isIcon(element, style)) return true;
  return hasTwin(element, (other) => isClipped(other, getComputedStyle(other)));
}

/** Whether the element surrounds the content: navigation, banners, dialogs, bars. */
export function isSurrounding(element: Element, style: CSSStyleDeclaration): boolean {
  if (matches(element, surrounding)) return true;
  const isFixed = style.position === 'fixed' && element.localName !== 'body';
  return isFixed && textOf(element).length < textOf(document.body).length / 2;
}

/** Whether text is for screen readers alone, such as "Skip to content". */
export function isClipped(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.position !== 'absolute' && style.position !== 'fixed') return false;
  const { width, height, right, bottom } = element.getBoundingClientRect();
  const { scrollX: x = 0, scrollY: y = 0 } = element.ownerDocument.defaultView ?? {};
  if (right + x < 0 || bottom + y < 0) return true;
  return width <= 1 && height <= 1 && style.overflow !== 'visible';
}

/** A glyph, or the name of a glyph in a font of icons. */
function isIcon(element: Element, style: CSSStyleDeclaration): boolean {
  const [font = ''] = style.fontFamily.split(',');
  return !/[\p{L}\p{N}]/u.test(textOf(element)) || /icon|icomoon|symbol|awesome|glyph|fontello/i.test(font);
}

function isHiddenFromReaders(element: Element): boolean {
  return attributeOf(element, 'aria-hidden') === 'true';
}

function isShort(element: Element): boolean {
  return textOf(element).length <= 60 && /[\p{L}\p{N}]/u.test(textOf(element));
}

/** Whether the shown text and the text that is read aloud are neighbours: "19" with a small "99", and "$19.99". */
function hasTwin(element: Element, isTwin: (other: Element) => boolean): boolean {
  const neighbours = [element.previousElementSibling, element.nextElementSibling];
  return isShort(element) && neighbours.some((other) => other && isShort(other) && isTwin(other));
}
