/// <reference lib="dom" />
import type { BannerSigns } from './banner-signs.ts';
import type { DomTools } from './dom-tools.ts';

/** See `bannerBoxes`. */
export type BannerBoxes = ReturnType<typeof bannerBoxes>;

/** Distinguishes the boxes of banners from those of the page. Runs in the page, as text (see `bannerScript`). */
export function bannerBoxes({ dom, signs }: { dom: DomTools; signs: BannerSigns }) {
  /** Whether it lies over the page, or says that it is a dialog. */
  const isOverlay = (element: Element): boolean => {
    if (
      dom.matches(element, 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"], :popover-open')
    ) {
      return true;
    }
    const { position, zIndex } = getComputedStyle(element);
    return position === 'fixed' || position === 'sticky' || (position === 'absolute' && Number(zIndex) >= 10);
  };
  const isRoot = (element: Element) => element === dom.body() || element === dom.root();

  const hasChoice = (element: Element): boolean => {
    const { accept, reject } = signs.buttonsOf(element);
    return accept.length + reject.length > 0;
  };

  /** A bar in the page's flow is at its top or end; elsewhere it is a part of the text. */
  const isBar = (element: Element): boolean => {
    const { top, bottom, height } = dom.rectOf(element);
    const isAtEdge = top + scrollY < 200 || bottom + scrollY > dom.root().scrollHeight - 200;
    if (height > innerHeight * 0.6 || !isAtEdge || dom.matches(element, 'header, footer')) return false;
    for (let each: Element | null = element; each; each = dom.parentOf(each)) {
      if (dom.matches(each, 'main, article, [role="main"]')) return false;
    }
    return hasChoice(element) || (signs.buttonsOf(element).other.length > 0 && dom.textOf(element, 500).length < 400);
  };

  /**
   * A short bar from side to side at the very top of the page with a button, or at its end with one that accepts or rejects: a
   * footer has buttons, too.
   */
  const isNotice = (element: Element): boolean => {
    const { top, bottom, width, height } = dom.rectOf(element);
    const isAtTop = top + scrollY < 1;
    if (!isAtTop && bottom + scrollY < dom.root().scrollHeight - 1) return false;
    if (width < innerWidth * 0.9 || height > innerHeight * 0.3 || dom.textOf(element, 400).length >= 400) return false;
    if (dom.query(element, 'h1, h2, nav').length > 0) return false;
    const { accept, reject, other, links } = signs.buttonsOf(element);
    return links <= 3 && (accept.length + reject.length > 0 || (isAtTop && other.length > 0));
  };

  /** A full-screen box may be the backdrop of a banner, or the page: then it is mostly something else. */
  const isMostly = (box: Element, text: Element, isNamed: boolean): boolean => {
    const isFull = (element: Element) => {
      const { width, height } = dom.rectOf(element);
      return width >= innerWidth * 0.9 && height >= innerHeight * 0.9;
    };
    if (!isFull(box)) return true;
    const isScroller = box.scrollHeight > box.clientHeight * 1.05;
    if (!isNamed && isScroller) return false;
    const buttons = signs.buttonsOf(box);
    const button = buttons.accept[0] ?? buttons.reject[0] ?? buttons.other[0];
    let card: Element | null = text;
    while (card && button && card !== box && !dom.contains(card, button)) card = dom.parentOf(card);
    if (!card) return isNamed;
    if (!isNamed && isFull(card)) {
      const parts = 'header, footer, h1, img, video, canvas, form';
      return dom.textOf(card, 700).length < 600 && !dom.query(card, parts).some(dom.isRendered);
    }
    return dom.textOf(card, 9_000).length >= 0.6 * dom.textOf(box, 9_000).length;
  };

  /** The outermost element that holds the banner and nothing else that is seen. */
  const outermost = (banner: Element): Element => {
    let found = banner;
    const length = dom.textOf(banner, 30_000).length;
    const media = 'img, video, canvas, iframe, object';
    for (let each = dom.parentOf(banner), n = 0; each && !isRoot(each) && n < 8; each = dom.parentOf(each), n += 1) {
      const box = each;
      const isMore = dom.textOf(box, length + 100).length > length + 40;
      const holdsMedia = dom
        .query(box, media)
        .some((part) => !dom.contains(banner, part) && dom.isRendered(part) && dom.hasArea(part));
      // The root of a consent platform also holds its settings, and draws its backdrop.
      if (signs.isPlatform(box) && !dom.hasArea(box) && !signs.holdsPage(box)) found = box;
      else if (isMore || holdsMedia || dom.matches(box, 'main, article')) break;
      else if (isOverlay(box) || signs.isPlatform(box) || signs.hasName(box, 'banner')) found = box;
    }
    return found;
  };

  /** The box over the page that a frame fills, or the frame itself; null if it is part of the page. */
  const boxOf = (element: Element): Element | null => {
    if (!dom.isShown(element)) return null;
    for (let each: Element | null = element, n = 0; each && !isRoot(each) && n < 6; each = dom.parentOf(each), n += 1) {
      if (isOverlay(each) || signs.hasName(each, 'platform')) return outermost(each);
    }
    return dom.nameOf(element).includes('-') ? element : null;
  };

  return { isOverlay, isRoot, isBar, isNotice, isMostly, hasChoice, outermost, boxOf };
}
