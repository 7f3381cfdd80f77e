/// <reference lib="dom" />
import { composeScript } from '../../compose-script.ts';
import type { Frozen, FrozenWorld } from './frozen.ts';
import { type GrownWindow, grownWindow } from './grown-window.ts';
import { keepPseudos, type PseudoKeeping } from './keep-pseudos.ts';
import { keepSizes, type SizeKeeping } from './keep-sizes.ts';
import { type Layers, layers } from './layers.ts';
import { tiles } from './tiles.ts';

/**
 * Puts elements back to their place after the viewport has grown. A background that filled the window fills the page, a bar
 * at the window's end is at the end of the page, and everything else stays where it was on the first screen.
 */
export const placeElements = composeScript<null>()
  .part('view', grownWindow)
  .part('tiles', tiles)
  .part('sizes', keepSizes)
  .part('layers', layers)
  .part('pseudos', keepPseudos)
  .main(placeAll);

function placeAll({
  view: { frozen, innerWidth, grown, set },
  sizes: { keepInlineLengths, keepBackdrops },
  layers: { showsImage, canvasIn, hasPhoto, isCoveredBelow, coversContent, stretch },
  pseudos: { placePseudos },
}: {
  view: GrownWindow;
  sizes: SizeKeeping;
  layers: Layers;
  pseudos: PseudoKeeping;
}): void {
  if (!frozen) return;
  keepInlineLengths();
  leaveARest();
  for (const each of frozen.placed) {
    try {
      place(each);
    } catch {
      // Controls of a form hide its own properties.
    }
  }
  keepBackdrops();
  placePseudos();
  for (const { element, through, height } of frozen.windows) {
    // Scripts that move it know its place.
    if (getComputedStyle(element).transform !== 'none') continue;
    const { top, height: opening } = through.getBoundingClientRect();
    set(element, { top: `${top + (opening - height) / 2}px`, bottom: 'auto', height: `${height}px` });
  }

  function place({ element, top, before, content }: Frozen['placed'][number]): void {
    if (!frozen) return;
    if (!element.isConnected) return;
    const [usedTop = '', height = '', marginTop = '', marginBottom = '', paddingBottom = '', bottom = ''] = before;
    const style = getComputedStyle(element);
    const isFixed = style.position === 'fixed';
    const map = element.computedStyleMap();
    // A closed panel below the window: no visitor sees it.
    const isBelow = isFixed && Math.min(top, element.getBoundingClientRect().top) >= frozen.height - 1;
    if (isBelow || (isFixed && isBeside(element))) {
      set(element, { 'clip-path': 'inset(100%)' });
      return;
    }
    const beforeHeight = Number.parseFloat(height);
    if (isFixed && hasRoom(element)) {
      set(element, { position: 'relative', top: '0px', left: '0px', bottom: 'auto', height });
      return;
    }
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
      const isPage = Math.max(content, beforeHeight) > frozen.height * 1.5;
      const isPhoto = !canvas && !isCurtain && !isPage && hasPhoto(element);
      frozen.photos[isPhoto ? 'add' : 'delete'](element);
      if (canvas || isCurtain) set(element, { bottom: 'auto', top: usedTop, height });
      else if (isPhoto) set(element, { bottom: 'auto', top: usedTop, height, 'min-height': '0' });
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

  /** Whether a script holds it in the window while it is scrolled, and keeps its room in the page: a pinned scene. */
  function hasRoom(element: HTMLElement): boolean {
    const { parentElement: parent } = element;
    if (!parent || parent === document.body || parent.childNodes.length > 1) return false;
    const room = parent.getBoundingClientRect();
    const { top, width, height } = element.getBoundingClientRect();
    const isSame = Math.abs(room.top - top) < 2 && Math.abs(room.width - width) < 2;
    return isSame && getComputedStyle(parent).position === 'relative' && room.height > height + 100;
  }

  /** A closed panel beside the window, which a page that is wider would show. */
  function isBeside(element: HTMLElement): boolean {
    const { left, right } = element.getBoundingClientRect();
    return right <= 0 || left >= innerWidth;
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
}

/** Removes the pixel below the page: on paper it would be on a sheet of its own. */
export function removeRest(): void {
  const { captureFrozen: frozen } = globalThis as FrozenWorld;
  frozen?.rest?.remove();
  if (frozen) delete frozen.rest;
}
