/** The sign that begins the fraction of a number in a language. */
export function decimalSign(language: string): string {
  try {
    const parts = new Intl.NumberFormat(language).formatToParts(0.5);
    return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  } catch {
    return '.';
  }
}

/** A number with a sign that begins a word, digits in groups, a fraction, and an exponent. */
const numeral =
  /(?:(?<![\p{L}\p{N}])[-−]\p{Sc}?)?(?:\d+(?:(?:[.,'’]\d{2,3}|\s\d{3})(?!\d))*(?:[.,]\d+)?|(?<![\p{L}\p{N}])\.\d+)(?:e[-+]?\d{1,3}(?![\p{L}\p{N}]))?/iu;

/** The first number in a text; null if there is none. `language` is BCP 47. */
export function readNumber(text: string, language: string): number | null {
  const [found] = numeral.exec(text) ?? [];
  if (found === undefined) return null;
  const [written = '', exponent = '0'] = found.toLowerCase().split('e');
  const digits = written.replace('−', '-').replace(/['’\s\p{Sc}]/gu, '');
  const number = Number(`${withPoint(digits, text, language)}e${exponent}`);
  return Number.isFinite(number) ? number : null;
}

/** Digits with a point before the fraction, and without the signs between groups. */
function withPoint(digits: string, text: string, language: string): string {
  const signs = digits.match(/[.,]/g) ?? [];
  const last = signs.at(-1) ?? '';
  if (last === '') return digits;
  // With one sign before three digits, "12.000" can be either. No price in euros has three digits after the comma.
  const isEither = signs.length === 1 && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(digits);
  const isGroup = isEither
    ? last !== decimalSign(language) || (last === '.' && /€|\bEUR\b/.test(text))
    : signs.length > 1 && new Set(signs).size === 1;
  if (isGroup) return digits.replace(/[.,]/g, '');
  const point = digits.lastIndexOf(last);
  return [...digits].map((each, index) => (index === point ? '.' : /[.,]/.test(each) ? '' : each)).join('');
}

/** ISO 8601; null if the text is no date. `Date.parse` alone finds a date in any text with a number. */
export function readDate(text: string): string | null {
  const isDate =
    /^\d{4}(-\d\d)?$|\b\d{4}[-./]\d{1,2}[-./]\d{1,2}|\b\d{1,2}[-./]\d{1,2}[-./]\d{4}\b/.test(text) ||
    (/\b\d{4}\b/.test(text) && /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(text));
  // With dots the day stands first.
  const ordered = text
    .replace(
      /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/,
      (_, day, month, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    )
    .replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  const time = isDate ? Date.parse(ordered) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
