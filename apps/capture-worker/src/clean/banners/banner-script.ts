import { bannerNames } from './banner-names.ts';
import { bannerRemoval } from './banner-removal.ts';
import { bannerSearch } from './banner-search.ts';
import { bannerSigns } from './banner-signs.ts';
import { bannerWatch } from './banner-watch.ts';
import { bannerWords } from './banner-words.ts';
import { domTools } from './dom-tools.ts';

/**
 * The script that hides banners: it adds `captureBanners` to its world (see `BannerWorld`), once.
 *
 * @param selectors of the elements of consent platforms.
 */
export function bannerScript(selectors: string[]): string {
  const known = JSON.stringify({ names: bannerNames, words: bannerWords, selectors });
  return `globalThis.captureBanners ?? (() => {
    const dom = (${domTools})();
    const signs = (${bannerSigns})(dom, ${known});
    const search = (${bannerSearch})(dom, signs);
    const removal = (${bannerRemoval})(dom, signs, search);
    (${bannerWatch})(dom, signs, search, removal);
  })();`;
}
