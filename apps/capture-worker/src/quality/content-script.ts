/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

import { composeScript } from '../compose-script.ts';
import { type ClosedRoots, closedRoots } from '../page/look/closed-roots.ts';
import type { MatchWorld } from '../page/match-world.ts';

/** The part of the page that the file shows. `page` is all of it. */
export type ShownArea =
  | { kind: 'viewport' | 'page' }
  | { kind: 'clip'; x: number; y: number; width: number; height: number }
  | { kind: 'selector'; selector: string };

export interface ContentInput {
  area: ShownArea;
  /** URLs whose requests failed or are pending. */
  missing: readonly string[];
  /** URLs that the client asked to block. */
  excused: readonly string[];
  /** Kinds that the client asked to block. */
  excusedKinds: readonly string[];
  limits: { nodes: number; ms: number; characters: number };
  /** Asks for closed shadow roots; see `trackWork`. */
  workEvent: string;
}

export interface ContentFacts {
  /** Visible characters in the area, up to the limit. */
  text: number;
  /** The first visible text of the page. */
  sample: string;
  /** Images, drawings, frames and controls in the area that can be seen. */
  marks: number;
  /** Whether style sheets draw something in the area: lines, boxes, backgrounds, text. What turns without an end does not count. */
  drawn: boolean;
  /** URLs of images, style sheets and frames in the area that did not arrive. */
  missing: string[];
  /** Whether visible text waits for its font, or has lost it. */
  fonts: boolean;
  /** Whether the part of the page that is for its content has none. */
  emptyMain: boolean;
}

/** Reads what the page shows in an area, and what of it is missing. Bounded by `limits`, and a few milliseconds for most pages. */
export const readContent = composeScript<ContentInput>().part('closed', closedRoots).main(readArea);

function readArea({ input, closed }: { input: ContentInput; closed: ClosedRoots }): ContentFacts {
  const { area, missing, excused, excusedKinds, limits } = input;
  const emptyMain = isMainEmpty();
  const facts: ContentFacts = {
    ...{ text: 0, sample: '', marks: 0, drawn: false, missing: [], fonts: false },
    emptyMain,
  };
  const end = performance.now() + limits.ms;
  const missingUrls = new Set(missing);
  const excusedUrls = new Set(excused);
  const root = document.documentElement;
  const shown = shownBox();
  const turning = turningElements();
  const brokenFonts = excusedKinds.includes('font') ? new Set<string>() : familiesWithoutFont();
  let nodes = 0;

  function shownBox(): { left: number; top: number; right: number; bottom: number } {
    if (area.kind === 'selector') {
      const match = (globalThis as MatchWorld).captureMatch?.(area.selector);
      if (match) return match.box;
    }
    if (area.kind === 'clip') {
      const [left, top] = [area.x - scrollX, area.y - scrollY];
      return { left, top, right: left + area.width, bottom: top + area.height };
    }
    if (area.kind !== 'page') return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const width = Math.max(innerWidth, root.scrollWidth);
    return { left: -scrollX, top: -scrollY, right: width - scrollX, bottom: root.scrollHeight - scrollY };
  }

  /** Families with a face that is loading or has failed, and none that has loaded. */
  function familiesWithoutFont(): Set<string> {
    const nameOf = (family: string) =>
      family
        .trim()
        .replace(/^["']|["']$/g, '')
        .toLowerCase();
    const broken = new Set<string>();
    const loaded = new Set<string>();
    for (const face of [...document.fonts].slice(0, 500)) {
      if (face.status === 'loaded') loaded.add(nameOf(face.family));
      const isLate = face.status === 'loading' && face.display !== 'optional';
      if (face.status === 'error' || isLate) broken.add(nameOf(face.family));
    }
    for (const name of loaded) broken.delete(name);
    return broken;
  }

  function isMainEmpty(): boolean {
    const mains = [...document.querySelectorAll('main, [role="main"]')];
    const parts = mains.length > 0 ? mains : [...document.querySelectorAll('#root, #app, #__next, #__nuxt')];
    const holdsShadow = (part: Element) => [part, ...part.querySelectorAll('*')].some((each) => each.shadowRoot);
    const has = 'img, svg, canvas, video, iframe, object, embed, input';
    const isFull = (part: Element) => part.textContent?.trim() || part.querySelector(has) || holdsShadow(part);
    return parts.length > 0 && !parts.some(isFull);
  }

  function intersects({ left, top, right, bottom }: DOMRect, box = shown): boolean {
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  }

  function isSeen(element: Element): boolean {
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  }

  /** Whether no ancestor clips it away, as carousels do. */
  function isUnclipped(element: Element, box: DOMRect): boolean {
    for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement) {
      const style = getComputedStyle(parent);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      if (parent !== document.body && !intersects(box, parent.getBoundingClientRect())) return false;
    }
    return true;
  }

  function isShown(element: Element, least: number): boolean {
    const box = element.getBoundingClientRect();
    return box.width >= least && box.height >= least && intersects(box) && isSeen(element);
  }

  /** Elements that move without an end. */
  function turningElements(): Set<Element> {
    const found = new Set<Element>();
    for (const { effect } of document.getAnimations().slice(0, 1_000)) {
      const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      if (isEndless && effect instanceof KeyframeEffect && effect.target) found.add(effect.target);
    }
    return found;
  }

  function isTurning(element: Element): boolean {
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
      if (turning.has(each)) return true;
    }
    return false;
  }

  /** Whether it is something small that only says that the page loads. */
  function isSpinner(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    if (width > 150 || height > 150) return false;
    const names = `${element.id} ${element.getAttribute('class')} ${element.getAttribute('src')?.slice(0, 500)}`;
    const isNamed = /(^|[^a-z])(spinner|(pre)?loader|loading)([^a-z]|$)/i.test(names);
    const parts = 'animate[repeatCount="indefinite"], animateTransform[repeatCount="indefinite"]';
    const turns = () => [element, ...element.querySelectorAll('*')].some((each) => turning.has(each));
    return isNamed || isTurning(element) || element.querySelector(parts) !== null || turns();
  }

  /** Whether its style draws something, with or without text. */
  function isDrawn(element: Element): boolean {
    if (element === root || element === document.body || !isShown(element, 0.5) || isSpinner(element)) return false;
    const isVisible = (colour: string) => !/^rgba\(.*, 0\)$|^transparent$/.test(colour);
    const style = getComputedStyle(element);
    const borders = ['top', 'right', 'bottom', 'left'].some(
      (side) =>
        Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) > 0 &&
        isVisible(style.getPropertyValue(`border-${side}-color`)),
    );
    if (borders || isVisible(style.backgroundColor) || style.backgroundImage !== 'none') return true;
    if (style.boxShadow !== 'none') return true;
    return ['::before', '::after'].some((part) => /^".*[^\s"].*"/.test(getComputedStyle(element, part).content));
  }

  function noteMissing(element: Element, url: string, least: number): void {
    if (facts.missing.length >= 50 || excusedUrls.has(url) || !isShown(element, least)) return;
    if (isUnclipped(element, element.getBoundingClientRect())) facts.missing.push(url.slice(0, 2_000));
  }

  function readImage(image: HTMLImageElement): void {
    const url = image.currentSrc || image.src;
    if (image.complete && (image.naturalWidth > 0 || url === '')) {
      if (isShown(image, 4) && !isSpinner(image)) facts.marks += 1;
    } else if (!excusedKinds.includes('image')) {
      // A drawing may have no size of its own.
      const isDrawing = image.complete && /^data:image\/svg|\.svg([?#]|$)/.test(url) && !missingUrls.has(url);
      // One that is on its way may have no size until it arrives.
      const isUnsized = !image.complete && image.offsetHeight < 8 && image.height !== 1 && missingUrls.has(url);
      if (!isDrawing) noteMissing(image, url, isUnsized ? 0 : 8);
    }
  }

  function readElement(element: Element): void {
    const name = element.localName;
    if (name === 'img') readImage(element as HTMLImageElement);
    else if (name === 'iframe' || name === 'frame') {
      const url = (element as HTMLIFrameElement).src;
      if (missingUrls.has(url)) noteMissing(element, url, 50);
      else if (isShown(element, 16)) facts.marks += 1;
    } else if (/^(svg|canvas|video|object|embed|input|textarea|select|button|progress|meter|math)$/.test(name)) {
      if (isShown(element, 4) && !(name === 'svg' && isSpinner(element))) facts.marks += 1;
    }
    // Where an application shows nothing of its own, a line below its header is no content.
    if (!facts.drawn && !emptyMain && facts.text === 0 && facts.marks === 0) facts.drawn = isDrawn(element);
    if (missingUrls.size > 0 && !excusedKinds.includes('image')) {
      if (name === 'image') noteFailed(element, (element as SVGImageElement).href?.baseVal ?? '');
      for (const part of [undefined, '::before', '::after']) {
        const { backgroundImage, content } = getComputedStyle(element, part);
        // A part without content is not drawn.
        if (!backgroundImage.includes('url(') || (part && content === 'none')) continue;
        for (const [, url = ''] of backgroundImage.slice(0, 10_000).matchAll(/url\("([^"]+)"\)/g)) {
          noteFailed(element, url);
        }
      }
    }
  }

  function noteFailed(element: Element, text: string): void {
    const url = URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI).href : '';
    if (missingUrls.has(url)) noteMissing(element, url, 8);
  }

  function readText(node: Text): void {
    const text = node.data.trim();
    const parent = node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host;
    if (text === '' || !parent || !isSeen(parent)) return;
    const style = getComputedStyle(parent);
    if (/^rgba\(.*, 0\)$/.test(style.color) && style.backgroundClip !== 'text') return;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    if (facts.sample.length < limits.characters) facts.sample += `${text.slice(0, limits.characters)} `;
    if (!intersects(box)) return;
    facts.text += text.length;
    const family = style.fontFamily.split(',', 1)[0] ?? '';
    if (
      brokenFonts.has(
        family
          .trim()
          .replace(/^["']|["']$/g, '')
          .toLowerCase(),
      )
    )
      facts.fonts = true;
  }

  function isEnough(): boolean {
    nodes += 1;
    return nodes > limits.nodes || (nodes % 50 === 0 && performance.now() > end);
  }

  function walk(top: Node): void {
    const skipped = /^(script|style|noscript|template|head)$/;
    const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      const isSkipped = node instanceof Element && skipped.test(node.localName);
      return isSkipped ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
    });
    for (let node = walker.nextNode(); node && !isEnough(); node = walker.nextNode()) {
      if (node instanceof Element) {
        readElement(node);
        if (node.shadowRoot) walk(node.shadowRoot);
      } else if (facts.text < limits.characters || (brokenFonts.size > 0 && !facts.fonts)) readText(node as Text);
    }
  }

  if (missingUrls.size > 0 && !excusedKinds.includes('stylesheet')) {
    for (const link of [...document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet" i]')].slice(0, 200)) {
      const applies = !link.disabled && (link.media === '' || matchMedia(link.media).matches);
      if (applies && missingUrls.has(link.href) && !excusedUrls.has(link.href)) facts.missing.push(link.href);
    }
  }
  readElement(root);
  walk(root);
  for (const root of closed.closedRootsOf(document)) walk(root);
  facts.sample = facts.sample.slice(0, limits.characters);
  return facts;
}
