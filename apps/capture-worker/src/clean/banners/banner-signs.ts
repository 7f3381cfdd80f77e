/// <reference lib="dom" />
import type { BannerNames } from './banner-names.ts';
import type { BannerWords } from './banner-words.ts';
import type { DomTools } from './dom-tools.ts';

/** See `bannerSigns`. */
export type BannerSigns = ReturnType<typeof bannerSigns>;

/** What the script gets to know. */
export interface BannerInput {
  names: BannerNames;
  words: BannerWords;
  /** Ids and classes of banners. */
  known: string[];
}

/** What is known of a banner besides its text. */
export interface Surroundings {
  /** Whether an element from the text outwards has the name of a banner, or of a consent platform. */
  isNamed: boolean;
  isPlatform: boolean;
  /** The paragraph that mentions cookies or privacy, in lower case. */
  block: string;
}

/** Recognizes a cookie banner by its words, buttons and names. Runs in the page, as text (see `bannerScript`). */
export function bannerSigns({ input, dom }: { input: BannerInput; dom: DomTools }) {
  const words = Object.fromEntries(
    Object.entries(input.words).map(([key, source]) => [key, new RegExp(source, 'iu')]),
  ) as Record<keyof BannerWords, RegExp>;
  const names = Object.fromEntries(
    Object.entries(input.names).map(([key, source]) => [key, new RegExp(source, 'iu')]),
  ) as Record<keyof BannerNames, RegExp>;
  const knownNames = new Set(input.known);

  const namesOf = (element: Element): string[] => {
    const values = ['id', 'class', 'data-testid', 'name'].flatMap((name) =>
      dom.attribute(element, name).slice(0, 300).split(/\s+/),
    );
    const labels = [dom.attribute(element, 'aria-label'), dom.attribute(element, 'title')];
    return [dom.nameOf(element), ...values, ...labels].filter((name) => name.length > 1 && name.length < 80);
  };
  const hasName = (element: Element, pattern: keyof BannerNames) =>
    namesOf(element).some((name) => names[pattern].test(name));
  const isPlatform = (element: Element) => hasName(element, 'platform');
  const isNamed = (element: Element) =>
    namesOf(element).some((name) => knownNames.has(name) || names.banner.test(name));

  const clickable = 'button, a, [role="button"], input[type="button"], input[type="submit"], [onclick], [tabindex="0"]';
  const labelOf = (button: Element): string => {
    const value = button instanceof HTMLInputElement ? dom.attribute(button, 'value') : '';
    return (dom.textOf(button, 100) || value || dom.attribute(button, 'aria-label') || dom.attribute(button, 'title'))
      .toLowerCase()
      .trim();
  };
  const buttonsOf = (element: Element) => {
    const found: Record<'accept' | 'reject' | 'other', Element[]> = { accept: [], reject: [], other: [] };
    let links = 0;
    const near = dom.descendants(element, 3_000).filter((each) => dom.matches(each, clickable));
    for (const button of near.slice(0, 300)) {
      if (!dom.isRendered(button)) continue;
      const label = labelOf(button);
      if (dom.nameOf(button) === 'a') links += 1;
      // A sentence with a link is no button.
      if (label === '' || label.length > 60) continue;
      const kinds = ['accept', 'reject', 'other'] as const;
      const kind = kinds.find((each) => words[each].test(label));
      // A link to a policy: "Privacy and consent".
      const isPolicy = dom.nameOf(button) === 'a' && words.cookies.test(label) && kind === 'other';
      if (kind && !isPolicy) found[kind].push(button);
    }
    return { ...found, links };
  };

  const isForm = (element: Element) => {
    const fields = 'input[type="email"], input[type="password"], input[type="tel"], [autocomplete^="cc-"], textarea';
    return dom.descendants(element, 3_000).some((each) => dom.matches(each, fields) && dom.isRendered(each));
  };
  const holdsPage = (element: Element) => {
    const parts = 'main, [role="main"], article, nav, [role="navigation"]';
    const own = dom.matches(element, 'html, body, main, [role="main"], article, nav');
    return own || dom.descendants(element, 3_000).some((each) => dom.matches(each, parts) && dom.isRendered(each));
  };

  /** Whether an element that looks like a popup, or has a banner's name, is a cookie banner. */
  const isBanner = (
    element: Element,
    { isNamed: hasBannerName, isPlatform: isKnown, block }: Surroundings,
  ): boolean => {
    const text = dom.textOf(element, 30_000).toLowerCase();
    if (text.length > (hasBannerName || isKnown ? 29_000 : 4_000)) return false;
    const saysCookies = words.cookies.test(text);
    const saysPrivacy = words.privacy.test(text);
    if (!saysCookies && !saysPrivacy) return false;
    if (!isKnown && (holdsPage(element) || isForm(element))) return false;
    const { accept, reject, other, links } = buttonsOf(element);
    const buttons = accept.length + reject.length + other.length;
    if (isKnown) return buttons > 0 || text.length > 60;
    const strong = accept.length + reject.length;
    const saysPurpose = words.purposes.test(text);
    if (words.food.test(text) && strong === 0 && !saysPrivacy) return false;
    const isGate = words.age.test(text) && !saysCookies;
    if (hasBannerName && strong === 0 && words.offers.test(text)) return false;
    if (hasBannerName && !isGate)
      return strong > 0 || (other.length > 0 && saysPurpose) || (saysPurpose && text.length > 60);
    if (words.age.test(text) || hasName(element, 'chat') || links > 25) return false;
    const isSentence = block.length >= (/[\u3000-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(text) ? 8 : 20);
    if (!isSentence) return false;
    if (saysCookies && strong > 0) return true;
    if (words.offers.test(text)) return false;
    if (saysCookies) return other.length > 0 && links <= 5 && words.purposes.test(block);
    // Terms of use have two buttons as well, but no partners.
    return accept.length > 0 && reject.length + other.length > 0 && saysPurpose && !/terms|agb\b/.test(text);
  };

  /** Whether the document of a frame is a consent dialog. */
  const isConsentDocument = (body: Element): boolean => {
    const text = dom.textOf(body, 10_000).toLowerCase();
    const { accept, reject } = buttonsOf(body);
    const isAbout = words.cookies.test(text) || (words.privacy.test(text) && words.purposes.test(text));
    const isOther = words.age.test(text) || isForm(body) || hasName(body, 'chat');
    return isAbout && text.length < 9_000 && accept.length + reject.length > 0 && !isOther;
  };

  const isConsentFrame = (frame: Element): boolean => {
    const src = dom.attribute(frame, 'src');
    if (hasName(frame, 'platform') || hasName(frame, 'banner')) return true;
    return URL.canParse(src, location.href) && names.host.test(new URL(src, location.href).host);
  };

  return { words, hasName, isNamed, isPlatform, holdsPage, isBanner, buttonsOf, isConsentFrame, isConsentDocument };
}
