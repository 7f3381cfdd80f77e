/** What a page says about itself, for the format `metadata`. */
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

/** How many elements of a kind are read. */
const elementsAtMost = 1_000;

/** A value that has more levels than any vocabulary could exhaust the stack when it is written. */
const deepest = 500;

/** JSON of `ContentMetadata`, of at most about `most` characters. */
export function readContentMetadata({ most }: { most: number }): string {
  return JSON.stringify(new MetadataReader(most).read());
}

class MetadataReader {
  /** Characters that may still be read. */
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  read(): ContentMetadata {
    const links = this.#readLinks();
    const blocks = this.#readBlocks();
    return {
      url: location.href,
      title: this.#clean(document.title) ?? this.#named('og:title'),
      description: this.#named('description') ?? this.#named('og:description'),
      canonical: withRel(links, 'canonical')[0]?.url ?? null,
      language: this.#clean(document.documentElement?.getAttribute('lang')),
      author: this.#named('author') ?? this.#named('article:author'),
      keywords: splitWords(this.#named('keywords') ?? ''),
      robots: this.#named('robots'),
      theme_color: this.#named('theme-color'),
      open_graph: this.#group('og:'),
      twitter: this.#group('twitter:'),
      json_ld: blocks,
      icons: iconsOf(links),
      feeds: feedsOf(links),
      alternates: withRel(links, 'alternate').flatMap(({ url, language }) => (language ? [{ url, language }] : [])),
    };
  }

  #clean(text: string | null | undefined): string | null {
    const most = Math.min(10_000, Math.max(0, this.#left));
    const short = (text ?? '').slice(0, most).replace(/\s+/g, ' ').trim();
    this.#left -= short.length;
    return short === '' ? null : short;
  }

  #absolute(text: string | null): string | null {
    try {
      const { protocol, href } = new URL((text ?? '').trim(), document.baseURI);
      if (!text?.trim() || !/^https?:$/.test(protocol) || href.length > 8_192) return null;
      this.#left -= href.length;
      return this.#left > 0 ? href : null;
    } catch {
      return null;
    }
  }

  #named(name: string): string | null {
    const all = document.querySelectorAll(`meta[name="${name}" i], meta[property="${name}" i]`);
    for (const meta of [...all].slice(0, 10)) {
      const content = this.#clean(meta.getAttribute('content'));
      if (content !== null) return content;
    }
    return null;
  }

  #group(prefix: string): Record<string, string | string[]> {
    const found: Record<string, string | string[]> = Object.create(null);
    for (const meta of [...document.querySelectorAll('meta')].slice(0, elementsAtMost)) {
      const name = (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase();
      const isUrl = /(^|:)(url|image|video|audio|secure_url|src)$/.test(name);
      const content = meta.getAttribute('content');
      const value = (isUrl ? this.#absolute(content) : null) ?? this.#clean(content);
      if (!name.startsWith(prefix) || name.length > 100 || value === null) continue;
      const key = name.slice(prefix.length);
      if (key === '' || key === '__proto__') continue;
      const known = found[key];
      found[key] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
    }
    return found;
  }

  #readLinks(): PageLink[] {
    return [...document.querySelectorAll('link[rel][href]')].slice(0, elementsAtMost).flatMap((link) => {
      const rel = link.getAttribute('rel') ?? '';
      const read = {
        rels: rel.toLowerCase().split(/\s+/),
        rel: rel.slice(0, 100),
        url: this.#absolute(link.getAttribute('href')),
        type: this.#clean(link.getAttribute('type')),
        title: this.#clean(link.getAttribute('title')),
        sizes: this.#clean(link.getAttribute('sizes')),
        language: this.#clean(link.getAttribute('hreflang')),
      };
      return read.url === null ? [] : [{ ...read, url: read.url }];
    });
  }

  #readBlocks(): unknown[] {
    const blocks: unknown[] = [];
    for (const script of document.querySelectorAll('script[type="application/ld+json" i]')) {
      const text = script.textContent ?? '';
      if (text.length > this.#left) continue;
      try {
        const block: unknown = JSON.parse(text);
        if (isDeep(block)) continue;
        blocks.push(block);
        this.#left -= text.length;
      } catch {
        // A block with a mistake is left out, as search engines do.
      }
    }
    return blocks;
  }
}

interface PageLink {
  rels: string[];
  rel: string;
  url: string;
  type: string | null;
  title: string | null;
  sizes: string | null;
  language: string | null;
}

function withRel(links: readonly PageLink[], rel: string): PageLink[] {
  return links.filter(({ rels }) => rels.includes(rel));
}

function iconsOf(links: readonly PageLink[]): ContentMetadata['icons'] {
  const icons = links.filter(({ rels }) =>
    rels.some((rel) => /^(icon|apple-touch-icon(-precomposed)?|mask-icon)$/.test(rel)),
  );
  return icons.map(({ url, rel, sizes, type }) => ({ url, rel, sizes, type }));
}

function feedsOf(links: readonly PageLink[]): ContentMetadata['feeds'] {
  return withRel(links, 'alternate').flatMap(({ url, title, type }) =>
    type !== null && /^application\/(rss|atom|feed)\+(xml|json)$/i.test(type) ? [{ url, title, type }] : [],
  );
}

function splitWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

export function isDeep(value: unknown, levels = deepest): boolean {
  if (levels === 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => isDeep(inner, levels - 1));
}
