/** What a sitemap names. */
export interface Locations {
  /** Whether these are sitemaps rather than pages. */
  isIndex: boolean;
  locations: string[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The addresses in the `<loc>` elements of a sitemap, without those of its extensions (`<image:loc>`). It looks for
 * nothing else in the document, so there is nothing else that a hostile one could make it do: no entities of its own, no
 * documents that it includes, and each character is looked at a few times at most.
 */
export function locationsIn(xml: string): Locations {
  const text = withoutComments(xml);
  const locations: string[] = [];
  for (let at = 0; ; ) {
    const opened = text.indexOf('<loc', at);
    if (opened === -1) break;
    const begins = text.indexOf('>', opened) + 1;
    if (begins === 0) break;
    at = begins;
    // Another element, as <location>, or an empty one.
    if (!/^<loc(?:\s[^>]*)?>$/.test(text.slice(opened, begins)) || text[begins - 2] === '/') continue;
    const ends = text.indexOf('</loc', begins);
    if (ends === -1) break;
    const location = contentOf(text.slice(begins, ends));
    if (location !== '') locations.push(location);
    at = ends;
  }
  return { isIndex: /<sitemapindex[\s>]/.test(text.slice(0, 10_000)), locations };
}

function withoutComments(xml: string): string {
  const kept: string[] = [];
  for (let at = 0; ; ) {
    const opened = xml.indexOf('<!--', at);
    if (opened === -1) return [...kept, xml.slice(at)].join('');
    kept.push(xml.slice(at, opened));
    const closed = xml.indexOf('-->', opened + 4);
    if (closed === -1) return kept.join('');
    at = closed + 3;
  }
}

/** The text of an element that holds nothing but text. */
function contentOf(inside: string): string {
  const trimmed = inside.trim();
  const [, literal] = /^<!\[CDATA\[([\s\S]*)\]\]>$/.exec(trimmed) ?? [];
  if (literal !== undefined) return literal.trim();
  return trimmed.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
