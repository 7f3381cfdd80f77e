import { rootElements } from '../dom/examined.ts';
import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import type { Backdrop } from '../state/tall-page.ts';
import { holderOf, isAnchored } from './holders.ts';
import { tilesOf } from './tiles.ts';
import { forEachHtmlElement } from './visitor-window.ts';

/** How long to wait for images, milliseconds. They have arrived in view, and load from memory. */
const imagesWithinMs = 500;

const imagesAtMost = 20;

/** Records background images that stay in the window while the page scrolls. */
export async function recordBackdrops(): Promise<void> {
  if (!state.visitor || state.backdrops) return;
  const all = new Map<HTMLElement, Backdrop>();
  state.backdrops = { all, undo: new Map() };
  forEachHtmlElement((element) => {
    const style = getComputedStyle(element);
    if (stays(element, style) && style.backgroundImage.includes('url(')) all.set(element, backdropOf(style));
  });
  await readRatios([...all.values()]);
}

function stays(element: HTMLElement, style: CSSStyleDeclaration): boolean {
  const isFixed = style.position === 'fixed' && !holderOf(element.parentElement);
  if (isFixed) return !isAnchored(style);
  return /fixed/.test(style.backgroundAttachment);
}

export function backdropOf(style: CSSStyleDeclaration): Backdrop {
  const {
    backgroundImage: image,
    backgroundSize: size,
    backgroundPosition: position,
    backgroundRepeat: repeat,
  } = style;
  return { image, size, position, repeat };
}

/** Reads the proportions of background images into `state.ratios`. */
export async function readRatios(backdrops: Backdrop[]): Promise<void> {
  state.ratios ??= new Map();
  const { ratios } = state;
  const urls = backdrops.flatMap(({ image }) => [...image.matchAll(/url\("([^"]*)"\)/g)].map(([, url = '']) => url));
  const unknown = [...new Set(urls)].filter((url) => !ratios.has(url));
  if (unknown.length === 0) return;
  const reading = unknown.slice(0, imagesAtMost).map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    ratios.set(url, image.naturalWidth / image.naturalHeight);
  });
  await within(imagesWithinMs, Promise.allSettled(reading));
}

/** Waits for `work` for at most `limitMs` milliseconds. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, limitMs))]);
}

/** Gives background images their size in the visitor's window, and repeats them down the page. */
export function applyBackdrops(): void {
  const { visitor, backdrops } = state;
  if (!visitor || !backdrops) return;
  for (const [element, backdrop] of backdrops.all) {
    if (!element.isConnected) continue;
    const { height } = element.getBoundingClientRect();
    if (!rootElements().includes(element) && height <= visitor.height * 1.5) {
      setStyles(element, { 'background-attachment': 'scroll' });
      continue;
    }
    const styles = tilesOf(backdrop, { width: window.innerWidth, height: visitor.height }, state.ratios ?? new Map());
    if (!styles) continue;
    setStyles(element, styles);
    // Paper shows a fixed background without text on every sheet, as large as the sheet.
    const { size, position, repeat } = backdrop;
    const own = { 'background-size': size, 'background-position': position, 'background-repeat': repeat };
    const isAlone = getComputedStyle(element).position === 'fixed' && !element.textContent?.trim();
    if (isAlone) backdrops.undo.set(element, () => setStyles(element, own));
  }
}

/** Restores the size of the backgrounds that paper shows on every sheet. */
export function undoBackdrops(): void {
  for (const undo of state.backdrops?.undo.values() ?? []) undo();
  state.backdrops?.undo.clear();
}
