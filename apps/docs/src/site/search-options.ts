import type { Options } from 'minisearch';

/** A result of a search: a page or a part of a page. */
export interface SearchEntry {
  url: string;
  title: string;
  /** The page that contains the part. */
  page: string;
  text: string;
  /** The beginning of the text. */
  excerpt: string;
}

/** Words that do not narrow a search. */
const fillers = new Set(
  'a an and are at be by can do does for from how i in is it my of on or the to what when which with'.split(' '),
);

/** The options must be the same when the index is built and when it is read. */
export const searchOptions: Options<SearchEntry> = {
  idField: 'url',
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  searchOptions: {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 6, page: 2 },
    // A page ranks before its parts.
    boostDocument: (_id, _term, stored) => (stored?.page === '' ? 1.6 : 1),
  },
  processTerm: (term) => {
    const word = term.toLowerCase();
    return fillers.has(word) ? null : word;
  },
  // Names such as `full_page` are found as a whole and by their parts.
  tokenize: (text) =>
    text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
};
