import { latestCopy } from './latest-copy.ts';

const blocks =
  /^(address|article|aside|blockquote|div|dl|dt|dd|figure|figcaption|footer|h[1-6]|header|hr|main|nav|ol|p|section|summary|table|ul|details|caption)$/;

/** Writes the content as plain text, with an empty line between two blocks: at most `most` characters. */
export function writeText({ most }: { most: number }): string {
  const text = new TextWriter(most);
  text.write(latestCopy().root);
  return `${text.finish()}\n`.slice(0, most);
}

/** Finished text is set aside in parts: looking at the end of a long text for each block takes seconds. */
const partLength = 4_000;

/** So many characters stay: line breaks and spaces at the end of a text may still change. */
const openLength = 10;

class TextWriter {
  readonly #most: number;
  readonly #finished: string[] = [];
  #length = 0;
  #text = '';

  constructor(most: number) {
    this.#most = most;
  }

  finish(): string {
    return `${this.#finished.join('')}${this.#text}`.trim();
  }

  write(node: Node): void {
    if (this.#length + this.#text.length > this.#most) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const words = (node.nodeValue ?? '').replace(/\s+/g, ' ');
      this.#text += /(^|\s)$/.test(this.#text) ? words.trimStart() : words;
      return;
    }
    const name = node.nodeName.toLowerCase();
    if (!this.#writeSpecial(node, name)) this.#writeChildren(node, name);
  }

  /** Writes elements whose text is not the text of their children. */
  #writeSpecial(node: Node, name: string): boolean {
    if (name === 'br') this.#breakLine(1);
    else if (name === 'img') this.#text += (node as Element).getAttribute('alt') ?? '';
    else if (name === 'pre') {
      this.#breakLine(2);
      this.#text += node.textContent ?? '';
      this.#breakLine(2);
    } else if (name === 'sup' || name === 'sub') {
      const small = smallNumber(node.textContent ?? '', name);
      this.#text += small ?? '';
      return small !== null;
    } else return false;
    return true;
  }

  #writeChildren(node: Node, name: string): void {
    const breaks = breaksAround(node, name);
    if (breaks > 0) this.#breakLine(breaks);
    if (name === 'li') this.#text += '- ';
    const isCell = name === 'td' || name === 'th';
    if (isCell && (node as Element).previousElementSibling) this.#text = `${this.#text.trimEnd()}\t`;
    for (const child of node.childNodes) this.write(child);
    if (breaks > 0) this.#breakLine(breaks);
  }

  #breakLine(breaks: number): void {
    this.#text = this.#text.replace(/[ \t]+$/, '');
    if (this.#text === '') return;
    const present = /\n*$/.exec(this.#text)?.[0].length ?? 0;
    this.#text += '\n'.repeat(Math.max(0, breaks - present));
    if (this.#text.length < partLength) return;
    this.#finished.push(this.#text.slice(0, -openLength));
    this.#length += this.#text.length - openLength;
    this.#text = this.#text.slice(-openLength);
  }
}

function breaksAround(node: Node, name: string): number {
  if (blocks.test(name)) return node.parentElement?.closest('li') ? 1 : 2;
  return name === 'li' || name === 'tr' ? 1 : 0;
}

/**
 * A raised or lowered number in small digits; null if the text is no number. As ordinary digits, 10² would read 102. Other
 * raised text, as in 1st, reads well.
 */
export function smallNumber(text: string, place: 'sup' | 'sub'): string | null {
  const number = text.trim().replace('−', '-');
  if (!/^[+-]?\d+$/.test(number)) return null;
  const small = place === 'sup' ? '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻' : '₀₁₂₃₄₅₆₇₈₉₊₋';
  return [...number].map((sign) => small.charAt('0123456789+-'.indexOf(sign))).join('');
}
