/// <reference lib="dom" />
import type { Backdrop, Frozen } from './frozen.ts';

/** See `rememberPlaces`. */
export type PlaceMemory = ReturnType<typeof rememberPlaces>;

/** Remembers what the visitor's window shows where. Part of `freezePage`. */
export function rememberPlaces({ frozen }: { frozen: Frozen }) {
  const { innerHeight } = window;
  const html = document.documentElement;
  // Without a doctype, percentages of the height are of the window's.
  const isQuirky = document.compatMode === 'BackCompat';
  const hasShare = (element: Element) => String(element.computedStyleMap().get('height')).includes('%');
  return { rememberPlace, rememberShape, readBackdrops, holderOf, backdropOf };

  function rememberPlace(element: HTMLElement): void {
    if (isQuirky && (hasShare(element) || (element instanceof HTMLImageElement && element.naturalWidth === 0))) {
      frozen.styleOf(element).setProperty('height', `${element.offsetHeight}px`, 'important');
    }
    const style = getComputedStyle(element);
    const held = style.position === 'fixed' ? holderOf(element.parentElement) : null;
    const isFixed = style.position === 'fixed' && !held;
    // It follows another element, wherever that is.
    if (isFixed && /^--/.test(style.getPropertyValue('position-anchor'))) return;
    if (held?.cuts && element.offsetHeight >= innerHeight * 0.95) {
      frozen.windows.push({ element, through: held.holder, height: element.offsetHeight });
    }
    const stays = isFixed || /fixed/.test(style.backgroundAttachment);
    if (stays && style.backgroundImage.includes('url(')) frozen.backdrops.set(element, backdropOf(style));
    if (!isFixed && !isOnScreen(element, style)) return;
    const rect = element.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0) return;
    const before = ['top', 'height', 'margin-top', 'margin-bottom', 'padding-bottom', 'bottom'].map((name) =>
      style.getPropertyValue(name),
    );
    frozen.placed.push({
      element,
      top: rect.top + (isFixed ? 0 : window.scrollY),
      before,
      content: element.scrollHeight,
    });
  }

  function backdropOf(style: CSSStyleDeclaration): Backdrop {
    const {
      backgroundImage: image,
      backgroundSize: size,
      backgroundPosition: position,
      backgroundRepeat: repeat,
    } = style;
    return { image, size, position, repeat };
  }

  /** The ancestor, from `parent` on, that holds a fixed element in place of the window, or cuts it; null if there is none. */
  function holderOf(parent: Element | null): { holder: Element; cuts: boolean } | null {
    for (let each = parent; each && each !== html; each = each.parentElement) {
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

  function rememberShape(canvas: HTMLCanvasElement): void {
    const { height: box } = canvas.getBoundingClientRect();
    if (box > 0) frozen.canvases.push({ canvas, bitmap: canvas.height, box });
  }

  /** They have arrived already, as they are in view or were scrolled to. */
  async function readBackdrops(): Promise<void> {
    const all = [...frozen.backdrops.values(), ...frozen.pseudos.map(({ backdrop }) => backdrop)];
    const urls = new Set(
      all.flatMap(({ image }) => [...image.matchAll(/url\("([^"]*)"\)/g)].map(([, url = '']) => url)),
    );
    const reading = [...urls].slice(0, 20).map(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      frozen.ratios.set(url, image.naturalWidth / image.naturalHeight);
    });
    await Promise.allSettled(reading);
  }
}
