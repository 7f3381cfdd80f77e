import { latestCopy } from './latest-copy.ts';

export interface ContentLink {
  url: string;
  text: string;
  rel: string[];
  /** Whether the link leads to the page's own host, with or without `www.`. */
  internal: boolean;
}

const blocks =
  'address, article, blockquote, br, dd, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, li, ol, p, pre, section, table, td, th, tr, ul';

const longestText = 1_000;

/** Lists the links of the content, each URL once: at most `most` links. */
export function writeLinks({ most, host }: { most: number; host: string }): ContentLink[] {
  const links = new Map<string, ContentLink>();
  for (const link of latestCopy().root.querySelectorAll('a[href]')) {
    const url = link.getAttribute('href') ?? '';
    const text = linkText(link);
    const known = links.get(url);
    if (known) known.text ||= text;
    if (known || links.size >= most) continue;
    const rel = (link.getAttribute('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    links.set(url, { url, text, rel, internal: isInternal(url, host) });
  }
  return [...links.values()];
}

/** The text that a link shows, or the description of its images. */
function linkText(link: Element): string {
  const shown = link.cloneNode(true) as Element;
  // The texts of two blocks are two words.
  for (const part of shown.querySelectorAll(blocks)) part.replaceWith(' ', ...part.childNodes, ' ');
  const alt = [...link.querySelectorAll('img')].map((image) => image.getAttribute('alt') ?? '').join(' ');
  return (shown.textContent.trim() || alt).replace(/\s+/g, ' ').trim().slice(0, longestText);
}

export function isInternal(url: string, host: string): boolean {
  const plain = (name: string) => name.replace(/^www\./, '');
  return /^https?:/.test(url) && plain(new URL(url).host) === plain(host);
}
