import { bannerBoxes } from './banner-boxes.ts';
import { bannerNames } from './banner-names.ts';
import { bannerRemoval } from './banner-removal.ts';
import { bannerSearch } from './banner-search.ts';
import { bannerSigns } from './banner-signs.ts';
import { bannerWatch } from './banner-watch.ts';
import { bannerWords } from './banner-words.ts';
import { domTools } from './dom-tools.ts';

let cached: { known: string[]; script: string } | undefined;

/**
 * The script that hides banners: it adds `captureBanners` to its world (see `BannerWorld`), once.
 *
 * @param known ids and classes of banners.
 */
export function bannerScript(known: string[]): string {
  if (cached?.known !== known) cached = { known, script: compose(known) };
  return cached.script;
}

function compose(known: string[]): string {
  const input = JSON.stringify({ names: bannerNames, words: bannerWords, known });
  return `globalThis.captureBanners ?? (() => {
    const dom = (${domTools})();
    const signs = (${bannerSigns})(dom, ${input});
    const boxes = (${bannerBoxes})(dom, signs);
    const search = (${bannerSearch})(dom, signs, boxes);
    const removal = (${bannerRemoval})(dom, signs, boxes);
    (${bannerWatch})(dom, signs, boxes, search, removal);
  })();`;
}
