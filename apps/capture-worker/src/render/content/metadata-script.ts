/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

export interface ContentMetadata {
  url: string;
  title: string | null;
  description: string | null;
  canonical: string | null;
  /** BCP 47, as the page says it. */
  language: string | null;
  author: string | null;
  keywords: string[];
  robots: string | null;
  theme_color: string | null;
  /** By names without `og:`; a name that is given several times has a list. */
  open_graph: Record<string, string | string[]>;
  /** By names without `twitter:`. */
  twitter: Record<string, string | string[]>;
  /** The blocks that are valid JSON. */
  json_ld: unknown[];
  icons: { url: string; rel: string; sizes: string | null; type: string | null }[];
  feeds: { url: string; title: string | null; type: string }[];
  /** Versions in other languages. */
  alternates: { url: string; language: string }[];
}

/** Reads what the page says of itself: JSON of `ContentMetadata`. */
export function readMetadata({ most }: { most: number }): string {
  let left = most;
  const clean = (text: string | null | undefined): string | null => {
    const short = (text ?? '')
      .slice(0, Math.min(10_000, Math.max(0, left)))
      .replace(/\s+/g, ' ')
      .trim();
    left -= short.length;
    return short === '' ? null : short;
  };
  const absolute = (text: string | null): string | null => {
    try {
      const { protocol, href } = new URL((text ?? '').trim(), document.baseURI);
      if (!text?.trim() || !/^https?:$/.test(protocol) || href.length > 8_192) return null;
      left -= href.length;
      return left > 0 ? href : null;
    } catch {
      return null;
    }
  };
  const named = (name: string) =>
    [...document.querySelectorAll(`meta[name="${name}" i], meta[property="${name}" i]`)]
      .slice(0, 10)
      .reduce<string | null>((found, meta) => found ?? clean(meta.getAttribute('content')), null);
  const group = (prefix: string) => {
    const found: Record<string, string | string[]> = Object.create(null);
    for (const meta of [...document.querySelectorAll('meta')].slice(0, 1_000)) {
      const name = (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase();
      const isUrl = /(^|:)(url|image|video|audio|secure_url|src)$/.test(name);
      const content = meta.getAttribute('content');
      const value = (isUrl ? absolute(content) : null) ?? clean(content);
      if (!name.startsWith(prefix) || name.length > 100 || value === null) continue;
      const key = name.slice(prefix.length);
      if (key === '' || key === '__proto__') continue;
      const known = found[key];
      found[key] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
    }
    return found;
  };
  const links = [...document.querySelectorAll('link[rel][href]')].slice(0, 1_000).map((link) => ({
    rels: (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/),
    rel: (link.getAttribute('rel') ?? '').slice(0, 100),
    url: absolute(link.getAttribute('href')),
    type: clean(link.getAttribute('type')),
    title: clean(link.getAttribute('title')),
    sizes: clean(link.getAttribute('sizes')),
    language: clean(link.getAttribute('hreflang')),
  }));
  const linksWith = (rel: string) =>
    links.flatMap((link) => (link.url !== null && link.rels.includes(rel) ? [{ ...link, url: link.url }] : []));
  /** Whether a value has more levels than any vocabulary: writing it could exhaust the stack. */
  const isDeep = (value: unknown, levels = 500): boolean =>
    levels === 0 ||
    (typeof value === 'object' && value !== null && Object.values(value).some((inner) => isDeep(inner, levels - 1)));
  const blocks: unknown[] = [];
  for (const script of document.querySelectorAll('script[type="application/ld+json" i]')) {
    const text = script.textContent ?? '';
    if (text.length > left) continue;
    try {
      const block: unknown = JSON.parse(text);
      if (isDeep(block)) continue;
      blocks.push(block);
      left -= text.length;
    } catch {
      // A block with a mistake is left out, as search engines do.
    }
  }
  const icons = links.flatMap(({ rels, rel, url, sizes, type }) =>
    url !== null && rels.some((each) => /^(icon|apple-touch-icon(-precomposed)?|mask-icon)$/.test(each))
      ? [{ url, rel, sizes, type }]
      : [],
  );
  const feeds = linksWith('alternate').flatMap(({ url, title, type }) =>
    type !== null && /^application\/(rss|atom|feed)\+(xml|json)$/i.test(type) ? [{ url, title, type }] : [],
  );
  const metadata: ContentMetadata = {
    url: location.href,
    title: clean(document.title) ?? named('og:title'),
    description: named('description') ?? named('og:description'),
    canonical: linksWith('canonical')[0]?.url ?? null,
    language: clean(document.documentElement?.getAttribute('lang')),
    author: named('author') ?? named('article:author'),
    keywords: (named('keywords') ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
    robots: named('robots'),
    theme_color: named('theme-color'),
    open_graph: group('og:'),
    twitter: group('twitter:'),
    json_ld: blocks,
    icons,
    feeds,
    alternates: linksWith('alternate').flatMap(({ url, language }) => (language ? [{ url, language }] : [])),
  };
  return JSON.stringify(metadata);
}
