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
  const numberOf = (text: string): number | null => {
    const [found] = /[-−]?\d[\d.,'’\s\u00a0\u202f]*/.exec(text) ?? [];
    if (found === undefined) return null;
    let digits = found
      .replace('−', '-')
      .replace(/['’\s\u00a0\u202f]/g, '')
      .replace(/[.,]+$/, '');
    const [dots, commas] = [digits.split('.').length - 1, digits.split(',').length - 1];
    // The last of two kinds is the decimal one; one that repeats, or has three digits after a comma, is not.
    const decimal =
      dots > 0 && commas > 0
        ? digits.lastIndexOf('.') > digits.lastIndexOf(',')
          ? '.'
          : ','
        : commas === 1 && !/,\d{3}$/.test(digits)
          ? ','
          : dots === 1
            ? '.'
            : '';
    digits = [...digits].map((each) => (each === decimal ? '.' : /[.,]/.test(each) ? '' : each)).join('');
    const number = Number(digits);
    return Number.isFinite(number) && digits !== '' ? number : null;
  };
  const dateOf = (text: string): string | null => {
    const time = Date.parse(/^\d{4}-\d\d-\d\d \d/.test(text) ? text.replace(' ', 'T') : text);
    return Number.isNaN(time) ? null : new Date(time).toISOString();
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
    const given = name === undefined ? (element.textContent ?? '').replace(/\s+/g, ' ') : element.getAttribute(name);
    if (given === null) return fail(place, `the element has no attribute ${name}`);
    const text = given.trim();
    const shown = text.slice(0, 60);
    if (type === 'number') return numberOf(text) ?? fail(place, `is not a number: ${shown}`);
    if (type === 'date') return dateOf(text) ?? fail(place, `is not a date: ${shown}`);
    if (type === 'text') return keep(place, text);
    try {
      return keep(place, new URL(text, document.baseURI).href);
    } catch {
      return fail(place, `is not a URL: ${shown}`);
    }
  };
  const fieldOf = (scope: ParentNode, field: ExtractField, place: string): unknown => {
    if (performance.now() > end) return fail(place, 'the page is too large to read in time');
    try {
      if (field.all) {
        const found = [...scope.querySelectorAll(field.selector)].slice(0, limits.matches);
        return found.map((element, index) => readValue(element, field, `${place}.${index}`));
      }
      const element = scope.querySelector(field.selector);
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
