/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

import type { ExtractField, Extraction } from '@capture/contract/options/extract-options';

export interface ExtractInput {
  fields: Record<string, ExtractField>;
  limits: { matches: number; characters: number; ms: number };
}

/** Reads the fields of `extract` from the page. A field that cannot be read is null, and its error says why. */
export function readFields({ fields, limits }: ExtractInput): Extraction {
  const end = performance.now() + limits.ms;
  const errors: Record<string, string> = {};
  let left = limits.characters;
  const fail = (place: string, message: string) => {
    if (Object.keys(errors).length < 100) errors[place] = message;
    return null;
  };
  const keep = (place: string, text: string) => {
    left -= text.length;
    return left < 0 ? fail(place, `the values have more than ${limits.characters} characters`) : text;
  };
  const languageOf = (element: Element) => element.closest('[lang]')?.getAttribute('lang') || 'en';
  /** The sign before the fraction of a number in the language of an element. */
  const decimalSignOf = (element: Element): string => {
    try {
      const parts = new Intl.NumberFormat(languageOf(element)).formatToParts(0.5);
      return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
    } catch {
      return '.';
    }
  };
  /** With a sign that begins a word, digits in groups, a fraction, and an exponent. */
  const numeral =
    /(?:(?<![\p{L}\p{N}])[-−]\p{Sc}?)?(?:\d+(?:(?:[.,'’]\d{2,3}|\s\d{3})(?!\d))*(?:[.,]\d+)?|(?<![\p{L}\p{N}])\.\d+)(?:e[-+]?\d{1,3}(?![\p{L}\p{N}]))?/iu;
  const numberOf = (text: string, element: Element): number | null => {
    const [found] = numeral.exec(text) ?? [];
    if (found === undefined) return null;
    const [written = '', exponent = '0'] = found.toLowerCase().split('e');
    const digits = written.replace('−', '-').replace(/['’\s\p{Sc}]/gu, '');
    const signs = digits.match(/[.,]/g) ?? [];
    const last = signs.at(-1) ?? '';
    // With one sign before three digits, "12.000" is either. No price in euros has three digits after the comma.
    const isEither = signs.length === 1 && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(digits);
    const isGroup = isEither
      ? last !== decimalSignOf(element) || (last === '.' && /€|\bEUR\b/.test(text))
      : signs.length > 1 && new Set(signs).size === 1;
    const plain = isGroup
      ? digits.replace(/[.,]/g, '')
      : [...digits]
          .map((each, index) => (index === digits.lastIndexOf(last) ? '.' : /[.,]/.test(each) ? '' : each))
          .join('');
    const number = Number(`${last === '' ? digits : plain}e${exponent}`);
    return Number.isFinite(number) ? number : null;
  };
  /** `Date.parse` finds a date in any text with a number. */
  const dateOf = (text: string): string | null => {
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
  };
  const unread = 'script, style, noscript, template';
  /** Without the scripts in it; an element that is a script is read. */
  const textOf = (element: Element): string => {
    if (element.matches(unread)) return element.textContent ?? '';
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = '';
    while (texts.nextNode()) if (!texts.currentNode.parentElement?.closest(unread)) text += texts.currentNode.nodeValue;
    return text;
  };

  const readValue = (element: Element, field: ExtractField, place: string): unknown => {
    if (field.fields) return objectOf(element, field.fields, `${place}.`);
    const { attribute, type = 'text' } = field;
    if (type === 'boolean') return attribute === undefined || element.hasAttribute(attribute);
    if (type === 'html') return keep(place, element.innerHTML);
    const implied =
      type === 'url'
        ? ['href', 'src', 'content'].find((name) => element.hasAttribute(name))
        : type === 'date'
          ? ['datetime', 'content'].find((name) => element.hasAttribute(name))
          : undefined;
    const name = attribute ?? implied;
    const given = name === undefined ? textOf(element).replace(/\s+/g, ' ') : element.getAttribute(name);
    if (given === null) return fail(place, `the element has no attribute ${name}`);
    const text = given.trim();
    const shown = text.slice(0, 60);
    if (type === 'number') return numberOf(text, element) ?? fail(place, `is not a number: ${shown}`);
    if (type === 'date') return dateOf(text) ?? fail(place, `is not a date: ${shown}`);
    if (type === 'text') return keep(place, text);
    try {
      // A text is no relative URL.
      return keep(place, new URL(text, name === undefined ? undefined : document.baseURI).href);
    } catch {
      return fail(place, `is not a URL: ${shown}`);
    }
  };
  /** A nested field may be of the outer element itself. */
  const find = (scope: ParentNode, selector: string): Element[] =>
    selector.trim() === ':scope' && scope instanceof Element ? [scope] : [...scope.querySelectorAll(selector)];
  const fieldOf = (scope: ParentNode, field: ExtractField, place: string): unknown => {
    if (performance.now() > end) return fail(place, 'the page is too large to read in time');
    try {
      if (field.all) {
        const found = find(scope, field.selector).slice(0, limits.matches);
        return found.map((element, index) => readValue(element, field, `${place}.${index}`));
      }
      const [element] = find(scope, field.selector);
      if (element) return readValue(element, field, place);
      return field.type === 'boolean' && field.attribute === undefined
        ? false
        : fail(place, `nothing matches ${field.selector.slice(0, 100)}`);
    } catch {
      return fail(place, `is not a valid selector: ${field.selector.slice(0, 100)}`);
    }
  };
  const objectOf = (scope: ParentNode, wanted: Record<string, ExtractField>, place: string) =>
    Object.fromEntries(Object.entries(wanted).map(([name, field]) => [name, fieldOf(scope, field, place + name)]));
  return { values: objectOf(document, fields, ''), errors };
}
