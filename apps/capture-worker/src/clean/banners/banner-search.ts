/// <reference lib="dom" />
import type { BannerSigns, Surroundings } from './banner-signs.ts';
import type { DomTools } from './dom-tools.ts';

/** See `bannerSearch`. */
export type BannerSearch = ReturnType<typeof bannerSearch>;

/**
 * Finds the banners of a document: from text about cookies or privacy outwards to the box that holds it, and from frames of
 * consent platforms. Runs in the page, as text (see `bannerScript`).
 */
export function bannerSearch(dom: DomTools, signs: BannerSigns) {
  const limits = { elements: 30_000, texts: 300, ancestors: 40, banners: 10 };

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
    return hasChoice(element);
  };

  /** A full-screen box may be the backdrop of a banner, or the page: then it is mostly something else. */
  const isMostly = (box: Element, text: Element, isNamed: boolean): boolean => {
    const isFull = (element: Element) => {
      const { width, height } = dom.rectOf(element);
      return width >= innerWidth * 0.9 && height >= innerHeight * 0.9;
    };
    if (!isFull(box)) return true;
    const buttons = signs.buttonsOf(box);
    const button = buttons.accept[0] ?? buttons.reject[0] ?? buttons.other[0];
    let card: Element | null = text;
    while (card && button && card !== box && !dom.contains(card, button)) card = dom.parentOf(card);
    if (!card || (!isNamed && isFull(card))) return isNamed;
    return dom.textOf(card, 9_000).length >= 0.6 * dom.textOf(box, 9_000).length;
  };

  interface Facts {
    isOverlay: boolean;
    isNamed: boolean;
    isPlatform: boolean;
    decisions: Map<string, boolean>;
  }
  const factsOf = (element: Element, memory: Map<Element, Facts>): Facts => {
    let facts = memory.get(element);
    if (!facts) {
      const isPlatform = signs.isPlatform(element);
      const isNamed = isPlatform || signs.isNamed(element);
      facts = { isOverlay: isOverlay(element), isPlatform, isNamed, decisions: new Map() };
      memory.set(element, facts);
    }
    return facts;
  };

  /** The banner that a text belongs to, or null. */
  const bannerAround = (text: Element, memory: Map<Element, Facts>): Element | null => {
    const surroundings = { isNamed: false, isPlatform: false, blockLength: 0 };
    let block: Element | null = null;
    let steps = 0;
    for (let each: Element | null = text; each && !isRoot(each); each = dom.parentOf(each)) {
      steps += 1;
      if (steps > limits.ancestors) return null;
      const facts = factsOf(each, memory);
      surroundings.isPlatform ||= facts.isPlatform;
      surroundings.isNamed ||= facts.isNamed;
      if (!block && !/^inline|^contents/.test(getComputedStyle(each).display)) {
        block = each;
        surroundings.blockLength = Math.min(20, dom.textOf(block, 500).length);
      }
      if (!facts.isOverlay && !surroundings.isNamed) continue;
      const key = JSON.stringify(surroundings);
      const isFound = facts.decisions.get(key) ?? isBox(each, text, facts.isOverlay, surroundings);
      facts.decisions.set(key, isFound);
      if (isFound) return each;
    }
    return null;
  };
  const isBox = (element: Element, text: Element, isOver: boolean, surroundings: Surroundings): boolean =>
    (dom.hasArea(element) || dom.descendants(element, 300).some(dom.hasArea)) &&
    dom.isShown(element) &&
    (isOver || isBar(element)) &&
    signs.isBanner(element, surroundings) &&
    isMostly(element, text, surroundings.isNamed);

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
      if (isMore || holdsMedia || dom.matches(box, 'main, article')) break;
      if (isOverlay(box) || signs.isPlatform(box) || signs.hasName(box, 'banner')) found = box;
    }
    return found;
  };

  const pattern = new RegExp(`${signs.words.cookies.source}|${signs.words.privacy.source}`, 'iu');
  /** The elements whose text mentions cookies or privacy. */
  const texts = (root: Element, elements: Element[]): Element[] => {
    const found = new Set<Element>();
    for (const each of [root, ...[root, ...elements].flatMap((element) => dom.shadowRoot(element) ?? [])]) {
      const walker = Document.prototype.createTreeWalker.call(document, each, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(), n = 0; node && n < limits.elements; node = walker.nextNode(), n += 1) {
        if (found.size >= limits.texts) break;
        if (!pattern.test((node as Text).data.slice(0, 5_000))) continue;
        const parent = dom.parentOf(node);
        if (parent && !/^(?:script|style|noscript)$/.test(dom.nameOf(parent))) found.add(parent);
      }
    }
    return [...found];
  };

  /** The banners of platforms that say nothing that is known, but have buttons. */
  const wordless = (root: Element): Element[] =>
    signs.known(root).filter((element) => {
      const { accept, reject, other } = signs.buttonsOf(element);
      const hasButtons = accept.length + reject.length + other.length > 0;
      return hasButtons && isOverlay(element) && dom.hasArea(element) && dom.isShown(element);
    });

  /** Boxes of frames, and of closed shadow roots of consent platforms, whose text cannot be read. */
  const opaque = (elements: Element[]): Element[] => {
    const isHost = (element: Element) =>
      dom.nameOf(element).includes('-') || /usercentrics|axeptio/.test(dom.attribute(element, 'id'));
    return elements.flatMap((element) => {
      const isFrame = dom.nameOf(element) === 'iframe' && signs.isConsentFrame(element);
      const isClosed = !isFrame && isHost(element) && !dom.shadowRoot(element) && signs.isPlatform(element);
      return isFrame || isClosed ? [boxOf(element)].filter((box) => box !== null) : [];
    });
  };
  /** The box over the page that a frame fills, or the frame itself; null if it is part of the page. */
  const boxOf = (element: Element): Element | null => {
    if (!dom.isShown(element)) return null;
    for (let each: Element | null = element, n = 0; each && !isRoot(each) && n < 6; each = dom.parentOf(each), n += 1) {
      if (isOverlay(each) || signs.hasName(each, 'platform')) return outermost(each);
    }
    return dom.nameOf(element).includes('-') ? element : null;
  };

  return {
    isRoot,
    boxOf,
    /** @param root where to search: the root element, or an element that has changed. */
    find(root: Element): Element[] {
      const memory = new Map<Element, Facts>();
      const banners = new Set<Element>();
      const elements = dom.descendants(root, limits.elements);
      for (const text of texts(root, elements)) {
        if (banners.size >= limits.banners) break;
        if ([...banners].some((banner) => dom.contains(banner, text))) continue;
        const banner = dom.isRendered(text) ? bannerAround(text, memory) : null;
        if (banner) banners.add(outermost(banner));
      }
      for (const box of [...wordless(root), ...opaque([root, ...elements])])
        if (banners.size < limits.banners) banners.add(box);
      const isInner = (banner: Element) => [...banners].some((each) => each !== banner && dom.contains(each, banner));
      return [...banners].filter((banner) => !isInner(banner));
    },
    /** Whether something over the page mentions cookies: a banner may be there that only a rule knows. */
    mentionsCookies(): boolean {
      const isOver = (element: Element) => {
        let steps = 0;
        for (let each: Element | null = element; each && !isRoot(each) && steps < limits.ancestors; steps += 1) {
          if (isOverlay(each)) return dom.isRendered(each) && hasChoice(each);
          each = dom.parentOf(each);
        }
        return false;
      };
      const mentions = texts(dom.root(), dom.descendants(dom.root(), limits.elements));
      return mentions.some((element) => signs.words.cookies.test(dom.textOf(element, 1_000)) && isOver(element));
    },
  };
}
