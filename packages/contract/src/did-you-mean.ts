import { closest, distance } from 'fastest-levenshtein';

/** No suggestion is made for a name of more characters. */
const longestName = 40;

/** A name of fewer characters is part of too many others. */
const shortestPart = 3;

/** Suggests the known name that a client probably meant: `; did you mean full_page?` Empty if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0 || name.length > longestName) return '';
  const spelled = spell(name);
  const bySpelling = new Map(known.map((each) => [spell(each), each]));
  const spellings = [...bySpelling.keys()];
  const nearest = closest(spelled, spellings);
  const isNear =
    distance(spelled, nearest) <= Math.min(3, Math.ceil(nearest.length / 4)) || nearest.replaceAll('_', '') === spelled;
  const letters = sortLetters(spelled);
  const meant = isNear
    ? nearest
    : (spellings.find((each) => sortLetters(each) === letters) ??
      spellings.find((each) => isBeginningOf(spelled, each)) ??
      spellings.find((each) => isPartOf(spelled, each) || isPartOf(each, spelled)));
  return meant === undefined ? '' : `; did you mean ${bySpelling.get(meant)}?`;
}

const spell = (name: string) => name.toLowerCase().replaceAll(/[\s-]/g, '_');

/** Sorts the letters of a name: `pgn` and `png` have the same letters. */
const sortLetters = (name: string) => [...name].sort().join('');

/** Whether a name begins with the other: `block_cookies` begins `block_cookie_banners`. */
function isBeginningOf(part: string, name: string): boolean {
  return part.length > 2 * shortestPart && name.startsWith(part.slice(0, -1));
}

/** Whether a name contains the other: `delay_ms` contains `delay`, `viewport_width` contains `width`. */
function isPartOf(part: string, name: string): boolean {
  return part.length >= shortestPart && (name.startsWith(`${part}_`) || name.endsWith(`_${part}`));
}
