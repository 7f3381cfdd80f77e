/// <reference lib="dom" />
import type { BannerBoxes } from './banner-boxes.ts';
import type { BannerSigns } from './banner-signs.ts';
import type { DomTools } from './dom-tools.ts';

/** See `bannerRemoval`. */
export type BannerRemoval = ReturnType<typeof bannerRemoval>;

/** Hides banners and undoes what they did to the page behind them. Runs in the page, as text (see `bannerScript`). */
export function bannerRemoval({ dom, signs, boxes }: { dom: DomTools; signs: BannerSigns; boxes: BannerBoxes }) {
  const set = (element: Element, name: string, value: string) => {
    if (element instanceof HTMLElement) dom.styleOf(element).setProperty(name, value, 'important');
  };

  const covers = (element: Element): boolean => {
    const { left, top, right, bottom } = dom.rectOf(element);
    return left <= 1 && top <= 1 && right >= innerWidth - 1 && bottom >= innerHeight - 1;
  };
  /** A layer over the page without content. */
  const isLayer = (element: Element): boolean =>
    !boxes.isRoot(element) &&
    dom.isRendered(element) &&
    ['fixed', 'absolute'].includes(getComputedStyle(element).position) &&
    covers(element) &&
    dom.textOf(element, 50).length < 10 &&
    !dom.query(element, 'img, video, canvas, iframe, object, svg').some(dom.isRendered);
  const isTinted = (element: Element, pseudo?: string): boolean => {
    const { backgroundColor, backdropFilter, opacity, backgroundImage } = getComputedStyle(element, pseudo);
    const alpha = Number(/^rgba\(.*, ([\d.]+)\)$/.exec(backgroundColor)?.[1] ?? 1) * Number(opacity);
    return backdropFilter !== 'none' || (backgroundImage === 'none' && alpha > 0.02 && alpha < 0.99);
  };

  /** Layers that belonged to the banner: its siblings, or what is now in front of everything. */
  const backdrops = (banner: Element): Element[] => {
    const found = new Set<Element>();
    for (let each: Element | null = banner, n = 0; each && n < 3; each = dom.parentOf(each), n += 1) {
      const parent = dom.parentOf(each);
      for (const sibling of parent ? [...(dom.shadowRoot(parent)?.children ?? dom.childrenOf(parent))] : []) {
        if (!isLayer(sibling)) continue;
        const isNamed = signs.hasName(sibling, 'platform') || signs.hasName(sibling, 'topic');
        if (isNamed || (isTinted(sibling) && signs.hasName(sibling, 'backdrop'))) found.add(sibling);
      }
    }
    for (let n = 0; n < 3; n += 1) {
      const points = [
        [0.5, 0.5],
        [0.3, 0.3],
        [0.7, 0.3],
        [0.3, 0.7],
        [0.7, 0.7],
      ] as const;
      const hits = points.map(([x, y]) =>
        Document.prototype.elementFromPoint.call(document, innerWidth * x, innerHeight * y),
      );
      const front = hits[0];
      if (!front || found.has(front) || hits.filter((hit) => hit === front).length < 4) break;
      if (!isLayer(front) || !isTinted(front)) break;
      found.add(front);
      set(front, 'display', 'none');
    }
    return [...found];
  };

  /** Undoes what keeps the page from scrolling, if the page then scrolls. */
  const unlock = () => {
    const roots = [dom.root(), dom.body()].filter((root) => root !== null);
    const before = roots.map((root) => dom.attribute(root, 'style'));
    const isLocked = roots.some((root) => {
      const { overflowY, position } = getComputedStyle(root);
      return /hidden|clip/.test(overflowY) || position === 'fixed';
    });
    if (!isLocked) return;
    for (const root of roots) {
      const { overflowY, position } = getComputedStyle(root);
      if (/hidden|clip/.test(overflowY)) set(root, 'overflow-y', 'visible');
      if (position === 'fixed') {
        for (const [name, value] of [
          ['position', 'static'],
          ['top', 'auto'],
          ['width', 'auto'],
        ] as const)
          set(root, name, value);
      }
      // A scrollbar's width, which scripts add while it is hidden.
      if (Number.parseFloat(dom.styleOf(root).paddingRight) <= 20) set(root, 'padding-right', '0');
    }
    const { scrollHeight } = dom.root();
    if (scrollHeight > innerHeight + 1) return;
    for (const [index, root] of roots.entries())
      Element.prototype.setAttribute.call(root, 'style', before[index] ?? '');
  };

  /** Layers that are drawn by `html::before` and the like. */
  const hidePseudoLayers = () => {
    for (const root of [dom.root(), dom.body()]) {
      for (const pseudo of ['::before', '::after']) {
        if (!root) continue;
        const { content, position, width, height } = getComputedStyle(root, pseudo);
        const isLarge = Number.parseFloat(width) >= innerWidth - 1 && Number.parseFloat(height) >= innerHeight - 1;
        if (content === 'none' || !['fixed', 'absolute'].includes(position) || !isLarge) continue;
        if (!isTinted(root, pseudo)) continue;
        const sheet = new CSSStyleSheet();
        sheet.insertRule(`${dom.nameOf(root)}${pseudo} { display: none !important }`);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }
    }
  };

  /** Shows what is behind the banner: blurred content, and the room that scripts made for a bar. */
  const restore = (height: number) => {
    const body = dom.body();
    if (!body) return;
    const outer = [dom.root(), body, ...dom.childrenOf(body)].slice(0, 50);
    const behind = [...outer, ...outer.slice(2).flatMap((element) => [...dom.childrenOf(element)].slice(0, 50))];
    for (const element of behind) {
      if (/blur\(/.test(getComputedStyle(element).filter) && dom.rectOf(element).width > innerWidth / 2) {
        set(element, 'filter', 'none');
      }
    }
    for (const root of [dom.root(), body]) {
      for (const name of ['padding-top', 'padding-bottom', 'margin-top', 'margin-bottom']) {
        const room = Number.parseFloat(dom.styleOf(root).getPropertyValue(name));
        if (height > 20 && Math.abs(room - height) <= 2) set(root, name, '0');
      }
    }
  };

  return {
    /** @returns descriptions of what was hidden. */
    hide(banners: Element[]): string[] {
      const hidden: Element[] = [];
      for (const banner of banners) {
        const { height } = dom.rectOf(banner);
        set(banner, 'display', 'none');
        hidden.push(banner);
        for (const layer of backdrops(banner)) {
          set(layer, 'display', 'none');
          hidden.push(layer);
        }
        restore(height);
      }
      if (banners.length > 0) {
        hidePseudoLayers();
        unlock();
      }
      return hidden.map(dom.describe);
    },
  };
}
