import { SaxesParser } from 'saxes';
import { UsageError } from '../usage-error.ts';
import { isGzip, unzip } from './gzip.ts';
import { loadBytes } from './load-bytes.ts';

/** An index may list sitemaps only (sitemaps.org), but one more level is accepted. */
const maxIndexDepth = 2;

/** An index may list 50,000 sitemaps (sitemaps.org), far more than a user wants to load by accident. */
const maxSitemaps = 500;

/** Tolerated faults in the XML. Real sitemaps have some. Each takes microseconds, so a hostile sitemap is cut short. */
const maxFaults = 10_000;

/** Matches an `&` that begins no reference of XML. Many URLs have one, and a parser swallows the text after it. */
const bareAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** Replaces a bare `&` while the XML is parsed. URLs do not contain this character for private use. */
const placeholder = '\uE000';

export function isSitemap(text: string): boolean {
  return /^\s*</.test(text) && /<(?:urlset|sitemapindex)[\s>]/.test(text.slice(0, 10_000));
}

/**
 * Returns the pages of a sitemap; for an index, those of all its sitemaps.
 *
 * @param source the name in messages.
 * @throws {UsageError} if the sitemap, or a sitemap that it lists, cannot be loaded or is not a sitemap.
 */
export async function readSitemap(text: string, source: string, signal: AbortSignal): Promise<string[]> {
  let loaded = 0;
  const pages: string[] = [];
  const read = async (xml: string, name: string, depth: number): Promise<void> => {
    if (!isSitemap(xml)) throw new UsageError(`${name} is not a sitemap`);
    const { isIndex, locations } = parseSitemap(xml);
    if (!isIndex) {
      for (const location of locations) pages.push(location);
      return;
    }
    if (depth >= maxIndexDepth) throw new UsageError(`${name} is an index of indexes of indexes`);
    for (const location of locations) {
      loaded += 1;
      if (loaded > maxSitemaps) throw new UsageError(`${source} lists more than ${maxSitemaps} sitemaps`);
      // A sitemap from the web must never make the program read a local file.
      if (!/^https?:\/\//i.test(location))
        throw new UsageError(`${name} lists a sitemap that is neither http nor https`);
      const bytes = await loadBytes(location, signal);
      await read((isGzip(bytes) ? unzip(bytes, location) : bytes).toString('utf8'), location, depth + 1);
    }
  };
  await read(text, source, 0);
  return pages;
}

/**
 * Returns the text of each `<loc>`, without those of extensions (`<image:loc>`). Entities of a DOCTYPE are neither expanded nor
 * loaded: `&name;` stays unchanged.
 *
 * @throws {UsageError} for more than 10,000 faults in the XML.
 */
export function parseSitemap(xml: string): { isIndex: boolean; locations: string[] } {
  const parser = new SaxesParser();
  const locations: string[] = [];
  let isIndex = false;
  let location: string | null = null;
  let faults = 0;
  const append = (text: string) => {
    if (location !== null) location += text;
  };
  parser.on('error', () => {
    faults += 1;
    if (faults > maxFaults) throw new UsageError('the sitemap is not valid XML');
  });
  parser.on('opentag', ({ name }) => {
    isIndex ||= name === 'sitemapindex';
    location = name === 'loc' ? '' : null;
  });
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', ({ name }) => {
    const found = location?.trim().replaceAll(placeholder, '&');
    if (name === 'loc' && found) locations.push(found);
    location = null;
  });
  // Without `close()`, a document that breaks off keeps the locations before the break.
  parser.write(xml.replaceAll(bareAmpersand, placeholder));
  return { isIndex, locations };
}
