/// <reference lib="dom" />
/**
 * Functions that `runInPage` runs before and after the viewport grows to the height of the page. Each is sent as text, so
 * it must be self-contained; input and result are JSON.
 */

/** What `freezePage` remembers for the functions after it. */
interface Frozen {
  height: number;
  /** The inline style of an element, also of a form with a control of the name `style`. */
  styleOf: (element: Element) => CSSStyleDeclaration;
  /** Undoes what the style rules were changed to. */
  undo: (() => void)[];
  /** Elements in front of the page, with their place when nothing is scrolled. */
  placed: { element: HTMLElement; top: number; before: string[] }[];
  /** Inline styles that scripts may change when the window is resized. */
  inline: { element: HTMLElement | SVGElement; text: string }[];
  /** Canvases, with the height of the bitmap and of the box that shows it. */
  canvases: { canvas: HTMLCanvasElement; bitmap: number; box: number }[];
  freezeSheet: (sheet: CSSStyleSheet) => void;
  /** The pixel below the page. */
  rest?: HTMLElement;
}

/**
 * Fixes what depends on the height of the viewport: lengths such as `100vh`, media queries for height and orientation,
 * `height: 100%` of the root. Records what the next step has to put back.
 *
 * @param limits.elements how many elements are examined.
 * @returns the URLs of style sheets that scripts may not read; see `freezeForeignSheets`.
 */
export function freezePage({ elements }: { elements: number }): string[] {
  const world = globalThis as { captureFrozen?: Frozen };
  if (world.captureFrozen) return [];
  const { innerWidth, innerHeight } = window;
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const { prototype } = [SVGElement, MathMLElement].find((each) => element instanceof each) ?? HTMLElement;
    return Reflect.get(prototype, 'style', element);
  };
  const frozen: Frozen = { height: innerHeight, styleOf, undo: [], placed: [], inline: [], canvases: [], freezeSheet };
  world.captureFrozen = frozen;
  const units: Record<string, number> = {
    h: innerHeight / 100,
    b: innerHeight / 100,
    min: Math.min(innerWidth, innerHeight) / 100,
    max: Math.max(innerWidth, innerHeight) / 100,
  };
  const lengths = /(?<![\w#-])([+-]?(?:\d+\.?\d*|\.\d+))[dsl]?v(h|b|min|max)\b/gi;
  const fixed = (text: string) =>
    text.replace(
      lengths,
      (_, amount: string, unit: string) => `${Number(amount) * (units[unit.toLowerCase()] ?? 0)}px`,
    );
  const freezeStyle = (style: CSSStyleDeclaration) => {
    const before = style.cssText;
    const after = fixed(before);
    if (after === before) return;
    style.cssText = after;
    frozen.undo.push(() => {
      style.cssText = before;
    });
  };
  const fixedMedia = (query: string) =>
    /height|orientation|aspect-ratio/i.test(query) ? (matchMedia(query).matches ? 'all' : 'not all') : query;
  const freezeMedia = (media: MediaList) => {
    const before = media.mediaText;
    const after = fixedMedia(before);
    if (after === before) return;
    media.mediaText = after;
    frozen.undo.push(() => {
      media.mediaText = before;
    });
  };
  const unreadable: string[] = [];
  function freezeSheet(sheet: CSSStyleSheet): void {
    if (sheet.media.length > 0) freezeMedia(sheet.media);
    try {
      for (const rule of sheet.cssRules) freezeRule(rule);
    } catch {
      if (sheet.href) unreadable.push(sheet.href);
    }
  }
  const freezeRule = (rule: CSSRule) => {
    if (rule instanceof CSSImportRule) {
      if (rule.media.length > 0) freezeMedia(rule.media);
      if (rule.styleSheet) freezeSheet(rule.styleSheet);
      return;
    }
    if (rule instanceof CSSMediaRule) freezeMedia(rule.media);
    const { style, cssRules } = rule as CSSStyleRule;
    if (style) freezeStyle(style);
    for (const inner of cssRules ?? []) freezeRule(inner);
  };
  const all: Element[] = [];
  const collect = (root: Document | ShadowRoot) => {
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) freezeSheet(sheet);
    const select = (root instanceof ShadowRoot ? DocumentFragment : Document).prototype.querySelectorAll;
    for (const element of select.call(root, '*')) {
      if (all.length >= elements) return;
      all.push(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(document);

  const html = document.documentElement;
  const rootStyle = html.computedStyleMap();
  for (const name of ['height', 'min-height']) {
    if (!String(rootStyle.get(name)).includes('%')) continue;
    const style = styleOf(html);
    const before = style.cssText;
    style.setProperty(name, `${innerHeight}px`, 'important');
    frozen.undo.push(() => {
      style.cssText = before;
    });
  }
  // Without a doctype, percentages of the height are of the window's.
  const isQuirky = document.compatMode === 'BackCompat';
  const hasShare = (element: Element) => String(element.computedStyleMap().get('height')).includes('%');
  for (const element of all) {
    try {
      if (element instanceof HTMLElement || element instanceof SVGElement) freezeLengths(element);
      if (element instanceof HTMLSourceElement) freezeSource(element);
      if (element instanceof HTMLElement) rememberPlace(element);
      if (element instanceof HTMLCanvasElement) rememberShape(element);
    } catch {
      // Controls of a form hide its own properties: such a form is not frozen.
    }
  }
  return unreadable;

  /** Not undone: paper gets the image that was chosen for the screen. */
  function freezeSource(source: HTMLSourceElement): void {
    const after = fixedMedia(source.media);
    if (after !== source.media) source.media = after;
  }

  function freezeLengths(element: HTMLElement | SVGElement): void {
    const inline = styleOf(element);
    if (inline.length > 0) {
      const text = inline.cssText;
      freezeStyle(inline);
      if (/px/.test(text)) frozen.inline.push({ element, text: inline.cssText });
    }
  }

  function rememberShape(canvas: HTMLCanvasElement): void {
    const { height: box } = canvas.getBoundingClientRect();
    if (box > 0) frozen.canvases.push({ canvas, bitmap: canvas.height, box });
  }

  function rememberPlace(element: HTMLElement): void {
    if (isQuirky && (hasShare(element) || (element instanceof HTMLImageElement && element.naturalWidth === 0))) {
      styleOf(element).setProperty('height', `${element.offsetHeight}px`, 'important');
    }
    const style = getComputedStyle(element);
    const isFixed = style.position === 'fixed';
    // Placed relative to the first screen.
    const isOnScreen =
      style.position === 'absolute' && (!element.offsetParent || element.offsetParent === document.body);
    if (!isFixed && !isOnScreen) return;
    if (isOnScreen && getComputedStyle(document.body).position !== 'static') return;
    const rect = element.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) return;
    const before = ['top', 'height', 'margin-top', 'margin-bottom', 'padding-bottom'].map((name) =>
      style.getPropertyValue(name),
    );
    frozen.placed.push({ element, top: rect.top + (isFixed ? 0 : window.scrollY), before });
  }
}

/** Does for the text of a style sheet what `freezePage` does for a sheet that can be read. */
export function freezeText({ text, baseURL }: { text: string; baseURL: string }): string {
  const { captureFrozen: frozen } = globalThis as { captureFrozen?: Frozen };
  const sheet = new CSSStyleSheet({ baseURL });
  sheet.replaceSync(text);
  frozen?.freezeSheet(sheet);
  // Constructed sheets have no imports.
  const imports = text.match(/@import[^;{}]+;/gi) ?? [];
  return [...imports, ...[...sheet.cssRules].map(({ cssText }) => cssText)].join('\n');
}

/**
 * Puts elements back to their place after the viewport has grown. A background that filled the window fills the page, a bar
 * at the window's end is at the end of the page, and everything else stays where it was on the first screen.
 */
export function placeElements(): void {
  const frozen = (globalThis as { captureFrozen?: Frozen }).captureFrozen;
  if (!frozen) return;
  const { innerWidth, innerHeight: grown } = window;
  const set = (element: HTMLElement, styles: Record<string, string>) => {
    for (const [name, value] of Object.entries(styles)) frozen.styleOf(element).setProperty(name, value, 'important');
  };
  keepInlineLengths();
  leaveARest();
  for (const each of frozen.placed) {
    try {
      place(each);
    } catch {
      // As above.
    }
  }

  function place({ element, top, before }: Frozen['placed'][number]): void {
    if (!frozen) return;
    if (!element.isConnected) return;
    const [usedTop = '', height = '', marginTop = '', marginBottom = '', paddingBottom = ''] = before;
    const style = getComputedStyle(element);
    const isFixed = style.position === 'fixed';
    const map = element.computedStyleMap();
    // A closed panel below the window: no visitor sees it.
    const isBelow = isFixed && Math.min(top, element.getBoundingClientRect().top) >= frozen.height - 1;
    if (isBelow) {
      set(element, { 'clip-path': 'inset(100%)' });
      return;
    }
    const isAtEnd = isFixed && String(map.get('top')) === 'auto' && String(map.get('bottom')) !== 'auto';
    if (isAtEnd) return;
    const beforeHeight = Number.parseFloat(height);
    const covers =
      isFixed && element.offsetWidth >= innerWidth * 0.95 && beforeHeight >= frozen.height * 0.95 && Math.abs(top) < 2;
    if (covers) {
      stretch(element, style.display, { height: beforeHeight, padding: Number.parseFloat(paddingBottom) });
      return;
    }
    const rect = element.getBoundingClientRect();
    const hasMoved = Math.abs(rect.top + (isFixed ? 0 : window.scrollY) - top) > 1;
    const hasGrown =
      rect.height - beforeHeight > 1 && Math.abs(rect.height - beforeHeight - (grown - frozen.height)) < 2;
    if (hasMoved)
      set(element, { top: usedTop, bottom: 'auto', height, 'margin-top': marginTop, 'margin-bottom': marginBottom });
    else if (hasGrown && (!isFixed || coversContent(element, rect))) set(element, { bottom: 'auto', height });
  }

  /**
   * Leaves a pixel to scroll to below the page. A page that cannot be scrolled is at its start and at its end: scripts that
   * follow the scroll position would show the end.
   */
  function leaveARest(): void {
    if (!frozen) return;
    frozen.rest ??= document.createElement('div');
    const { rest } = frozen;
    rest.style.cssText = `position: absolute; left: 0; top: ${grown}px; width: 1px; height: 1px; visibility: hidden`;
    if (!rest.isConnected) document.documentElement.append(rest);
  }

  /** A column beside the text goes on along the page; a panel over the text would hide it. */
  function coversContent(element: HTMLElement, { left, width }: DOMRect): boolean {
    return [0.2, 0.4, 0.6, 0.8].some((share) => {
      const y = frozenHeight() + (grown - frozenHeight()) * share;
      const under = document.elementsFromPoint(left + width / 2, y).find((each) => !element.contains(each));
      return under !== undefined && !under.contains(element) && (under.matches('img, video, canvas') || hasText(under));
    });
  }

  function hasText(element: Element): boolean {
    return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  }

  /** A layer fills the page, but what it centers stays at the center of the first screen. */
  function stretch(element: HTMLElement, display: string, before: { height: number; padding: number }): void {
    const centers = /flex|grid/.test(display) && element.childElementCount > 0;
    const padding = before.padding + grown - before.height;
    set(element, {
      height: `${grown}px`,
      'min-height': '0',
      'max-height': 'none',
      bottom: 'auto',
      top: '0px',
      ...(centers && { 'box-sizing': 'border-box', 'padding-bottom': `${padding}px` }),
    });
    if (centers) return;
    for (const child of Reflect.get(Element.prototype, 'children', element) as HTMLCollection) {
      if (!(child instanceof HTMLElement) || getComputedStyle(child).position !== 'absolute') continue;
      // `top: 50%` of the layer: back to the center of the screen.
      const top = String(child.computedStyleMap().get('top'));
      const match = /^([\d.]+)%$/.exec(top);
      if (match && match[1] !== '0') set(child, { top: `${(Number(match[1]) / 100) * frozenHeight()}px` });
    }
  }

  function frozenHeight(): number {
    return frozen?.height ?? grown;
  }

  /** Lengths that scripts have set from the height of the window: they grew by as much as it, or in its proportion. */
  function keepInlineLengths(): void {
    if (!frozen) return;
    const [difference, ratio] = [grown - frozen.height, grown / frozen.height];
    const isGrown = (name: string, before: string, after: string) => {
      const [one, other] = [Number.parseFloat(before), Number.parseFloat(after)];
      if (!after.endsWith('px') || !before.endsWith('px') || one <= 0) return false;
      if (Math.abs(other - one - difference) < 3 || Math.abs(other / one / ratio - 1) < 0.02) return true;
      // About the height of the window before, and about its height now.
      const wasScreen = one > frozenHeight() * 0.5 && one < frozenHeight() * 1.1;
      return /height$/.test(name) && wasScreen && other > grown * 0.7;
    };
    const probe = document.createElement('div');
    for (const { element, text } of frozen.inline) {
      const style = frozen.styleOf(element);
      if (style.cssText === text) continue;
      probe.style.cssText = text;
      for (const name of style) {
        const before = probe.style.getPropertyValue(name).trim();
        if (isGrown(name, before, style.getPropertyValue(name).trim())) style.setProperty(name, before, 'important');
      }
    }
  }
}

/** Removes the pixel below the page: on paper it would be on a sheet of its own. */
export function removeRest(): void {
  const { captureFrozen: frozen } = globalThis as { captureFrozen?: Frozen };
  frozen?.rest?.remove();
  if (frozen) delete frozen.rest;
}

/** Gives style rules their own lengths back, for printing: paper has a height of its own. */
export function unfreezeRules(): void {
  const frozen = (globalThis as { captureFrozen?: Frozen }).captureFrozen;
  for (const undo of frozen?.undo.reverse() ?? []) undo();
  if (frozen) frozen.undo = [];
}

/** From now on, no script is notified that the window has another size. */
export function silenceResize({ workEvent }: { workEvent: string }): void {
  document.dispatchEvent(new CustomEvent(`${workEvent}-silence`));
}

/** Notifies scripts that the page, or its expanded scroll container, was scrolled, as a window of this height would. */
export function announceScroll(): void {
  const { captureExpanded = [] } = globalThis as { captureExpanded?: HTMLElement[] };
  for (const target of [...captureExpanded, document, window]) {
    target.dispatchEvent(new Event('scroll', { bubbles: target === document }));
  }
}

/** Whether something that a visitor reads is hidden in the lower part of the page, as it is before it is scrolled to. */
export function hidesEnd({ elements }: { elements: number }): boolean {
  const { innerHeight } = window;
  return [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements).some((element) => {
    const { top, width, height } = element.getBoundingClientRect();
    if (top < innerHeight * 0.4 || width * height < 10_000) return false;
    const { opacity, visibility, position } = getComputedStyle(element);
    if (position === 'fixed' || (Number(opacity) > 0.1 && visibility !== 'hidden')) return false;
    return element.textContent?.trim() !== '' || element.matches('img, :has(img)');
  });
}

/** Draws sections that are otherwise drawn only in view. */
export function drawAllSections({ elements }: { elements: number }): void {
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    if (getComputedStyle(element).getPropertyValue('content-visibility') !== 'auto') continue;
    element.style?.setProperty('content-visibility', 'visible', 'important');
  }
}

/**
 * The size of the page, CSS pixels. `left` is how far it reaches to the left of where it starts, `scale` how a phone scales
 * a page without a mobile layout, `windowHeight` that of the window, which is larger on a phone whose page is too wide for it,
 * `endsEarly` whether the end of the window seems empty: no page is measured shorter than that. `squeezes` is whether a script
 * has drawn a canvas as tall as the window now is, into a box that kept its height.
 */
export function measurePage(): {
  width: number;
  height: number;
  left: number;
  viewport: number;
  scale: number;
  windowHeight: number;
  endsEarly: boolean;
  squeezes: boolean;
} {
  const { captureFrozen: frozen } = globalThis as { captureFrozen?: Frozen };
  frozen?.rest?.remove();
  const root = document.scrollingElement ?? document.documentElement;
  const { scrollWidth, scrollHeight, clientWidth } = root;
  const { scrollX } = window;
  window.scrollTo({ left: -scrollWidth, top: window.scrollY, behavior: 'instant' });
  const left = Math.max(0, Math.round(-window.scrollX));
  window.scrollTo({ left: scrollX, top: window.scrollY, behavior: 'instant' });
  const scale = window.visualViewport?.scale ?? 1;
  // The body's overflow is the window's if the root has none of its own.
  const own = getComputedStyle(document.documentElement).overflowX;
  const overflow = own === 'visible' && document.body ? getComputedStyle(document.body).overflowX : own;
  const width = /hidden|clip/.test(overflow) ? clientWidth : scrollWidth;
  const { innerHeight: windowHeight } = window;
  const measured = {
    width,
    height: scrollHeight,
    left,
    viewport: clientWidth,
    scale,
    windowHeight,
    endsEarly: endsEarly(),
    squeezes: (frozen?.canvases ?? []).some(({ canvas, bitmap, box }) => {
      const [bitmapGrowth, boxGrowth] = [canvas.height / bitmap, canvas.getBoundingClientRect().height / box];
      return bitmapGrowth > 1.1 * boxGrowth;
    }),
  };
  if (frozen?.rest) document.documentElement.append(frozen.rest);
  return measured;

  function endsEarly(): boolean {
    const { documentElement, body } = document;
    const { innerWidth, innerHeight } = window;
    const blocks = [documentElement, ...(body ? [body] : [])];
    const ends = blocks.map((each) => each.getBoundingClientRect().bottom);
    if (Math.max(...ends) > innerHeight - 50) return false;
    const atEnd = [0.2, 0.5, 0.8].flatMap((share) => document.elementsFromPoint(innerWidth * share, innerHeight - 2));
    return atEnd.every((each) => blocks.includes(each as HTMLElement) || getComputedStyle(each).position === 'fixed');
  }
}
