/// <reference lib="dom" />
import type { GrownWindow } from './grown-window.ts';
import type { Tiles } from './tiles.ts';

/** See `keepSizes`. */
export type SizeKeeping = ReturnType<typeof keepSizes>;

/** Keeps what scripts and backgrounds took from the height of the window. Part of `placeElements`. */
export function keepSizes({
  view: { frozen, innerWidth, grown, frozenHeight, set },
  tiles: { tilesOf },
}: {
  view: GrownWindow;
  tiles: Tiles;
}) {
  return { keepInlineLengths, keepBackdrops };

  /** Lengths that scripts have set from the height of the window: they grew by as much as it, or in its proportion. */
  function keepInlineLengths(): void {
    if (!frozen) return;
    const [difference, ratio] = [grown - frozen.height, grown / frozen.height];
    const isGrown = (name: string, before: string, after: string) => {
      const [one, other] = [Number.parseFloat(before), Number.parseFloat(after)];
      if (!after.endsWith('px') || !before.endsWith('px') || one <= 0) return false;
      if (Math.abs(other - one - difference) < 3 || Math.abs(other / one / ratio - 1) < 0.02) return true;
      // About the height of the window before, and about its height now.
      const wasScreen = one > frozenHeight * 0.5 && one < frozenHeight * 1.1;
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

  /** Background images that stayed in the window while the page scrolled keep the size that they had in it. */
  function keepBackdrops(): void {
    if (!frozen) return;
    for (const [element, backdrop] of frozen.backdrops) {
      if (!element.isConnected) continue;
      const { height } = element.getBoundingClientRect();
      const isRoot = element === document.body || element === document.documentElement;
      if (!isRoot && height <= frozen.height * 1.5) {
        set(element, { 'background-attachment': 'scroll' });
        continue;
      }
      const styles = tilesOf(backdrop, { width: innerWidth, height: frozen.height }, frozen.ratios);
      if (!styles) continue;
      set(element, styles);
      // Paper shows one without text on every sheet, as large as the sheet.
      const { size, position, repeat } = backdrop;
      const own = { 'background-size': size, 'background-position': position, 'background-repeat': repeat };
      const undo = () => set(element, own);
      if (getComputedStyle(element).position === 'fixed' && !element.textContent?.trim()) frozen.undo.push(undo);
    }
  }
}
