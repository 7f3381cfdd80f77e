import type { ExtractField, Extraction } from '@capture/contract/options/extract-options';
import { readDate, readNumber } from './read-value.ts';

export interface ExtractInput {
  fields: Record<string, ExtractField>;
  /** `ms`: milliseconds. */
  limits: { matches: number; characters: number; ms: number };
}

const errorsAtMost = 100;

/** Reads the fields of `extract` from the page. A field that cannot be read is null, and its error says why. */
export function readFields(input: ExtractInput): Extraction {
  const reader = new FieldReader(input.limits);
  return { values: reader.readObject(document, input.fields, ''), errors: reader.errors };
}

class FieldReader {
  /** By place, such as `items.0.price`. */
  readonly errors: Record<string, string> = {};
  readonly #limits: ExtractInput['limits'];
  readonly #end: number;
  #left: number;

  constructor(limits: ExtractInput['limits']) {
    this.#limits = limits;
    this.#end = performance.now() + limits.ms;
    this.#left = limits.characters;
  }

  readObject(scope: ParentNode, fields: Record<string, ExtractField>, place: string): Record<string, unknown> {
    const read = Object.entries(fields).map(([name, field]) => [name, this.#readField(scope, field, place + name)]);
    return Object.fromEntries(read);
  }

  #readField(scope: ParentNode, field: ExtractField, place: string): unknown {
    if (performance.now() > this.#end) return this.#fail(place, 'the page is too large to read in time');
    try {
      const found = find(scope, field.selector);
      if (field.all) {
        const most = found.slice(0, this.#limits.matches);
        return most.map((element, index) => this.#readValue(element, field, `${place}.${index}`));
      }
      const [element] = found;
      if (element) return this.#readValue(element, field, place);
      return field.type === 'boolean' && field.attribute === undefined
        ? false
        : this.#fail(place, `nothing matches ${field.selector.slice(0, 100)}`);
    } catch {
      return this.#fail(place, `is not a valid selector: ${field.selector.slice(0, 100)}`);
    }
  }

  #readValue(element: Element, field: ExtractField, place: string): unknown {
    if (field.fields) return this.readObject(element, field.fields, `${place}.`);
    const { attribute, type = 'text' } = field;
    if (type === 'boolean') return attribute === undefined || element.hasAttribute(attribute);
    if (type === 'html') return this.#keep(place, element.innerHTML);
    const name = attribute ?? impliedAttribute(element, type);
    const given = name === undefined ? textWithoutScripts(element).replace(/\s+/g, ' ') : element.getAttribute(name);
    if (given === null) return this.#fail(place, `the element has no attribute ${name}`);
    const text = given.trim();
    if (type === 'text') return this.#keep(place, text);
    // A text is no relative URL.
    const base = name === undefined ? undefined : document.baseURI;
    const value =
      type === 'number'
        ? readNumber(text, languageOf(element))
        : type === 'date'
          ? readDate(text)
          : readUrl(text, base);
    if (value === null) return this.#fail(place, `is not a ${kinds[type]}: ${text.slice(0, 60)}`);
    return type === 'url' ? this.#keep(place, String(value)) : value;
  }

  #keep(place: string, text: string): string | null {
    this.#left -= text.length;
    return this.#left < 0 ? this.#fail(place, `the values have more than ${this.#limits.characters} characters`) : text;
  }

  #fail(place: string, message: string): null {
    if (Object.keys(this.errors).length < errorsAtMost) this.errors[place] = message;
    return null;
  }
}

const kinds = { number: 'number', date: 'date', url: 'URL' };

/** The attribute that has the value of an element without being named, such as the `href` of a link. */
function impliedAttribute(element: Element, type: ExtractField['type']): string | undefined {
  const names = type === 'url' ? ['href', 'src', 'content'] : type === 'date' ? ['datetime', 'content'] : [];
  return names.find((name) => element.hasAttribute(name));
}

function readUrl(text: string, base: string | undefined): string | null {
  return URL.canParse(text, base) ? new URL(text, base).href : null;
}

function languageOf(element: Element): string {
  return element.closest('[lang]')?.getAttribute('lang') || 'en';
}

const unread = 'script, style, noscript, template';

/** The text of an element that is a script is read. */
function textWithoutScripts(element: Element): string {
  if (element.matches(unread)) return element.textContent ?? '';
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = '';
  while (texts.nextNode()) if (!texts.currentNode.parentElement?.closest(unread)) text += texts.currentNode.nodeValue;
  return text;
}

/** A nested field may be read from the outer element itself. */
function find(scope: ParentNode, selector: string): Element[] {
  return selector.trim() === ':scope' && scope instanceof Element ? [scope] : [...scope.querySelectorAll(selector)];
}
