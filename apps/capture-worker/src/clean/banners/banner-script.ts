import { composeScript } from '../../compose-script.ts';
import { bannerBoxes } from './banner-boxes.ts';
import { bannerNames } from './banner-names.ts';
import { bannerRemoval } from './banner-removal.ts';
import { bannerSearch } from './banner-search.ts';
import { type BannerInput, bannerSigns } from './banner-signs.ts';
import { bannerWatch } from './banner-watch.ts';
import { bannerWords } from './banner-words.ts';
import { domTools } from './dom-tools.ts';

const hideBanners = composeScript<BannerInput>()
  .part('dom', domTools)
  .part('signs', bannerSigns)
  .part('boxes', bannerBoxes)
  .part('search', bannerSearch)
  .part('removal', bannerRemoval)
  .main(bannerWatch);

let cached: { known: string[]; script: string } | undefined;

/**
 * The script that hides banners: it adds `captureBanners` to its world (see `BannerWorld`), once.
 *
 * @param known ids and classes of banners.
 */
export function bannerScript(known: string[]): string {
  if (cached?.known !== known) {
    const input: BannerInput = { names: bannerNames, words: bannerWords, known };
    cached = { known, script: `globalThis.captureBanners ?? (${hideBanners})(${JSON.stringify(input)});` };
  }
  return cached.script;
}
