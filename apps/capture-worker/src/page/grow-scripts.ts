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
  /** Fixed elements as tall as the window that show through an ancestor which cuts them, with their height. */
  windows: { element: HTMLElement; through: Element; height: number }[];
  /** Elements with a background image that stays while the page scrolls; its width as a multiple of its height, 0 if unknown. */
  backdrops: Map<HTMLElement, { url: string; ratio: number }>;
  /** Inline styles that scripts may change when the window is resized. */
  inline: { element: HTMLElement | SVGElement; text: string }[];
  /** Canvases, with the height of the bitmap and of the box that shows it. */
  canvases: { canvas: HTMLCanvasElement; bitmap: number; box: number }[];
  /** The same for texts of style rules, and of media queries. */
  fixed: (text: string) => string;
  fixedMedia: (query: string) => string;
  /** The pixel below the page. */
  rest?: HTMLElement;
  /** Whether a style rule starts animations by the scroll position. */
  hasTriggers: boolean;
  /** Fixed elements that fill the window with a canvas, and that canvas. */
  scenes: Map<HTMLElement, HTMLCanvasElement>;
}

/**
 * Fixes what depends on the height of the viewport: lengths such as `100vh`, media queries for height and orientation,
 * `height: 100%` of the root. Records what the next step has to put back.
 *
 * @param limits.elements how many elements are examined.
 * @param limits.imagesWithinMs how long the sizes of fixed background images are waited for.
 * @returns the URLs of style sheets that scripts may not read; see `freezeForeignSheets`.
 */
export async function freezePage({
  elements,
  imagesWithinMs,
}: {
  elements: number;
  imagesWithinMs: number;
}): Promise<string[]> {
  const world = globalThis as { captureFrozen?: Frozen };
  if (world.captureFrozen) return [];
  const { innerWidth, innerHeight } = window;
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const { prototype } = [SVGElement, MathMLElement].find((each) => element instanceof each) ?? HTMLElement;
    return Reflect.get(prototype, 'style', element);
  };
  const frozen: Frozen = {
    height: innerHeight,
    styleOf,
    undo: [],
    placed: [],
    windows: [],
    backdrops: new Map(),
    inline: [],
    canvases: [],
    hasTriggers: false,
    scenes: new Map(),
    fixed,
    fixedMedia,
  };
  world.captureFrozen = frozen;
  const units: Record<string, number> = {
    h: innerHeight / 100,
    b: innerHeight / 100,
    min: Math.min(innerWidth, innerHeight) / 100,
    max: Math.max(innerWidth, innerHeight) / 100,
  };
  const lengths = /(?<![\w#-])([+-]?(?:\d+\.?\d*|\.\d+))([dsl]?v|cq)(h|b|min|max)\b/gi;
  function fixed(text: string): string {
    return text.replace(lengths, (all, amount: string, kind: string, unit: string) =>
      /^cq/i.test(kind) && hasContainers() ? all : `${Number(amount) * (units[unit.toLowerCase()] ?? 0)}px`,
    );
  }
  // Without a container, its units are those of the window.
  let containers: boolean | undefined;
  function hasContainers(): boolean {
    const elementsOf = () => [...Document.prototype.querySelectorAll.call(document, '*')].slice(0, elements);
    const isContainer = (each: Element) => /size/.test(getComputedStyle(each).getPropertyValue('container-type'));
    containers ??= elementsOf().some(isContainer);
    return containers;
  }
  // Each declaration by itself: the text of a whole block loses shorthands with variables that a longhand follows.
  const shorthands = [
    'padding',
    'margin',
    'inset',
    'gap',
    'background',
    'border-radius',
    'font',
    'flex',
    'grid',
    'mask',
  ];
  const freezeStyle = (style: CSSStyleDeclaration) => {
    if (style.cssText.search(lengths) === -1) return;
    for (const name of [...shorthands, ...style]) {
      const before = style.getPropertyValue(name);
      const after = fixed(before);
      if (after === before) continue;
      const priority = style.getPropertyPriority(name);
      style.setProperty(name, after, priority);
      frozen.undo.push(() => style.setProperty(name, before, priority));
    }
  };
  function fixedMedia(query: string): string {
    if (!/height|orientation|aspect-ratio/i.test(query)) return query;
    return matchMedia(query).matches ? 'all' : 'not all';
  }
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
    if (style?.getPropertyValue('animation-trigger')) frozen.hasTriggers = true;
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
  for (const [root, name] of [html, document.body].flatMap((each) =>
    ['height', 'min-height'].map((name) => [each, name] as const),
  )) {
    const depends = root === html ? /%|fill-available|stretch/ : /fill-available|stretch/;
    if (!root || !depends.test(String(root.computedStyleMap().get(name)))) continue;
    const style = styleOf(root);
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
  await Promise.race([readBackdrops(), new Promise((resolve) => setTimeout(resolve, imagesWithinMs))]);
  return unreadable;

  /** They have arrived already, as they are in view or were scrolled to. */
  async function readBackdrops(): Promise<void> {
    const reading = [...frozen.backdrops.values()].slice(0, 20).map(async (backdrop) => {
      const image = new Image();
      image.src = backdrop.url;
      await image.decode();
      backdrop.ratio = image.naturalWidth / image.naturalHeight;
    });
    await Promise.allSettled(reading);
  }

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
    const held = style.position === 'fixed' ? holderOf(element) : null;
    const isFixed = style.position === 'fixed' && !held;
    if (held?.cuts && element.offsetHeight >= innerHeight * 0.95) {
      frozen.windows.push({ element, through: held.holder, height: element.offsetHeight });
    }
    const [, url] = /^url\("([^"]*)"\)$/.exec(style.backgroundImage) ?? [];
    if (url && (isFixed || style.backgroundAttachment === 'fixed')) frozen.backdrops.set(element, { url, ratio: 0 });
    if (!isFixed && !isOnScreen(element, style)) return;
    const rect = element.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) return;
    const before = ['top', 'height', 'margin-top', 'margin-bottom', 'padding-bottom', 'bottom'].map((name) =>
      style.getPropertyValue(name),
    );
    frozen.placed.push({ element, top: rect.top + (isFixed ? 0 : window.scrollY), before });
  }

  /** The ancestor that holds a fixed element in place of the window, or cuts it; null if there is none. */
  function holderOf(element: HTMLElement): { holder: Element; cuts: boolean } | null {
    for (let each = element.parentElement; each && each !== html; each = each.parentElement) {
      const style = getComputedStyle(each);
      const holds = [style.transform, style.translate, style.scale, style.rotate, style.filter, style.perspective];
      const isHeld =
        [...holds, style.backdropFilter].some((value) => value && value !== 'none') ||
        /transform|filter|perspective/.test(style.willChange) ||
        /paint|layout|strict|content/.test(style.contain);
      if (isHeld) return { holder: each, cuts: false };
      if (style.clipPath !== 'none' || style.clip !== 'auto') return { holder: each, cuts: true };
    }
    return null;
  }

  /** Whether an element is placed from the end, the middle or the height of the first screen, which grows. */
  function isOnScreen(element: HTMLElement, { position }: CSSStyleDeclaration): boolean {
    if (position !== 'absolute' || (element.offsetParent && element.offsetParent !== document.body)) return false;
    if ([html, document.body].some((each) => getComputedStyle(each).position !== 'static')) return false;
    const map = element.computedStyleMap();
    const [top, bottom, height] = ['top', 'bottom', 'height'].map((name) => String(map.get(name)));
    return /%|stretch|fill/.test(`${top} ${height}`) || bottom !== 'auto';
  }
}

/**
 * Does for the text of a style sheet what `freezePage` does for a sheet that can be read. The rest of the text stays as it is:
 * what a parser makes of a sheet cannot always be written down again.
 */
export function freezeText({ text }: { text: string }): string {
  const { captureFrozen: frozen } = globalThis as { captureFrozen?: Frozen };
  if (!frozen) return text;
  // Up to the end of a declaration, or the start of a block; comments, strings and URLs may contain either.
  const part =
    /(?:\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|url\([^)"']*\)|\\[\s\S]|[^;{}])*[;{}]?/gy;
  return text.replace(part, (all) => {
    if (!all.endsWith('{')) return /^\s*@/.test(all) ? all : frozen.fixed(all);
    return all.replace(
      /(@media\b)([^{]*)/i,
      (_, at: string, query: string) => `${at} ${frozen.fixedMedia(query.trim())} `,
    );
  });
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
  keepBackdrops();
  for (const { element, through, height } of frozen.windows) {
    // Scripts that move it know its place.
    if (getComputedStyle(element).transform !== 'none') continue;
    const { top, height: opening } = through.getBoundingClientRect();
    set(element, { top: `${top + (opening - height) / 2}px`, bottom: 'auto', height: `${height}px` });
  }

  function place({ element, top, before }: Frozen['placed'][number]): void {
    if (!frozen) return;
    if (!element.isConnected) return;
    const [usedTop = '', height = '', marginTop = '', marginBottom = '', paddingBottom = '', bottom = ''] = before;
    const style = getComputedStyle(element);
    const isFixed = style.position === 'fixed';
    const map = element.computedStyleMap();
    // A closed panel below the window: no visitor sees it.
    const isBelow = isFixed && Math.min(top, element.getBoundingClientRect().top) >= frozen.height - 1;
    if (isBelow) {
      set(element, { 'clip-path': 'inset(100%)' });
      return;
    }
    const beforeHeight = Number.parseFloat(height);
    const isFromEnd = isFixed && String(map.get('top')) === 'auto' && String(map.get('bottom')) !== 'auto';
    if (isFromEnd && Number.parseFloat(bottom) < frozen.height * 0.3) {
      // At the end of the page, and as tall as it was.
      const isTaller = element.getBoundingClientRect().height - beforeHeight > 1;
      set(element, { bottom, ...(isTaller && { height, 'min-height': '0' }) });
      return;
    }
    const covers =
      isFixed && element.offsetWidth >= innerWidth * 0.95 && beforeHeight >= frozen.height * 0.95 && Math.abs(top) < 2;
    if (covers) {
      const canvas = canvasIn(element);
      const isCurtain = showsImage(element) && isCoveredBelow(element);
      if (canvas && !isCurtain) frozen.scenes.set(element, canvas);
      if (canvas || isCurtain) set(element, { bottom: 'auto', top: usedTop, height });
      else stretch(element, style.display, { height: beforeHeight, padding: Number.parseFloat(paddingBottom) });
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

  /** Whether it shows an image as large as the window. */
  function showsImage(element: HTMLElement): boolean {
    if (getComputedStyle(element).backgroundImage.includes('url(')) return true;
    const inner = [element, ...element.querySelectorAll<HTMLElement>('img, video, canvas')];
    return inner.some((each) => each.matches('img, video, canvas') && each.offsetWidth >= innerWidth * 0.8);
  }

  /** The canvas that fills a layer. */
  function canvasIn(element: HTMLElement): HTMLCanvasElement | null {
    const inner = [element, ...element.querySelectorAll('canvas')];
    const fills = ({ offsetWidth, offsetHeight }: HTMLElement) =>
      offsetWidth >= innerWidth * 0.9 && offsetHeight >= frozenHeight() * 0.9;
    return inner.find((each): each is HTMLCanvasElement => each instanceof HTMLCanvasElement && fills(each)) ?? null;
  }

  /** Whether what comes after the first screen hides it, as a curtain does. */
  function isCoveredBelow(element: HTMLElement): boolean {
    const hides = (each: Element) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      return each.matches('img, video, canvas') || backgroundImage !== 'none' || /^rgb\(/.test(backgroundColor);
    };
    let hidden = 0;
    const points = [0.1, 0.35, 0.65, 0.9].flatMap((x) => [0.1, 0.3, 0.5, 0.7, 0.9].map((y) => [x, y] as const));
    for (const [x, y] of points) {
      const stack = document.elementsFromPoint(x * innerWidth, frozenHeight() + y * (grown - frozenHeight()));
      const at = stack.findIndex((each) => each === element || element.contains(each));
      const over = (at === -1 ? stack : stack.slice(0, at)).filter((each) => !each.contains(element));
      if (over.some(hides)) hidden += 1;
    }
    return hidden >= points.length * 0.75;
  }

  /** Background images that stayed in the window while the page scrolled keep the size that they had in it. */
  function keepBackdrops(): void {
    if (!frozen) return;
    for (const [element, { ratio }] of frozen.backdrops) {
      if (!element.isConnected) continue;
      const { height } = element.getBoundingClientRect();
      const isRoot = element === document.body || element === document.documentElement;
      if (!isRoot && height <= frozen.height * 1.5) {
        set(element, { 'background-attachment': 'scroll' });
        continue;
      }
      const { backgroundSize } = getComputedStyle(element);
      if (ratio === 0 || !/^(cover|contain)$/.test(backgroundSize)) continue;
      const [one, other] = [innerWidth, frozen.height * ratio];
      const width = backgroundSize === 'cover' ? Math.max(one, other) : Math.min(one, other);
      set(element, {
        'background-attachment': 'scroll',
        'background-size': `${width}px ${width / ratio}px`,
        'background-position': '50% 0',
        'background-repeat': 'repeat-y',
      });
    }
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

/**
 * Repeats canvases that stay in the window while the page scrolls: each screen of the page shows the same moment. One that
 * cannot be copied is stretched.
 *
 * @param limits.pixels of a copy, at most.
 */
export async function repeatCanvases({ pixels }: { pixels: number }): Promise<void> {
  const { captureFrozen: frozen } = globalThis as { captureFrozen?: Frozen };
  if (!frozen || frozen.scenes.size === 0) return;
  const { innerWidth, innerHeight: grown } = window;
  // A canvas of WebGL can be read only in the frame in which it is drawn.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  for (const [element, canvas] of frozen.scenes) {
    if (!element.isConnected || !canvas.isConnected || grown <= frozen.height) continue;
    const copy = copyBelow(canvas);
    const style = frozen.styleOf(copy ?? element);
    const { zIndex, opacity, mixBlendMode, filter } = getComputedStyle(element);
    const place = {
      left: '0',
      width: `${innerWidth}px`,
      'z-index': zIndex,
      opacity,
      'mix-blend-mode': mixBlendMode,
      filter,
    };
    const below = { ...place, position: 'fixed', top: `${frozen.height}px`, 'pointer-events': 'none', margin: '0' };
    const styles = copy ? { ...below, height: `${grown - frozen.height}px` } : { height: `${grown}px` };
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value, 'important');
    if (copy) element.after(copy);
  }
  frozen.scenes.clear();

  /** The screens below the first one; null if nothing of it can be seen. */
  function copyBelow(canvas: HTMLCanvasElement): HTMLCanvasElement | null {
    const { width, height } = canvas;
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = Math.round((height * (grown - (frozen?.height ?? grown))) / (frozen?.height ?? grown));
    if (width * copy.height > pixels || width * height === 0) return null;
    const context = copy.getContext('2d');
    if (!context) return null;
    for (let top = 0; top < copy.height; top += height) context.drawImage(canvas, 0, top);
    try {
      const small = new OffscreenCanvas(32, 32).getContext('2d');
      small?.drawImage(copy, 0, 0, 32, 32);
      return small?.getImageData(0, 0, 32, 32).data.some((value) => value > 0) ? copy : null;
    } catch {
      // It shows images of other sites, and cannot be read.
      return copy;
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
    const { top, bottom, width, height } = element.getBoundingClientRect();
    if (top < innerHeight * 0.4 || width * height < 2_000) return false;
    const { opacity, visibility, position, clipPath } = getComputedStyle(element);
    if (position === 'fixed' || !(element.textContent?.trim() || element.matches('img, :has(img)'))) return false;
    if (width * height >= 10_000 && (Number(opacity) <= 0.1 || visibility === 'hidden')) return true;
    if (/inset\([^)]*(?:9\d|100)(?:\.\d+)?%|circle\(0/.test(clipPath)) return true;
    // A line of a heading that slides in from below its own edge.
    if (!/translate|matrix/.test(element.style?.transform ?? '') || !element.parentElement) return false;
    const edge = element.parentElement.getBoundingClientRect();
    const { overflowY } = getComputedStyle(element.parentElement);
    return /hidden|clip/.test(overflowY) && edge.height > 10 && (top >= edge.bottom - 2 || bottom <= edge.top + 2);
  });
}

/** What the page shows before its window is taller than itself, with the styles that hide and move it. */
interface Shown {
  captureShown?: Map<HTMLElement, Record<string, string>> | undefined;
}

/** Remembers what the upper part of the page shows. */
export function rememberShown({ elements }: { elements: number }): void {
  const { innerHeight } = window;
  const names = ['opacity', 'visibility', 'transform', 'translate', 'scale', 'rotate', 'filter', 'clip-path'];
  const shown = new Map<HTMLElement, Record<string, string>>();
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    const { bottom, width, height } = element.getBoundingClientRect();
    if (!element.style || bottom > innerHeight * 0.4 || width * height < 2_000) continue;
    const style = getComputedStyle(element);
    if (style.position === 'fixed' || style.visibility !== 'visible' || Number(style.opacity) < 0.9) continue;
    shown.set(element, Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)])));
  }
  (globalThis as Shown).captureShown = shown;
}

/**
 * Shows again what scripts have hidden since `rememberShown`: those that hide what has left the window at its top count the
 * upper part of a window that is too tall as left.
 */
export function keepShown(): void {
  const world = globalThis as Shown;
  const shown = world.captureShown ?? new Map<HTMLElement, Record<string, string>>();
  world.captureShown = undefined;
  for (const [element, styles] of shown) {
    if (!element.isConnected || !isHidden(element) || isReplaced(element)) continue;
    for (const [name, value] of Object.entries({ transition: 'none', ...styles })) {
      element.style.setProperty(name, value, 'important');
    }
  }

  function isHidden(element: Element): boolean {
    const { opacity, visibility } = getComputedStyle(element);
    return Number(opacity) < 0.5 || visibility === 'hidden';
  }

  /** Slides take turns in one place. */
  function isReplaced(element: Element): boolean {
    const rect = element.getBoundingClientRect();
    return [...(element.parentElement?.children ?? [])].some((other) => {
      if (shown.has(other as HTMLElement) || isHidden(other)) return false;
      const { top, bottom, left, right } = other.getBoundingClientRect();
      const width = Math.min(right, rect.right) - Math.max(left, rect.left);
      const height = Math.min(bottom, rect.bottom) - Math.max(top, rect.top);
      return width > 0 && height > 0 && width * height > (rect.width * rect.height) / 2;
    });
  }
}

/** Draws sections that are otherwise drawn only in view. */
export function drawAllSections({ elements }: { elements: number }): void {
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    if (getComputedStyle(element).getPropertyValue('content-visibility') !== 'auto') continue;
    element.style?.setProperty('content-visibility', 'visible', 'important');
  }
}

/**
 * Puts elements back that scripts have moved below the end of the page's own boxes: parallax of a great speed moves them by many
 * windows, and a visitor sees them at their place when they are in view.
 *
 * @param elements how many are examined.
 */
export function returnStrays({ elements }: { elements: number }): void {
  const boxes = [document.documentElement, ...(document.body ? [document.body] : [])];
  const end = Math.max(window.innerHeight, ...boxes.map((each) => each.getBoundingClientRect().bottom));
  for (const element of [...document.querySelectorAll<HTMLElement>('body *')].slice(0, elements)) {
    const { style } = element;
    if (!(style?.transform || style?.translate) || element.getBoundingClientRect().bottom <= end) continue;
    style.setProperty('transform', 'none', 'important');
    style.setProperty('translate', 'none', 'important');
  }
}

/**
 * The size of the page, CSS pixels. `left` is how far it reaches to the left of where it starts, `scale` how a phone scales
 * a page without a mobile layout, `windowHeight` that of the window, which is larger on a phone whose page is too wide for it,
 * `endsEarly` whether the end of the window seems empty: no page is measured shorter than that. `squeezes` is whether a script
 * has drawn a canvas as tall as the window now is, into a box that kept its height, or that cuts it.
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
    height: isStage() ? root.clientHeight : scrollHeight + framesRest(),
    left,
    viewport: clientWidth,
    scale,
    windowHeight,
    endsEarly: endsEarly(),
    squeezes: (frozen?.canvases ?? []).some(({ canvas, bitmap, box }) => {
      const { height: shown } = canvas.getBoundingClientRect();
      const isCut = canvas.parentElement !== null && canvas.parentElement.clientHeight < shown * 0.9;
      return canvas.height / bitmap > 1.1 * (isCut ? 1 : shown / box);
    }),
  };
  if (frozen?.rest) document.documentElement.append(frozen.rest);
  return measured;

  /** Whether scripts move a space of slides behind the window, which cannot be scrolled (impress.js): only one is seen. */
  function isStage(): boolean {
    const { documentElement, body } = document;
    const { overflowX, overflowY } = getComputedStyle(own === 'visible' && body ? body : documentElement);
    const isLocked = [overflowX, overflowY].every((each) => /hidden|clip/.test(each));
    if (!isLocked || scrollWidth < clientWidth * 2) return false;
    return [...(body?.children ?? [])].some((each) => getComputedStyle(each).transformStyle === 'preserve-3d');
  }

  /** How much of the documents in a frameset, which is as tall as the window, can be scrolled to. */
  function framesRest(): number {
    if (!(document.body instanceof HTMLFrameSetElement)) return 0;
    const rests = [...document.querySelectorAll('frame')].map(({ contentDocument }) => {
      const inner = contentDocument?.scrollingElement;
      return inner ? inner.scrollHeight - inner.clientHeight : 0;
    });
    return Math.max(0, ...rests);
  }

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
