import { closedRootsOf } from '../dom/closed-roots.ts';
import { familiesWithoutFont, firstFamily } from './fonts.ts';
import { intersects, isSeen, isUnclipped, type ShownArea, shownBox } from './shown-box.ts';
import { TurningElements } from './turning.ts';

export interface ContentInput {
  area: ShownArea;
  /** URLs whose requests failed or are pending. */
  missing: readonly string[];
  /** URLs that the client asked to block. */
  excused: readonly string[];
  /** Kinds of resources that the client asked to block. */
  excusedKinds: readonly string[];
  /** `ms`: milliseconds. */
  limits: { nodes: number; ms: number; characters: number };
  /** The event by which closed shadow roots are asked for. */
  workEvent: string;
}

export interface ContentFacts {
  /** Visible characters in the area, up to the limit. */
  text: number;
  /** The first visible text of the page. */
  sample: string;
  /** Images, drawings, frames and controls in the area that can be seen. */
  marks: number;
  /** Whether style sheets draw something in the area: lines, boxes, backgrounds, text. Endless animations do not count. */
  drawn: boolean;
  /** URLs of images, style sheets and frames in the area that did not arrive. */
  missing: string[];
  /** Whether visible text waits for its font, or has lost the font. */
  fonts: boolean;
  /** Whether the part of the page that is for its content has none. */
  emptyMain: boolean;
}

/** Reads what the page shows in an area, and which of its resources are missing. Takes some milliseconds for most pages. */
export function readContent(input: ContentInput): ContentFacts {
  const reader = new ContentReader(input);
  reader.readStyleSheets();
  reader.readElement(document.documentElement);
  reader.walk(document.documentElement);
  for (const root of closedRootsOf(document, input.workEvent)) reader.walk(root);
  const { facts } = reader;
  return { ...facts, sample: facts.sample.slice(0, input.limits.characters) };
}

const controls = /^(svg|canvas|video|object|embed|input|textarea|select|button|progress|meter|math)$/;
const skipped = /^(script|style|noscript|template|head)$/;

const missingAtMost = 50;

class ContentReader {
  readonly facts: ContentFacts = {
    text: 0,
    sample: '',
    marks: 0,
    drawn: false,
    missing: [],
    fonts: false,
    emptyMain: isMainEmpty(),
  };
  readonly #limits: ContentInput['limits'];
  readonly #shown;
  readonly #missing: ReadonlySet<string>;
  readonly #excused: ReadonlySet<string>;
  readonly #excusedKinds: readonly string[];
  readonly #brokenFonts: ReadonlySet<string>;
  readonly #turning = new TurningElements();
  readonly #end: number;
  #nodes = 0;

  constructor({ area, missing, excused, excusedKinds, limits }: ContentInput) {
    this.#limits = limits;
    this.#end = performance.now() + limits.ms;
    this.#missing = new Set(missing);
    this.#excused = new Set(excused);
    this.#excusedKinds = excusedKinds;
    this.#shown = shownBox(area);
    this.#brokenFonts = excusedKinds.includes('font') ? new Set() : familiesWithoutFont();
  }

  readStyleSheets(): void {
    if (this.#missing.size === 0 || this.#excusedKinds.includes('stylesheet')) return;
    const links = document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i]');
    for (const { disabled, media, href } of [...links].slice(0, 200)) {
      const applies = !disabled && (media === '' || matchMedia(media).matches);
      if (applies && this.#missing.has(href) && !this.#excused.has(href)) this.facts.missing.push(href);
    }
  }

  walk(top: Node): void {
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      const isSkipped = node instanceof Element && skipped.test(node.localName);
      return isSkipped ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    });
    for (let node = walker.nextNode(); node && !this.#isEnough(); node = walker.nextNode()) {
      if (node instanceof Element) {
        this.readElement(node);
        if (node.shadowRoot) this.walk(node.shadowRoot);
      } else if (this.#needsText()) this.#readText(node as Text);
    }
  }

  readElement(element: Element): void {
    const name = element.localName;
    if (name === 'img') this.#readImage(element as HTMLImageElement);
    else if (name === 'iframe' || name === 'frame') this.#readFrame(element as HTMLIFrameElement);
    else if (controls.test(name) && this.#isShown(element, 4)) {
      if (!(name === 'svg' && this.#turning.isSpinner(element))) this.facts.marks += 1;
    }
    const { drawn, emptyMain, text, marks } = this.facts;
    // Where an application shows nothing but its header, a line below the header is no content.
    if (!drawn && !emptyMain && text === 0 && marks === 0) this.facts.drawn = this.#isDrawn(element);
    if (this.#missing.size > 0 && !this.#excusedKinds.includes('image')) this.#readBackgrounds(element);
  }

  #isEnough(): boolean {
    this.#nodes += 1;
    return this.#nodes > this.#limits.nodes || (this.#nodes % 50 === 0 && performance.now() > this.#end);
  }

  #needsText(): boolean {
    return this.facts.text < this.#limits.characters || (this.#brokenFonts.size > 0 && !this.facts.fonts);
  }

  #isShown(element: Element, least: number): boolean {
    const box = element.getBoundingClientRect();
    return box.width >= least && box.height >= least && intersects(box, this.#shown) && isSeen(element);
  }

  #readImage(image: HTMLImageElement): void {
    const url = image.currentSrc || image.src;
    if (image.complete && (image.naturalWidth > 0 || url === '')) {
      if (this.#isShown(image, 4) && !this.#turning.isSpinner(image)) this.facts.marks += 1;
      return;
    }
    if (this.#excusedKinds.includes('image')) return;
    const isMissing = this.#missing.has(url);
    // A drawing may say no size.
    const isDrawing = image.complete && /^data:image\/svg|\.svg([?#]|$)/.test(url) && !isMissing;
    // An image may have no size until it arrives.
    const isUnsized = !image.complete && image.offsetHeight < 8 && image.height !== 1 && isMissing;
    if (!isDrawing) this.#noteMissing(image, url, isUnsized ? 0 : 8);
  }

  #readFrame(frame: HTMLIFrameElement): void {
    if (this.#missing.has(frame.src)) this.#noteMissing(frame, frame.src, 50);
    else if (this.#isShown(frame, 16)) this.facts.marks += 1;
  }

  #readBackgrounds(element: Element): void {
    if (element.localName === 'image') this.#noteFailed(element, (element as SVGImageElement).href?.baseVal ?? '');
    for (const part of [undefined, '::before', '::after']) {
      const { backgroundImage, content } = getComputedStyle(element, part);
      // A part without content is not drawn.
      if (!backgroundImage.includes('url(') || (part && content === 'none')) continue;
      for (const [, url = ''] of backgroundImage.slice(0, 10_000).matchAll(/url\("([^"]+)"\)/g)) {
        this.#noteFailed(element, url);
      }
    }
  }

  #noteFailed(element: Element, text: string): void {
    const url = URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : '';
    if (this.#missing.has(url)) this.#noteMissing(element, url, 8);
  }

  #noteMissing(element: Element, url: string, least: number): void {
    const { missing } = this.facts;
    if (missing.length >= missingAtMost || this.#excused.has(url) || !this.#isShown(element, least)) return;
    if (isUnclipped(element, element.getBoundingClientRect())) missing.push(url.slice(0, 2_000));
  }

  #readText(node: Text): void {
    const text = node.data.trim();
    const parent = node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host;
    if (text === '' || !parent || !isSeen(parent)) return;
    const style = getComputedStyle(parent);
    if (/^rgba\(.*, 0\)$/.test(style.color) && style.backgroundClip !== 'text') return;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    const { characters } = this.#limits;
    if (this.facts.sample.length < characters) this.facts.sample += `${text.slice(0, characters)} `;
    if (!intersects(box, this.#shown)) return;
    this.facts.text += text.length;
    if (this.#brokenFonts.has(firstFamily(style.fontFamily))) this.facts.fonts = true;
  }

  /** Whether the style of an element draws something, with or without text. */
  #isDrawn(element: Element): boolean {
    if (element === document.documentElement || element === document.body) return false;
    if (!this.#isShown(element, 0.5) || this.#turning.isSpinner(element)) return false;
    const style = getComputedStyle(element);
    if (hasBorder(style) || isVisibleColor(style.backgroundColor)) return true;
    if (style.backgroundImage !== 'none' || style.boxShadow !== 'none') return true;
    return ['::before', '::after'].some((part) => /^".*[^\s"].*"/.test(getComputedStyle(element, part).content));
  }
}

function isMainEmpty(): boolean {
  const mains = [...document.querySelectorAll('main, [role="main"]')];
  const parts = mains.length > 0 ? mains : [...document.querySelectorAll('#root, #app, #__next, #__nuxt')];
  return parts.length > 0 && !parts.some(isFilled);
}

function isFilled(part: Element): boolean {
  const filling = 'img, svg, canvas, video, iframe, object, embed, input';
  if (part.textContent?.trim() || part.querySelector(filling)) return true;
  return [part, ...part.querySelectorAll('*')].some((each) => each.shadowRoot);
}

function hasBorder(style: CSSStyleDeclaration): boolean {
  return ['top', 'right', 'bottom', 'left'].some((side) => {
    const width = Number.parseFloat(style.getPropertyValue(`border-${side}-width`));
    return width > 0 && isVisibleColor(style.getPropertyValue(`border-${side}-color`));
  });
}

function isVisibleColor(color: string): boolean {
  return !/^rgba\(.*, 0\)$|^transparent$/.test(color);
}
