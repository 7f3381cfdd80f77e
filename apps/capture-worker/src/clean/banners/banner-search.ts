/// <reference lib="dom" />
import type { BannerBoxes } from './banner-boxes.ts';
import type { BannerSigns, Surroundings } from './banner-signs.ts';
import type { DomTools } from './dom-tools.ts';

/** See `bannerSearch`. */
export type BannerSearch = ReturnType<typeof bannerSearch>;

/**
 * Finds the banners of a document: from text about cookies or privacy outwards to the box that holds it, and from frames of
 * consent platforms. Runs in the page, as text (see `bannerScript`).
 */
export function bannerSearch({ dom, signs, boxes }: { dom: DomTools; signs: BannerSigns; boxes: BannerBoxes }) {
  const limits = { elements: 30_000, texts: 300, ancestors: 40, banners: 10 };

  interface Facts {
    isOverlay: boolean;
    isNamed: boolean;
    isPlatform: boolean;
    isNotice: boolean;
    decisions: Map<string, boolean>;
  }
  const factsOf = (element: Element, memory: Map<Element, Facts>): Facts => {
    let facts = memory.get(element);
    if (!facts) {
      const isPlatform = signs.isPlatform(element);
      const isNamed = isPlatform || signs.isNamed(element);
      const isOverlay = boxes.isOverlay(element);
      const isNotice = !isOverlay && !isNamed && boxes.isNotice(element);
      facts = { isOverlay, isPlatform, isNamed, isNotice, decisions: new Map() };
      memory.set(element, facts);
    }
    return facts;
  };

  /** The banner that a text belongs to, or null. */
  const bannerAround = (text: Element, memory: Map<Element, Facts>): Element | null => {
    const surroundings: Surroundings = { isNamed: false, isPlatform: false, block: '' };
    let link: Element | null = null;
    let steps = 0;
    for (let each: Element | null = text; each && !boxes.isRoot(each); each = dom.parentOf(each)) {
      steps += 1;
      if (steps > limits.ancestors) return null;
      const facts = factsOf(each, memory);
      surroundings.isPlatform ||= facts.isPlatform;
      surroundings.isNamed ||= facts.isNamed;
      const isPart =
        /^inline|^contents/.test(getComputedStyle(each).display) || dom.matches(each, 'h1, h2, h3, h4, h5');
      if (dom.nameOf(each) === 'a') link = each;
      if (surroundings.block === '' && !isPart) {
        const block = dom.textOf(each, 500).toLowerCase();
        // A list of links says nothing.
        const isLink = link !== null && dom.textOf(link, 500).length > block.length * 0.8;
        surroundings.block = isLink ? ' ' : block;
      }
      if (!facts.isOverlay && !facts.isNamed && !facts.isNotice) continue;
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
    (isOver || boxes.isBar(element)) &&
    signs.isBanner(element, surroundings) &&
    boxes.isMostly(element, text, surroundings.isNamed);

  const about = new RegExp(`${signs.words.cookies.source}|${signs.words.privacy.source}`, 'iu');
  /** The elements with text about cookies or privacy. */
  const texts = (root: Element, elements: Element[], pattern = about): Element[] => {
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

  /** The elements near the root of the document, where consent platforms add theirs. */
  const outerElements = (root: Element): Element[] => {
    let level = root === dom.root() ? [dom.body() ?? root] : [root];
    const found = [...level];
    for (let depth = 0; depth < 3; depth += 1) {
      level = level.flatMap((element) => [...dom.childrenOf(element)].slice(0, 100)).slice(0, 300);
      found.push(...level);
    }
    return found;
  };

  /** Banners whose text cannot be read, or says nothing that is known: frames, closed shadow roots, images. */
  const wordless = (root: Element, elements: Element[]): Element[] => {
    const frames = elements.filter((element) => dom.nameOf(element) === 'iframe' && signs.isConsentFrame(element));
    const isBox = (element: Element) => {
      if (dom.shadowRoot(element) || !dom.hasArea(element) || !dom.isShown(element)) return false;
      const { accept, reject, other } = signs.buttonsOf(element);
      const isEmpty = dom.childrenOf(element).length === 0;
      return boxes.isOverlay(element) && (isEmpty || accept.length + reject.length + other.length > 0);
    };
    const isHost = (element: Element) => dom.nameOf(element).includes('-') && !dom.shadowRoot(element);
    const platforms = outerElements(root).filter(signs.isPlatform);
    const found = [...frames, ...platforms.filter(isHost)].flatMap((element) => boxes.boxOf(element) ?? []);
    return [...found, ...platforms.filter(isBox).map(boxes.outermost)];
  };

  /** @param root where to search: the root element, or an element that has changed. */
  const find = (root: Element, elements = dom.descendants(root, limits.elements)): Element[] => {
    const memory = new Map<Element, Facts>();
    const banners = new Set<Element>();
    for (const text of texts(root, elements)) {
      if (banners.size >= limits.banners) break;
      if ([...banners].some((banner) => dom.contains(banner, text))) continue;
      const banner = dom.isRendered(text) ? bannerAround(text, memory) : null;
      if (banner) banners.add(boxes.outermost(banner));
    }
    for (const box of wordless(root, [root, ...elements])) if (banners.size < limits.banners) banners.add(box);
    const isInner = (banner: Element) => [...banners].some((each) => each !== banner && dom.contains(each, banner));
    return [...banners].filter((banner) => !isInner(banner));
  };

  /** Whether something over the page mentions cookies and has a choice: a banner that only a rule knows. */
  const mentionsCookies = (elements: Element[]): boolean =>
    texts(dom.root(), elements, signs.words.cookies).some((text) => {
      let steps = 0;
      for (let each: Element | null = text; each && !boxes.isRoot(each) && steps < limits.ancestors; steps += 1) {
        if (boxes.isOverlay(each)) return dom.isRendered(each) && boxes.hasChoice(each);
        each = dom.parentOf(each);
      }
      return false;
    });

  return {
    find,
    /** Whether a banner may be there, and whether all it has is an accept button. */
    hints(): { isLikely: boolean; isAcceptOnly: boolean } {
      const elements = dom.descendants(dom.root(), limits.elements);
      const buttons = find(dom.root(), elements).map(signs.buttonsOf);
      const isAcceptOnly = ({ accept, reject, other }: (typeof buttons)[number]) =>
        accept.length > 0 && reject.length + other.length === 0;
      return {
        isLikely: buttons.length > 0 || mentionsCookies(elements),
        isAcceptOnly: buttons.length > 0 && buttons.every(isAcceptOnly),
      };
    },
  };
}
