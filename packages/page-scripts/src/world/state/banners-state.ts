/** The state of the scripts that hide the cookie banners of a document. */
export interface BannersState {
  /** Ids and classes of banners, from the rules of the consent library. */
  known: ReadonlySet<string>;
  /** Hides the banners of the document, now and from now on. */
  watch?: BannerWatching;
}

export interface BannerWatching {
  /** @returns descriptions of the hidden elements. */
  hide(): string[];
  /** Resolves when more elements were hidden. */
  next(): Promise<string[]>;
}
