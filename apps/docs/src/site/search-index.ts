import MiniSearch from 'minisearch';
import type { Article } from './markdown.ts';
import { type SearchEntry, searchOptions } from './search-options.ts';

const longestExcerpt = 140;

/** Splits a guide into entries: one a heading, with the text below it. */
export function entriesOf({ title, content }: Article, path: string): SearchEntry[] {
  const parts = content.text.split(/(?=<h[1-3] id=")/);
  return parts.flatMap((part) => {
    const [, level, id = '', heading = ''] = /^<h([1-3]) id="([^"]*)">(.*?)<\/h/.exec(part) ?? [];
    if (level === undefined) return [];
    const name = plainText(heading);
    const isWhole = name === title;
    return [
      {
        url: isWhole ? `/docs/${path}` : `/docs/${path}#${id}`,
        title: name,
        page: isWhole ? '' : title,
        text: plainText(part),
        excerpt: excerptOf(plainText(part.replace(/^<h.*?<\/h\d>/s, ''))),
      },
    ];
  });
}

/** Returns the beginning of a text, cut between words. */
export function excerptOf(text: string): string {
  return text.length <= longestExcerpt ? text : `${text.slice(0, longestExcerpt).replace(/\s+\S*$/, '')} …`;
}

export function plainText(html: string): string {
  const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity).trim();
}

export function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  index.addAll(entries);
  return JSON.stringify(index);
}
