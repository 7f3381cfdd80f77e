import { attribute, descendants, isRendered, matches, pageBody, renderedText, tagName } from '../dom/elements.ts';
import { state } from '../state/page-state.ts';
import { bannerNames } from './names.ts';
import { bannerWords } from './words.ts';

/** Recognizes a cookie banner by its words, buttons and names. */

/** What the elements from a text outwards say about a banner, besides its text. */
export interface Surroundings {
  /** Whether an element has the name of a banner, or of a consent platform. */
  isNamed: boolean;
  isPlatform: boolean;
  /** The paragraph that mentions cookies or privacy, in lower case. */
  block: string;
}

function compile<Key extends string>(sources: Record<Key, string>): Record<Key, RegExp> {
  const compiled = Object.entries<string>(sources).map(([key, source]) => [key, new RegExp(source, 'iu')]);
  return Object.fromEntries(compiled) as Record<Key, RegExp>;
}

export const words = compile(bannerWords);
const names = compile(bannerNames);

/** How many elements of a box are examined, and how many buttons. */
const examinedAtMost = 3_000;
const buttonsAtMost = 300;

function namesOf(element: Element): string[] {
  const values = ['id', 'class', 'data-testid', 'name'].flatMap((name) =>
    attribute(element, name).slice(0, 300).split(/\s+/),
  );
  const labels = [attribute(element, 'aria-label'), attribute(element, 'title')];
  return [tagName(element), ...values, ...labels].filter((name) => name.length > 1 && name.length < 80);
}

export function hasName(element: Element, pattern: keyof typeof bannerNames): boolean {
  return namesOf(element).some((name) => names[pattern].test(name));
}

export function isPlatform(element: Element): boolean {
  return hasName(element, 'platform');
}

export function isNamed(element: Element): boolean {
  const known = state.banners?.known;
  return namesOf(element).some((name) => known?.has(name) || names.banner.test(name));
}

export interface Buttons {
  accept: Element[];
  reject: Element[];
  other: Element[];
  /** The number of links. */
  links: number;
}

const clickable = 'button, a, [role="button"], input[type="button"], input[type="submit"], [onclick], [tabindex="0"]';

export function findButtons(element: Element): Buttons {
  const found: Buttons = { accept: [], reject: [], other: [], links: 0 };
  const near = descendants(element, examinedAtMost).filter((each) => matches(each, clickable));
  for (const button of near.slice(0, buttonsAtMost)) {
    if (!isRendered(button)) continue;
    if (tagName(button) === 'a') found.links += 1;
    const kind = buttonKind(button);
    if (kind) found[kind].push(button);
  }
  return found;
}

function buttonKind(button: Element): 'accept' | 'reject' | 'other' | null {
  const label = labelOf(button);
  // A sentence with a link is no button.
  if (label === '' || label.length > 60) return null;
  const kinds = ['accept', 'reject', 'other'] as const;
  const kind = kinds.find((each) => words[each].test(label)) ?? null;
  // A link to a policy: "Privacy and consent".
  const isPolicy = tagName(button) === 'a' && words.cookies.test(label) && kind === 'other';
  return isPolicy ? null : kind;
}

function labelOf(button: Element): string {
  const value = button instanceof HTMLInputElement ? attribute(button, 'value') : '';
  const label = renderedText(button, 100) || value || attribute(button, 'aria-label') || attribute(button, 'title');
  return label.toLowerCase().trim();
}

function isForm(element: Element): boolean {
  const fields = 'input[type="email"], input[type="password"], input[type="tel"], [autocomplete^="cc-"], textarea';
  return descendants(element, examinedAtMost).some((each) => matches(each, fields) && isRendered(each));
}

/** Whether the element is, or holds, the content of the page. */
export function holdsPage(element: Element): boolean {
  const parts = 'main, [role="main"], article, nav, [role="navigation"]';
  const isPart = matches(element, 'html, body, main, [role="main"], article, nav');
  return isPart || descendants(element, examinedAtMost).some((each) => matches(each, parts) && isRendered(each));
}

/** Whether an element that looks like a popup, or has a banner's name, is a cookie banner. */
export function isBanner(element: Element, surroundings: Surroundings): boolean {
  const { isNamed: hasBannerName, isPlatform: isKnown } = surroundings;
  const text = renderedText(element, 30_000).toLowerCase();
  if (text.length > (hasBannerName || isKnown ? 29_000 : 4_000)) return false;
  if (!words.cookies.test(text) && !words.privacy.test(text)) return false;
  if (!isKnown && (holdsPage(element) || isForm(element))) return false;
  const buttons = findButtons(element);
  if (isKnown) return countButtons(buttons) > 0 || text.length > 60;
  return decide({ element, text, buttons, ...surroundings });
}

function countButtons({ accept, reject, other }: Buttons): number {
  return accept.length + reject.length + other.length;
}

/** Decides for an element that no consent platform has named. */
function decide({
  element,
  text,
  buttons: { accept, reject, other, links },
  isNamed: hasBannerName,
  block,
}: { element: Element; text: string; buttons: Buttons } & Surroundings): boolean {
  const saysCookies = words.cookies.test(text);
  const saysPurpose = words.purposes.test(text);
  const choices = accept.length + reject.length;
  if (words.food.test(text) && choices === 0 && !words.privacy.test(text)) return false;
  if (hasBannerName) {
    if (choices === 0 && words.offers.test(text)) return false;
    const isGate = words.age.test(text) && !saysCookies;
    if (!isGate) return choices > 0 || (other.length > 0 && saysPurpose) || (saysPurpose && text.length > 60);
  }
  if (words.age.test(text) || hasName(element, 'chat') || links > 25) return false;
  if (!isSentence(block, text)) return false;
  if (saysCookies && choices > 0) return true;
  if (words.offers.test(text)) return false;
  if (saysCookies) return other.length > 0 && links <= 5 && words.purposes.test(block);
  // Terms of use have two buttons as well, but no partners.
  return accept.length > 0 && reject.length + other.length > 0 && saysPurpose && !/terms|agb\b/.test(text);
}

/** Scripts without spaces say the same in fewer characters. */
function isSentence(block: string, text: string): boolean {
  return block.length >= (/[\u3000-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(text) ? 8 : 20);
}

/** Whether the document, in a frame, is a consent dialog. */
export function isConsentDocument(): boolean {
  const body = pageBody();
  if (!body) return false;
  const text = renderedText(body, 10_000).toLowerCase();
  const { accept, reject } = findButtons(body);
  const isAbout = words.cookies.test(text) || (words.privacy.test(text) && words.purposes.test(text));
  const isOther = words.age.test(text) || isForm(body) || hasName(body, 'chat');
  return isAbout && text.length < 9_000 && accept.length + reject.length > 0 && !isOther;
}

export function isConsentFrame(frame: Element): boolean {
  const src = attribute(frame, 'src');
  if (hasName(frame, 'platform') || hasName(frame, 'banner')) return true;
  return URL.canParse(src, location.href) && names.host.test(new URL(src, location.href).host);
}
