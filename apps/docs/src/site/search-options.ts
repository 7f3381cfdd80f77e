import type { Options } from 'minisearch';

/** What a search finds: a page or a part of one. */
export interface SearchEntry {
  url: string;
  title: string;
  /** The page that it is a part of. */
  page: string;
  text: string;
  /** How the text begins. */
  excerpt: string;
}

/** Words that say nothing about what is looked for. */
const fillers = new Set(
  'a an and are at be by can do does for from how i in is it my of on or the to what when which with'.split(' '),
);

/** The same when the index is built and when it is read. */
export const searchOptions: Options<SearchEntry> = {
  idField: 'url',
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  searchOptions: {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 6, page: 2 },
    // A page before its parts.
    boostDocument: (_id, _term, stored) => (stored?.page === '' ? 1.6 : 1),
  },
  processTerm: (term) => {
    const word = term.toLowerCase();
    return fillers.has(word) ? null : word;
  },
  // Names such as `full_page` are found whole and by their parts.
  tokenize: (text) =>
    text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
};
