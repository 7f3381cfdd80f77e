import { UsageError } from '../usage-error.ts';
import { isGzip, unzip } from './gzip.ts';
import { loadBytes } from './load-bytes.ts';
import { locationsIn } from './sitemap-locations.ts';

/** An index names sitemaps, which name pages: one that names indexes is against the rules, yet one level more is seen. */
const deepestIndex = 2;

/** An index may name 50,000 sitemaps (sitemaps.org): far more than one wants to load from somebody's server by accident. */
const sitemapsAtMost = 500;

export function isSitemap(text: string): boolean {
  return /^\s*</.test(text) && /<(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 10_000));
}

/**
 * The pages of a sitemap, and of those that it names if it is an index.
 *
 * @param source where it came from, as messages name it.
 * @throws {UsageError} for one that cannot be loaded or is none.
 */
export async function readSitemap(text: string, source: string, signal: AbortSignal): Promise<string[]> {
  let loaded = 0;
  const pages: string[] = [];
  const read = async (xml: string, name: string, depth: number): Promise<void> => {
    if (!isSitemap(xml)) throw new UsageError(`${name} is no sitemap`);
    const { isIndex, locations } = locationsIn(xml);
    if (!isIndex) {
      for (const location of locations) pages.push(location);
      return;
    }
    if (depth >= deepestIndex) throw new UsageError(`${name} is an index of indexes of indexes`);
    for (const location of locations) {
      loaded += 1;
      if (loaded > sitemapsAtMost) throw new UsageError(`${source} names more than ${sitemapsAtMost} sitemaps`);
      // What the web names is loaded from the web: never a file of this machine.
      if (!/^https?:\/\//i.test(location))
        throw new UsageError(`${name} names a sitemap that is neither http nor https`);
      const bytes = await loadBytes(location, signal);
      await read((isGzip(bytes) ? unzip(bytes, location) : bytes).toString('utf8'), location, depth + 1);
    }
  };
  await read(text, source, 0);
  return pages;
}
