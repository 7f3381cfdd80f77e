import { rootElements } from '../dom/elements.ts';
import { setStyles } from '../dom/styles.ts';
import { state } from '../state/page-state.ts';
import type { Backdrop } from '../state/tall-page.ts';
import { holderOf, isAnchored } from './holders.ts';
import { readRatios } from './ratios.ts';
import { tilesOf } from './tiles.ts';
import { forEachHtmlElement } from './visitor-window.ts';

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

/** Gives background images the size that they had in the visitor's window, again and again down the page. */
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

/** Gives the backgrounds that paper shows on every sheet their size back. */
export function undoBackdrops(): void {
  for (const undo of state.backdrops?.undo.values() ?? []) undo();
  state.backdrops?.undo.clear();
}
