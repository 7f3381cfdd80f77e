import { boxAround } from './banners/boxes.ts';
import { hideBoxes } from './banners/removal.ts';
import { findHints } from './banners/search.ts';
import { BannerWatch } from './banners/watch.ts';
import type { BannersState } from './state/banners-state.ts';
import { state } from './state/page-state.ts';

export { isConsentDocument } from './banners/signs.ts';

function bannersState(known: readonly string[]): BannersState {
  state.banners ??= { known: new Set(known) };
  return state.banners;
}

/** Whether a banner may be there, and whether an accept button is the only choice. `known`: ids and classes of banners. */
export function bannerHints(known: readonly string[]): { isLikely: boolean; isAcceptOnly: boolean } {
  bannersState(known);
  return findHints();
}

/**
 * Hides the banners of the document, now and from now on.
 *
 * @param input.known ids and classes of banners.
 * @param input.stopsClicks whether scripts in this world, such as a rule that was not finished in time, must click no more.
 * @returns descriptions of the hidden elements.
 */
export function hideBanners({ known, stopsClicks }: { known: readonly string[]; stopsClicks: boolean }): string[] {
  if (stopsClicks) stopClicks();
  const banners = bannersState(known);
  banners.watch ??= new BannerWatch();
  return banners.watch.hide();
}

/** Resolves with descriptions when `hideBanners` has hidden more elements. */
export function nextHiddenBanners(): Promise<string[]> {
  return state.banners?.watch?.next() ?? Promise.resolve([]);
}

/** Hides a frame of this document whose content is a banner. */
export function hideBannerFrame(frame: Element): string[] {
  const box = boxAround(frame);
  return box ? hideBoxes([box]) : [];
}

function stopClicks(): void {
  HTMLElement.prototype.click = () => undefined;
  EventTarget.prototype.dispatchEvent = () => true;
}
