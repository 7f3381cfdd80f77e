/// <reference lib="dom" />
import type { ScheduledWork } from './track-work.ts';

export interface LookInput {
  /** Name of the event that asks the page's world for its scheduled work; see `trackWork`. */
  workEvent: string;
  /** URLs of requests in flight whose use on the page is to be found out. */
  urls: string[];
  /** The `Refresh` header of the document's response. */
  refreshHeader: string | null;
  /** Whether to find out if the page looks unfinished; takes a few milliseconds more. */
  assess: boolean;
  /** How long the page's scripts may keep the look from starting, milliseconds. */
  idleWithinMs: number;
  /** How many frames to wait for first. */
  afterFrames: number;
  /** Before that, for how many frames to hurry the page's clock; see `pageClock`. */
  hurriedFrames: number;
  /** How many waits have ended while the page moved or hid content: what did so then has no end, and counts no longer. */
  endlessWaits: number;
}

/** What a visitor would still wait for in the viewport. */
export interface Look extends ScheduledWork {
  /** Its size, CSS pixels. */
  viewport: { width: number; height: number };
  /** Images in view, and frames, that have not arrived: their URLs, as far as known. */
  images: string[];
  frames: string[];
  /** Of the given URLs, those that style sheets show in view. */
  backgrounds: string[];
  /** Of the given URLs, those that no element shows: scripts load them, and may show them then. */
  unplaced: string[];
  /** Whether the page's scripts were at work without a pause. */
  busy: boolean;
  /** Whether the page has scripts, and shows neither text nor images. */
  blank: boolean;
  /** Whether a font that the page's text uses is loading. */
  fonts: boolean;
  /** Whether one is loading that text will not wait for: once the page is drawn, `font-display: optional` shows another. */
  optionalFonts: boolean;
  /** Whether a video in view has no frame yet. */
  videos: boolean;
  /** Milliseconds until a `<meta http-equiv=refresh>` opens another document; null if there is none. */
  refreshInMs: number | null;
  /** Whether something without content lies over all of the viewport. */
  covered: boolean;
  /** Whether visible elements or canvases have changed since the last look. */
  moving: boolean;
  /** Whether it has more elements than at the last look. */
  filling: boolean;
  /** Whether animations were advanced to their end, which may start others. */
  advanced: boolean;
  /** Whether scripts keep content in view invisible, as they do before they fade it in. */
  hidden: boolean;
  /** Whether a canvas or drawing in view shows nothing yet. */
  undrawn: boolean;
  /** Whether it says that it is loading: `part` of it, or the `page`, which shows little else. */
  announced: 'part' | 'page' | null;
  /** `loading`: it says so; `thin`: there is little to see, or a container is empty. Null unless assessed. */
  impression: 'loading' | 'thin' | 'finished' | null;
}

/** What a mutation observer has seen since the last look. */
interface Changes {
  /** Elements with changed text or children. */
  contents: Set<Element>;
  /** Elements with changed attributes, and what they looked like before. */
  elements: Set<Element>;
  known: WeakMap<Element, string>;
  /** What has moved, and when a look last saw it, milliseconds. */
  moved: Map<Element, number>;
  /** What was hidden at the last look. */
  hidden: Element[];
  /** What has not stopped moving, or was still hidden, when a wait ended, and how many such waits there were. */
  endless: WeakSet<Element>;
  endlessWaits: number;
  observer: MutationObserver;
  observed: WeakSet<Node>;
}

/** Looks at the page after its next frames. The first call starts to watch for changes. */
export async function look({
  workEvent,
  urls,
  refreshHeader,
  assess,
  idleWithinMs,
  afterFrames,
  hurriedFrames,
  endlessWaits,
}: LookInput): Promise<Look> {
  const inView = (element: Element, rect = element.getBoundingClientRect()) => {
    const { innerWidth, innerHeight } = element.ownerDocument.defaultView ?? window;
    return rect.bottom > 0 && rect.right > 0 && rect.top < innerHeight && rect.left < innerWidth;
  };
  if (hurriedFrames > 0) await hurry();
  // Frameworks render in slices of a few milliseconds, between which nothing is scheduled that could be seen.
  const idle = new Promise<boolean>((resolve) => {
    requestIdleCallback(({ didTimeout }) => resolve(didTimeout), { timeout: idleWithinMs });
  });
  for (let frame = 0; frame < afterFrames; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  const busy = await idle;
  // A canvas of WebGL can be read only in the frame in which it is drawn.
  if (document.querySelector('canvas')) await new Promise((resolve) => requestAnimationFrame(resolve));
  const { innerWidth: width, innerHeight: height } = window;
  const roots = findRoots(document, 0);
  const all = (selector: string): Element[] => roots.flatMap((root) => select(root, selector));
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: false, visibilityProperty: true, contentVisibilityAuto: true });
  const opacities = new Map<Element, number>();
  // Scripts that test variants of a page make it transparent until they have decided.
  const isSeen = (element: Element) => isShown(element) && opacityOf(element) >= 0.05;

  const images = (all('img') as HTMLImageElement[])
    .filter((image) => !image.complete && image.currentSrc + image.src !== '')
    // Maps keep a tile invisible until it has loaded.
    .filter((image) => image.checkVisibility({ contentVisibilityAuto: true }) && inView(image))
    // A tracking pixel has a size of its own; an image of unknown size may turn out to be any.
    .filter((image) => !((image.width === 1 || image.height === 1) && image.width <= 2 && image.height <= 2))
    .slice(0, 50)
    .map((image) => image.currentSrc || image.src);
  const frames = (all('iframe, object, embed') as (HTMLIFrameElement | HTMLObjectElement)[])
    .filter((frame) => isShown(frame) && inView(frame) && frame.offsetWidth > 30 && frame.offsetHeight > 30)
    .slice(0, 50)
    .map((frame) => ('data' in frame ? frame.data : frame.src));

  const world = globalThis as {
    captureChanges?: Changes;
    captureCanvases?: WeakMap<HTMLCanvasElement, string>;
    captureDrawings?: WeakSet<SVGSVGElement>;
    captureElements?: number;
    captureScenes?: { looks: Map<Element, unknown> };
  };
  const elements = Document.prototype.getElementsByTagName.call(document, '*').length;
  const filling = elements > (world.captureElements ?? elements);
  world.captureElements = elements;
  const scheduled = readWork();
  const refresh = refreshHeader ?? all('meta[http-equiv="refresh" i]')[0]?.getAttribute('content') ?? '';
  const [, seconds = '', target = ''] =
    /^\s*([\d.]+)\s*[;,]?\s*(?:url\s*=\s*)?["']?(.*?)["']?\s*$/i.exec(refresh) ?? [];
  const refreshes = seconds !== '' && (target === '' || URL.parse(target, document.baseURI)?.href !== location.href);
  const content = assess ? impressionOf() : null;
  const { backgrounds, placed } = findPlaces();
  const isAtWork = scheduled.loops || scheduled.timers.length > 0;
  const moving = isMoving();
  watchChanges().hidden = [];
  // A worker may draw, too.
  const undrawn = (isAtWork || scheduled.workerForMs > 0) && drawsLater();
  return {
    ...scheduled,
    countsDown: scheduled.countsDown && announcesRedirect(),
    viewport: { width, height },
    busy,
    blank: document.scripts.length > 0 && isBlank(),
    images,
    frames,
    backgrounds,
    unplaced: urls.filter((url) => !placed.has(url)),
    fonts: [...document.fonts].some(({ status, display }) => status === 'loading' && display !== 'optional'),
    optionalFonts: [...document.fonts].some(({ status, display }) => status === 'loading' && display === 'optional'),
    videos: (all('video') as HTMLVideoElement[]).some(
      (video) =>
        !video.poster &&
        video.networkState === HTMLMediaElement.NETWORK_LOADING &&
        video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA &&
        video.offsetWidth * video.offsetHeight > 10_000 &&
        inView(video) &&
        isShown(video),
    ),
    refreshInMs: refreshes ? Math.max(0, Number(seconds) * 1_000 - performance.now()) : null,
    covered: isCovered(),
    moving,
    filling,
    advanced: finishAnimations(),
    hidden: undrawn || (isAtWork && hidesContent()),
    undrawn,
    announced: announcesLoading(),
    impression: content,
  };

  /** The document, its shadow roots, and the documents of its frames that can be read. */
  function findRoots(root: Document | ShadowRoot, depth: number): (Document | ShadowRoot)[] {
    const found = [root];
    if (depth > 5) return found;
    const inner = isDocument(root) ? closedRootsOf(root) : [];
    for (const element of select(root, '*').slice(0, 20_000)) {
      if (element.shadowRoot) inner.push(element.shadowRoot);
      // In documents of opaque origin, reading a frame's document from our world crashes the renderer (Chromium 156).
      const isReadable = window.origin !== 'null' && element instanceof HTMLIFrameElement && inView(element);
      if (isReadable && element.contentDocument) found.push(...findRoots(element.contentDocument, depth + 1));
    }
    return [...found, ...inner.flatMap((each) => findRoots(each, depth + 1))];
  }

  /** Only the page's own world can reach them; see `trackWork`. */
  function closedRootsOf(root: Document): ShadowRoot[] {
    const found: ShadowRoot[] = [];
    const read = () => {
      const { highlights } = (root.defaultView as typeof globalThis | null)?.CSS ?? {};
      for (const range of highlights?.get(workEvent) ?? []) found.push(range.startContainer as ShadowRoot);
    };
    root.addEventListener(`${workEvent}-roots`, read, { once: true });
    root.dispatchEvent(new CustomEvent(workEvent, { detail: 'roots' }));
    root.removeEventListener(`${workEvent}-roots`, read);
    return found;
  }

  /** By its type: roots in frames belong to other realms. */
  function isDocument(root: Document | ShadowRoot): root is Document {
    return root.nodeType === Node.DOCUMENT_NODE;
  }

  /** Through the prototypes: elements of a page can shadow methods of its document by their names. */
  function select(root: Document | ShadowRoot, selector: string): Element[] {
    return [...(isDocument(root) ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector)];
  }

  /** Lets time pass quickly for the page, and for its frames that can be read. */
  async function hurry(): Promise<void> {
    const documents = findRoots(document, 0).filter(isDocument);
    // If a frame takes longer, it ends by itself.
    const hurryAll = (forMs: number) => {
      for (const each of documents) each.dispatchEvent(new CustomEvent(workEvent, { detail: String(forMs) }));
    };
    hurryAll(500);
    // On a busy machine the time is up before the frames are.
    const end = performance.now() + 250;
    for (let frame = 0; frame < hurriedFrames && performance.now() < end; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    hurryAll(0);
  }

  /** Of the page and of its frames that can be read. */
  function readWork(): ScheduledWork {
    const work: ScheduledWork = {
      timers: [],
      loops: false,
      everyMs: 0,
      working: false,
      aheadMs: 0,
      countsDown: false,
      workerForMs: 0,
    };
    const read = (reply: Event) => {
      try {
        const found = JSON.parse(String((reply as CustomEvent).detail)) as ScheduledWork;
        if (reply.target === document) work.aheadMs = Number(found.aheadMs) || 0;
        const timers = found.timers.map(({ inMs, depth, opens }) => ({
          ...{ inMs: Number(inMs), depth: Number(depth) },
          opens: opens === true,
        }));
        work.timers.push(...timers.sort((one, other) => one.inMs - other.inMs).slice(0, 20));
        work.loops ||= found.loops === true;
        work.working ||= found.working === true;
        work.countsDown ||= found.countsDown === true;
        // Longer intervals are not tracked.
        work.everyMs = Math.min(300, Math.max(work.everyMs, Number(found.everyMs) || 0));
        work.workerForMs = Math.max(work.workerForMs, Number(found.workerForMs) || 0);
      } catch {
        // The page has replaced what our script uses.
      }
    };
    for (const root of roots.filter(isDocument)) {
      root.addEventListener(`${workEvent}-reply`, read, { once: true });
      root.dispatchEvent(new CustomEvent(workEvent));
      root.removeEventListener(`${workEvent}-reply`, read);
    }
    work.timers.sort((one, other) => one.inMs - other.inMs);
    return work;
  }

  /** With that of its ancestors, up to those of a frame. */
  function opacityOf(element: Element): number {
    const lineage: Element[] = [];
    let next: Element | null | undefined = element;
    while (next && !opacities.has(next) && lineage.length < 500) {
      lineage.push(next);
      next = next.assignedSlot ?? next.parentElement ?? ownerOf(next.getRootNode());
    }
    let opacity = (next && opacities.get(next)) ?? 1;
    for (const each of lineage.reverse()) {
      opacity *= Number(getComputedStyle(each).opacity);
      opacities.set(each, opacity);
    }
    return opacity;
  }

  /** The element that shows a shadow root, or the document of a frame that can be read. */
  function ownerOf(root: Node): Element | null | undefined {
    if (root.nodeType === Node.DOCUMENT_NODE) return (root as Document).defaultView?.frameElement;
    return root.nodeType === Node.DOCUMENT_FRAGMENT_NODE ? (root as ShadowRoot).host : null;
  }

  /** Ends at the first text or image that can be seen. */
  function isBlank(): boolean {
    const graphics = all('img, svg, canvas, video, iframe, object, embed, input, button, textarea');
    if (graphics.some((element) => element.clientWidth * element.clientHeight > 100 && isSeen(element))) return false;
    for (const root of roots) {
      const walker = document.createTreeWalker(
        root instanceof Document ? (root.body ?? root) : root,
        NodeFilter.SHOW_TEXT,
      );
      for (let node = walker.nextNode(), seen = 0; node && seen < 5_000; node = walker.nextNode(), seen += 1) {
        const parent = node.parentElement;
        if (
          node.textContent?.trim() &&
          parent &&
          !parent.matches('script, style, noscript, template') &&
          isSeen(parent)
        ) {
          return false;
        }
      }
    }
    return true;
  }

  /** Which of the URLs elements show, and which of these style sheets show in view. */
  function findPlaces(): { backgrounds: string[]; placed: Set<string> } {
    const found = new Set<string>();
    const placed = new Set<string>();
    if (urls.length === 0) return { backgrounds: [], placed };
    // Of parts of a drawing: `sprite.svg#truck`.
    const wanted = new Map(urls.map((url) => [url.split('#')[0], url]));
    const note = (shown: string, isInView: boolean) => {
      const url = wanted.get(shown.split('#')[0]);
      if (url === undefined) return;
      placed.add(url);
      if (isInView) found.add(url);
    };
    // Whether they are in view is known; see above.
    for (const image of all('img') as HTMLImageElement[]) note(image.currentSrc || image.src, false);
    const names = ['background-image', 'border-image-source', 'mask-image', 'list-style-image', 'content'];
    const elements = all('*').slice(0, 5_000);
    for (const element of elements.filter((each) => inView(each))) findIn(element, true);
    for (const element of elements) {
      if (placed.size === wanted.size) break;
      if (!inView(element)) findIn(element, false);
    }
    for (const element of all('image, use, video[poster], object, embed, input[type=image]')) {
      const attributes = ['href', 'xlink:href', 'poster', 'data', 'src'].map((name) => element.getAttribute(name));
      for (const attribute of attributes) {
        const url = attribute === null ? null : URL.parse(attribute, document.baseURI)?.href;
        // What has not arrived has no place of its own.
        const box = (element.matches('use') && element.closest('svg')) || element;
        if (url) note(url, inView(box));
      }
    }
    return { backgrounds: [...found], placed };

    function findIn(element: Element, isInView: boolean): void {
      for (const pseudo of [null, '::before', '::after']) {
        const style = getComputedStyle(element, pseudo);
        if (pseudo !== null && style.content === 'none') continue;
        for (const name of names) {
          for (const [, url = ''] of style.getPropertyValue(name).matchAll(/url\("([^"]*)"\)/g)) {
            note(url, isInView);
          }
        }
      }
    }
  }

  /** The topmost box at five points is the same one, fixed or absolute, as large as the viewport, and nearly empty. */
  function isCovered(): boolean {
    const points = [
      [0.5, 0.5],
      [0.08, 0.08],
      [0.92, 0.08],
      [0.08, 0.92],
      [0.92, 0.92],
    ] as const;
    const boxAt = ([x, y]: readonly [number, number]) => {
      for (let element = document.elementFromPoint(x * width, y * height); element; element = element.parentElement) {
        const { position, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        if (position !== 'fixed' && position !== 'absolute') continue;
        const rect = element.getBoundingClientRect();
        if (rect.width < width * 0.95 || rect.height < height * 0.95) continue;
        const isTransparent =
          /rgba\(.*, 0(\.[0-4]\d*)?\)|transparent/.test(backgroundColor) && backgroundImage === 'none';
        return isTransparent || Number(opacity) < 0.3 ? null : element;
      }
      return null;
    };
    const box = boxAt(points[0]);
    if (!box || points.some((point) => boxAt(point) !== box)) return false;
    const text = (box as HTMLElement).textContent ?? '';
    // A screen with text or images of its own is the content.
    return text.trim().length < 60 && box.querySelectorAll('img, image, video, input, button, a[href]').length < 3;
  }

  /** Whether anything visible has changed since the last look, other than what does so without an end. */
  function isMoving(): boolean {
    const changes = watchChanges();
    const now = performance.now();
    if (endlessWaits > changes.endlessWaits) {
      const recent = Math.max(...changes.moved.values()) - 1_000;
      for (const [element, movedAt] of changes.moved) if (movedAt >= recent) changes.endless.add(element);
      for (const element of changes.hidden) changes.endless.add(element);
      changes.endlessWaits = endlessWaits;
    }
    const isEndless = (element: Element) => {
      for (let each: Element | null = element; each; each = each.parentElement) {
        if (changes.endless.has(each) && (each === element || each !== document.body)) return true;
      }
      return false;
    };
    const moved = [...changedElements(changes), ...changedCanvases()];
    for (const element of moved) changes.moved.set(element, now);
    return moved.some((element) => !isEndless(element));
  }

  /** Visible elements that have changed their text, place or look. */
  function changedElements({ contents, elements, known }: Changes): Element[] {
    const changed = [...contents].filter((element) => element.isConnected && inView(element) && isShown(element));
    for (const element of elements) {
      if (!element.isConnected) continue;
      const rect = element.getBoundingClientRect();
      const { opacity, visibility, backgroundColor } = getComputedStyle(element);
      const place = [rect.x, rect.y, rect.width, rect.height].map(Math.round);
      const names = ['style', 'd', 'points', 'transform', 'stroke-dasharray', 'stroke-dashoffset', 'src', 'fill'];
      const drawing = names.map((name) => element.getAttribute(name)?.slice(0, 500) ?? '').join(' ');
      // To a hundredth: what approaches its end does not move for a visitor.
      const rounded = drawing.replace(/-?\d*\.\d+(e-\d+)?/g, (value) => Number(value).toFixed(2));
      const appearance = [...place, Number(opacity).toFixed(2), visibility, backgroundColor, rounded].join();
      if (known.get(element) !== appearance && inView(element, rect)) changed.push(element);
      known.set(element, appearance);
    }
    contents.clear();
    elements.clear();
    return changed;
  }

  /** Starts to watch the roots that are not watched yet. */
  function watchChanges(): Changes {
    const attributeFilter = [
      'style',
      'class',
      'src',
      'srcset',
      'width',
      'height',
      'd',
      'transform',
      'hidden',
      'points',
    ];
    attributeFilter.push('x', 'y', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2', 'fill', 'opacity', 'value', 'open');
    attributeFilter.push('stroke-dasharray', 'stroke-dashoffset');
    const observer = new MutationObserver((records) => {
      const { captureChanges: changes } = world;
      // Of very many changes the last ones are enough.
      for (const { target, type } of changes ? records.slice(-200) : []) {
        // Of another realm in frames.
        const element = target.nodeType === Node.ELEMENT_NODE ? (target as Element) : target.parentElement;
        if (!changes || !element || element === document.head || element.parentElement === document.head) continue;
        const changed = type === 'attributes' ? changes.elements : changes.contents;
        if (changed.size < 50) changed.add(element);
      }
    });
    world.captureChanges ??= {
      contents: new Set(),
      elements: new Set(),
      known: new WeakMap(),
      moved: new Map(),
      hidden: [],
      endless: new WeakSet(),
      endlessWaits,
      observed: new WeakSet(),
      observer,
    };
    const changes = world.captureChanges;
    for (const root of roots) {
      if (changes.observed.has(root)) continue;
      changes.observed.add(root);
      changes.observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter });
    }
    return changes;
  }

  /** A canvas or drawing in view that shows nothing yet. */
  function drawsLater(): boolean {
    const drawings = (all('svg') as SVGSVGElement[]).slice(0, 50);
    const isEmpty = (svg: SVGSVGElement) => {
      const rect = svg.getBoundingClientRect();
      if (rect.width * rect.height < 10_000 || !inView(svg, rect) || !svg.getBBox) return false;
      const { width, height } = svg.getBBox();
      return svg.childElementCount > 0 && width * height === 0;
    };
    const blank = String(new Uint8ClampedArray(64 * 64 * 4));
    const canvases = (all('canvas') as HTMLCanvasElement[]).slice(0, 10);
    const isBlank = (canvas: HTMLCanvasElement) => world.captureCanvases?.get(canvas) === blank && inView(canvas);
    const { endless, hidden } = watchChanges();
    const empty = [...drawings.filter(isEmpty), ...canvases.filter(isBlank)].filter((each) => !endless.has(each));
    hidden.push(...empty);
    return empty.length > 0;
  }

  /** Canvases in view of which a small copy has changed. */
  function changedCanvases(): Element[] {
    if (!scheduled.loops && scheduled.workerForMs === 0) return [];
    world.captureCanvases ??= new WeakMap();
    const changed: Element[] = [];
    for (const canvas of (all('canvas') as HTMLCanvasElement[]).slice(0, 10)) {
      if (!inView(canvas) || canvas.width * canvas.height === 0) continue;
      try {
        const copy = new OffscreenCanvas(64, 64).getContext('2d', { willReadFrequently: true });
        copy?.drawImage(canvas, 0, 0, 64, 64);
        const text = String(copy?.getImageData(0, 0, 64, 64).data);
        if (world.captureCanvases.get(canvas) !== text) changed.push(canvas);
        world.captureCanvases.set(canvas, text);
      } catch {
        // It shows images of other sites, and cannot be read.
      }
    }
    return changed;
  }

  /** Advances animations that have an end to it; endless ones continue. */
  function finishAnimations(): boolean {
    let finished = false;
    for (const animation of roots.flatMap((root) => root.getAnimations())) {
      const end = animation.effect?.getComputedTiming().endTime;
      // By name: animations of frames belong to other realms.
      const isTimed = String(animation.timeline) === '[object DocumentTimeline]' && animation.playState === 'running';
      if (!isTimed || typeof end !== 'number' || !Number.isFinite(end)) continue;
      try {
        animation.finish();
        finished = true;
      } catch {
        // Played backwards without an end.
      }
    }
    if (finished) showFinished();
    for (const drawing of all('svg:has(animate, animateTransform, animateMotion, set)').slice(
      0,
      50,
    ) as SVGSVGElement[]) {
      // Advanced once, by more than any entrance takes.
      if (!drawing.setCurrentTime || drawing.ownerSVGElement || world.captureDrawings?.has(drawing)) continue;
      world.captureDrawings ??= new WeakSet();
      world.captureDrawings.add(drawing);
      drawing.setCurrentTime(drawing.getCurrentTime() + 10);
    }
    return finished;
  }

  /**
   * Chromium's compositor goes on showing what was finished, if one that it does not run was too, such as of a width. It shows
   * the ends once another one begins: this one changes nothing.
   */
  function showFinished(): void {
    const { opacity } = getComputedStyle(document.documentElement);
    document.documentElement.animate({ opacity: [opacity, opacity] }, 1);
  }

  function hidesContent(): boolean {
    const changes = watchChanges();
    const found = all('[style*="opacity"], [style*="visibility"], [style*="transform"]')
      .slice(0, 500)
      .filter((element) => {
        if (!(element instanceof HTMLElement) || changes.endless.has(element)) return false;
        // What follows the scroll position stays as it is.
        if (world.captureScenes?.looks.has(element)) return false;
        const { opacity, visibility } = element.style;
        const isFaded = (opacity !== '' && Number(opacity) < 0.9) || visibility === 'hidden';
        if (!(isFaded && inView(element)) && !isBesideView(element)) return false;
        const isContent = Boolean(element.textContent?.trim()) || element.querySelector('img, svg, canvas') !== null;
        return isContent && element.offsetWidth * element.offsetHeight > 1_000 && !liesOverContent(element);
      });
    changes.hidden.push(...found);
    return found.length > 0;
  }

  /** Whether it has no place of its own: a closed menu, a slide behind another one. What fades in has. */
  function liesOverContent(element: HTMLElement): boolean {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x1, x2, y1, y2] = [Math.max(0, left), Math.min(width, right), Math.max(0, top), Math.min(height, bottom)];
    // Text may lie on an image, but not on text.
    const isText = Boolean(element.textContent?.trim());
    const hasContent = (each: Element) =>
      (!isText && each.matches('img, video, canvas, svg')) ||
      [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const isOther = (each: Element) => !each.contains(element) && !element.contains(each);
    const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
    return shares.some((share) =>
      shares.some((other) =>
        document
          .elementsFromPoint(x1 + (x2 - x1) * share, y1 + (y2 - y1) * other)
          .some((each) => isOther(each) && hasContent(each) && each.checkVisibility({ opacityProperty: true })),
      ),
    );
  }

  /** Whether scripts have moved it from its place in view to beside it, from where it slides in. */
  function isBesideView(element: HTMLElement): boolean {
    if (!/translate|matrix/.test(element.style.transform)) return false;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if ((left < width && right > 0) || top >= height || bottom <= 0) return false;
    const { position } = getComputedStyle(element);
    const { m41: x } = new DOMMatrix(getComputedStyle(element).transform);
    return position !== 'fixed' && right - x > 0 && left - x < width;
  }

  function impressionOf(): Look['impression'] {
    if (isLoading()) return 'loading';
    const content = readContent();
    return content === 'finished' && hasPlaceholders() ? 'thin' : content;
  }

  function readContent(): Look['impression'] {
    let bottom = 0;
    let characters = 0;
    const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let seen = 0; seen < 3_000; seen += 1) {
      const node = walker.nextNode();
      if (!node) break;
      if (!node.textContent?.trim() || !node.parentElement || !isSeen(node.parentElement)) continue;
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width === 0 || rect.top >= height || rect.bottom <= 0) continue;
      characters += node.textContent.trim().length;
      bottom = Math.max(bottom, Math.min(height, rect.bottom));
    }
    for (const element of all('img, svg, canvas, video, image, iframe, object, embed').slice(0, 500)) {
      const rect = element.getBoundingClientRect();
      if (rect.width * rect.height > 2_000 && inView(element, rect) && opacityOf(element) >= 0.05) {
        bottom = Math.max(bottom, Math.min(height, rect.bottom));
        characters += 50;
      }
    }
    // Nothing at all is no finished page.
    if (characters === 0) return 'loading';
    if (bottom < height * 0.4 || characters < 100) return 'thin';
    const empty = all('main, section, article, ul, ol, tbody, [id], [data-testid]')
      .slice(0, 2_000)
      .some((element) => {
        if (
          element.childElementCount > 0 ||
          element.textContent?.trim() ||
          !element.matches('div, main, section, article, ul, ol, tbody')
        )
          return false;
        const rect = element.getBoundingClientRect();
        return (
          rect.top < height &&
          rect.bottom >= 0 &&
          rect.width > width * 0.2 &&
          !/modal|dialog|toast|portal|overlay|tooltip|ads?\b|gtm|root-portal/i.test(
            `${element.id} ${element.className}`,
          )
        );
      });
    return empty ? 'thin' : 'finished';
  }

  /** Texts, roles and class names that pages use while they load. */
  function isLoading(): boolean {
    if (all('[aria-busy="true"]').some((element) => isShown(element) && inView(element))) return true;
    return spinners().length > 0 || loadingTexts().length > 0;
  }

  /**
   * A page may keep such names and texts when it has loaded: a heading "Loading data", a class `lazy-loading`. It has not if
   * a few words end in dots, or if a spinner turns without an end and there is little else to see.
   */
  function announcesLoading(): Look['announced'] {
    const isPart = (element: Element) => element.closest('a, button, h1, h2, h3, h4, nav, code, pre, option') !== null;
    const isSized = ({ offsetWidth, offsetHeight }: HTMLElement) => offsetWidth > 20 && offsetHeight > 8;
    const isShort = ({ textContent }: Element) => {
      const words = (textContent ?? '').slice(0, 200).trim();
      return words.length < 60 && /(\.\.\.|…)$/.test(words) && words.split(/\s+/).length <= 4;
    };
    const isOpaque = (element: Element) => element.checkVisibility({ opacityProperty: true });
    const texts = loadingTexts().filter((element) => isShort(element) && isOpaque(element) && isSized(element));
    if (texts.some((element) => !isPart(element))) return readContent() === 'finished' ? 'part' : 'page';
    const turns = (element: Element) =>
      element
        .getAnimations({ subtree: true })
        .some(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY);
    return spinners().some(turns) && readContent() !== 'finished' ? 'page' : null;
  }

  /** Whether it says that it will open another page. */
  function announcesRedirect(): boolean {
    const announcement =
      /redirect|forwarded|taken to|weitergeleitet|umgeleitet|weiterleitung|redirig|redirection|redirecionad|reindirizz|doorgestuurd|omdirigera|przekierow|yönlendiril|перенаправл|リダイレクト|移動します|跳转|跳轉|이동합니다/i;
    return announcement.test((document.body?.textContent ?? '').slice(0, 20_000));
  }

  /** Elements in view with names that pages give to what they show while they load. */
  function spinners(): Element[] {
    const names = ['spinner', 'skeleton', 'shimmer', 'loader', 'loading'].map((name) => `[class*="${name}" i]`);
    const named = all([...names, '[id*="loader" i]', '[id*="loading" i]', '[role="progressbar"]'].join());
    return named.slice(0, 200).filter((element) => {
      if (element.matches('html, body, img, script, link')) return false;
      const rect = element.getBoundingClientRect();
      return (
        rect.width > 8 &&
        rect.height > 2 &&
        inView(element, rect) &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        (element.textContent?.trim().length ?? 0) < 60 &&
        element.querySelector('img') === null
      );
    });
  }

  /**
   * Whether elements without words pulse, shimmer or turn without an end, in a rhythm that says that more is coming; or have a
   * class name of Tailwind or Bootstrap for that. A page may be decorated so: it counts only while data is in flight.
   */
  function hasPlaceholders(): boolean {
    const named = all('.animate-pulse, .animate-spin, .placeholder-glow, .placeholder-wave').slice(0, 100);
    return [
      ...named,
      ...roots
        .flatMap((root) => root.getAnimations())
        .slice(0, 200)
        .map(pulsing),
    ].some((element) => element !== null && standsForContent(element));
  }

  /** The element that an animation lets pulse, shimmer or turn without an end; null for other motion. */
  function pulsing({ effect }: Animation): Element | null {
    const { endTime, duration } = effect?.getComputedTiming() ?? {};
    if (endTime !== Number.POSITIVE_INFINITY || Number(duration) > 3_000) return null;
    const { target, pseudoElement } = effect as KeyframeEffect;
    const isPulse = (effect as KeyframeEffect).getKeyframes().some((frame) => {
      const { opacity, backgroundColor, backgroundPosition, backgroundPositionX, rotate, transform } = frame;
      const fades = [opacity, backgroundColor, backgroundPosition, backgroundPositionX, rotate].some(
        (value) => value !== undefined,
      );
      // A glint that passes over a placeholder is a pseudo-element of it.
      return fades || (transform !== undefined && (pseudoElement !== null || /rotate/.test(String(transform))));
    });
    return isPulse ? target : null;
  }

  /** Not a dot, a blurred shape or what lies behind the page. */
  function standsForContent(element: Element): boolean {
    const rect = element.getBoundingClientRect();
    const isSized = rect.height >= 8 && rect.width >= 16 && (rect.height >= 16 || rect.width >= 40);
    const { filter, zIndex } = getComputedStyle(element);
    return (
      isSized &&
      inView(element, rect) &&
      isSeen(element) &&
      rect.width * rect.height < width * height * 0.6 &&
      !/\p{L}{2}/u.test(element.textContent ?? '') &&
      element.querySelector('img, video, canvas, iframe') === null &&
      !element.matches('html, body, img, video, canvas') &&
      !filter.includes('blur') &&
      !(Number(zIndex) < 0)
    );
  }

  /** Elements in view whose text says that they load. */
  function loadingTexts(): HTMLElement[] {
    const text =
      /^[^\p{L}]*(loading|please wait|one moment|just a (moment|second)|fetching|preparing|wird geladen|l[aä]dt|bitte warten|einen moment|chargement|veuillez patienter|cargando|espere|caricamento|attendere|carregando|aguarde|laden|ładowanie|загрузка|подождите|yükleniyor|読み込み中|加载中|載入中|로딩)(?!\p{L}).{0,30}$/iu;
    const found: HTMLElement[] = [];
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(), seen = 0; node && seen < 2_000; node = walker.nextNode(), seen += 1) {
        const { parentElement, textContent } = node;
        const trimmed = textContent?.trim() ?? '';
        if (trimmed.length < 3 || trimmed.length >= 60 || !text.test(trimmed) || !parentElement) continue;
        if (isShown(parentElement) && inView(parentElement)) found.push(parentElement);
      }
    }
    return found;
  }
}
