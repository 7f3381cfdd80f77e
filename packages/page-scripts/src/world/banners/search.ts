import {
  childElements,
  contains,
  descendants,
  drawnParent,
  hasArea,
  isRendered,
  isShown,
  matches,
  pageBody,
  pageRoot,
  renderedText,
  shadowRoot,
  tagName,
} from '../dom/elements.ts';
import { boxAround, hasChoice, isBar, isMostlyBanner, isNotice, isOverlay, isRoot, outermostBox } from './boxes.ts';
import {
  type Buttons,
  findButtons,
  isBanner,
  isConsentFrame,
  isNamed,
  isPlatform,
  type Surroundings,
  words,
} from './signs.ts';

/**
 * Finds the banners of a document: from text about cookies or privacy outwards to the box that holds the text, and from frames
 * of consent platforms.
 */

const limits = { elements: 30_000, texts: 300, ancestors: 40, banners: 10 };

const about = new RegExp(`${words.cookies.source}|${words.privacy.source}`, 'iu');

/** What is known about an element, while one search goes on. */
interface Facts {
  isOverlay: boolean;
  isNamed: boolean;
  isPlatform: boolean;
  isNotice: boolean;
  /** By surroundings, whether the element is a banner. */
  decisions: Map<string, boolean>;
}

type Memory = Map<Element, Facts>;

/** @param root where to search: the root element, or an element that has changed. */
export function findBanners(root: Element, elements = descendants(root, limits.elements)): Element[] {
  const memory: Memory = new Map();
  const banners = new Set<Element>();
  for (const text of findTexts(root, elements)) {
    if (banners.size >= limits.banners) break;
    if ([...banners].some((banner) => contains(banner, text))) continue;
    const banner = isRendered(text) ? bannerAround(text, memory) : null;
    if (banner) banners.add(outermostBox(banner));
  }
  for (const box of findWordless(root, [root, ...elements])) if (banners.size < limits.banners) banners.add(box);
  const isInner = (banner: Element) => [...banners].some((each) => each !== banner && contains(each, banner));
  return [...banners].filter((banner) => !isInner(banner));
}

/** Whether a banner may be there, and whether an accept button is the only choice. */
export function findHints(): { isLikely: boolean; isAcceptOnly: boolean } {
  const elements = descendants(pageRoot(), limits.elements);
  const buttons = findBanners(pageRoot(), elements).map(findButtons);
  const isAcceptOnly = ({ accept, reject, other }: Buttons) => accept.length > 0 && reject.length + other.length === 0;
  return {
    isLikely: buttons.length > 0 || mentionsCookies(elements),
    isAcceptOnly: buttons.length > 0 && buttons.every(isAcceptOnly),
  };
}

/** Whether something over the page mentions cookies and has a choice: a banner that only a rule knows. */
function mentionsCookies(elements: Element[]): boolean {
  return findTexts(pageRoot(), elements, words.cookies).some((text) => {
    let steps = 0;
    for (let each: Element | null = text; each && !isRoot(each) && steps < limits.ancestors; steps += 1) {
      if (isOverlay(each)) return isRendered(each) && hasChoice(each);
      each = drawnParent(each);
    }
    return false;
  });
}

/** The elements with text about cookies or privacy. */
function findTexts(root: Element, elements: Element[], pattern = about): Element[] {
  const found = new Set<Element>();
  for (const each of [root, ...[root, ...elements].flatMap((element) => shadowRoot(element) ?? [])]) {
    const walker = Document.prototype.createTreeWalker.call(document, each, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(), n = 0; node && n < limits.elements; node = walker.nextNode(), n += 1) {
      if (found.size >= limits.texts) break;
      if (!pattern.test((node as Text).data.slice(0, 5_000))) continue;
      const parent = drawnParent(node);
      if (parent && !/^(?:script|style|noscript)$/.test(tagName(parent))) found.add(parent);
    }
  }
  return [...found];
}

/** The banner that a text belongs to; null if there is none. */
function bannerAround(text: Element, memory: Memory): Element | null {
  const surroundings: Surroundings = { isNamed: false, isPlatform: false, block: '' };
  let link: Element | null = null;
  let steps = 0;
  for (let each: Element | null = text; each && !isRoot(each); each = drawnParent(each)) {
    steps += 1;
    if (steps > limits.ancestors) return null;
    const facts = factsOf(each, memory);
    surroundings.isPlatform ||= facts.isPlatform;
    surroundings.isNamed ||= facts.isNamed;
    if (tagName(each) === 'a') link = each;
    if (surroundings.block === '' && !isPartOfText(each)) surroundings.block = blockText(each, link);
    if (!facts.isOverlay && !facts.isNamed && !facts.isNotice) continue;
    const key = JSON.stringify(surroundings);
    const isFound = facts.decisions.get(key) ?? isBox(each, text, facts.isOverlay, surroundings);
    facts.decisions.set(key, isFound);
    if (isFound) return each;
  }
  return null;
}

function factsOf(element: Element, memory: Memory): Facts {
  const known = memory.get(element);
  if (known) return known;
  const platform = isPlatform(element);
  const named = platform || isNamed(element);
  const overlay = isOverlay(element);
  const notice = !overlay && !named && isNotice(element);
  const facts = { isOverlay: overlay, isPlatform: platform, isNamed: named, isNotice: notice, decisions: new Map() };
  memory.set(element, facts);
  return facts;
}

function isPartOfText(element: Element): boolean {
  return /^inline|^contents/.test(getComputedStyle(element).display) || matches(element, 'h1, h2, h3, h4, h5');
}

/** The text of a block in lower case. A list of links says nothing. */
function blockText(block: Element, link: Element | null): string {
  const text = renderedText(block, 500).toLowerCase();
  const isLink = link !== null && renderedText(link, 500).length > text.length * 0.8;
  return isLink ? ' ' : text;
}

function isBox(element: Element, text: Element, isOver: boolean, surroundings: Surroundings): boolean {
  return (
    (hasArea(element) || descendants(element, 300).some(hasArea)) &&
    isShown(element) &&
    (isOver || isBar(element)) &&
    isBanner(element, surroundings) &&
    isMostlyBanner(element, text, surroundings.isNamed)
  );
}

/** Banners whose text cannot be read, or is in no known language: frames, closed shadow roots, images. */
function findWordless(root: Element, elements: Element[]): Element[] {
  const frames = elements.filter((element) => tagName(element) === 'iframe' && isConsentFrame(element));
  const isHost = (element: Element) => tagName(element).includes('-') && !shadowRoot(element);
  const platforms = outerElements(root).filter(isPlatform);
  const found = [...frames, ...platforms.filter(isHost)].flatMap((element) => boxAround(element) ?? []);
  return [...found, ...platforms.filter(isWordlessBox).map(outermostBox)];
}

function isWordlessBox(element: Element): boolean {
  if (shadowRoot(element) || !hasArea(element) || !isShown(element)) return false;
  const { accept, reject, other } = findButtons(element);
  const isEmpty = childElements(element).length === 0;
  return isOverlay(element) && (isEmpty || accept.length + reject.length + other.length > 0);
}

/** The elements near the root of the document, where consent platforms add theirs. */
function outerElements(root: Element): Element[] {
  let level = root === pageRoot() ? [pageBody() ?? root] : [root];
  const found = [...level];
  for (let depth = 0; depth < 3; depth += 1) {
    level = level.flatMap((element) => [...childElements(element)].slice(0, 100)).slice(0, 300);
    found.push(...level);
  }
  return found;
}
