/// <reference lib="dom" />
import type { CopyInput } from './copy.ts';
import type { NodeReader } from './node-reader.ts';

/** See `omissions`. */
export type Omissions = ReturnType<typeof omissions>;

/** Decides what is left out, although it is drawn. Part of `copyContent`. */
export function omissions({
  input: { only_main_content },
  read: { textOf, attributeOf, matches },
}: {
  input: CopyInput;
  read: NodeReader;
}) {
  const permalink =
    '.headerlink, .header-anchor, .anchorjs-link, .hash-link, .permalink, .octicon-link, .mw-editsection';
  const surrounding =
    'nav, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], [role=alertdialog], [aria-modal=true]';
  /** Whether surroundings are left out; not of a page that has nothing else. */
  let leavesOut = only_main_content;
  return { isClipped, isLeftOut, keepSurroundings };

  function keepSurroundings(): void {
    leavesOut = false;
  }

  function isLeftOut(element: Element, style: CSSStyleDeclaration, isTwin: boolean): boolean {
    if (isTwin && !hasTwin(element, isHiddenFromReaders)) return true;
    if (matches(element, permalink)) return true;
    if (matches(element, '.MathJax, .MathJax_Display, .MathJax_Preview, .katex-html')) return true;
    if (isHiddenFromReaders(element)) {
      if (textOf(element).length < 20 && isIcon(element, style)) return true;
      if (hasTwin(element, (other) => isClipped(other, getComputedStyle(other)))) return true;
    }
    return leavesOut && isSurrounding(element, style);
  }

  function isSurrounding(element: Element, style: CSSStyleDeclaration): boolean {
    if (matches(element, surrounding)) return true;
    const isFixed = style.position === 'fixed' && element.localName !== 'body';
    return isFixed && textOf(element).length < textOf(document.body).length / 2;
  }

  /** Text for screen readers alone, such as "Skip to content". */
  function isClipped(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.position !== 'absolute' && style.position !== 'fixed') return false;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    const { scrollX: x = 0, scrollY: y = 0 } = element.ownerDocument.defaultView ?? {};
    if (right + x < 0 || bottom + y < 0) return true;
    return width <= 1 && height <= 1 && style.overflow !== 'visible';
  }

  /** An icon: a glyph, or the name of one in a font of icons. */
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

  /** Whether what is shown and what is read aloud stand side by side: "19" with a small "99", and "$19.99". */
  function hasTwin(element: Element, isTwin: (other: Element) => boolean): boolean {
    const neighbours = [element.previousElementSibling, element.nextElementSibling];
    return isShort(element) && neighbours.some((other) => other && isShort(other) && isTwin(other));
  }
}
