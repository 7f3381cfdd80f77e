import { languageOf } from './code-language.ts';
import { attributeOf, childrenOf, find, matches } from './node-reader.ts';

const lineNumbers =
  '.linenos, .lineno, .linenodiv, .line-numbers-rows, .line-number, .gutter, .hljs-ln-numbers, .rouge-gutter, .blob-num';

const longestCode = 1_000_000;

/** Code as text, with the name of its language; null if there is no code. */
export function codeBlock(copy: Document, pre: Element, maxDepth: number): Element | null {
  const text = readCode(pre, maxDepth);
  if (text === '') return null;
  const block = copy.createElement('pre');
  const code = copy.createElement('code');
  const language = languageOf(placesOfNames(pre));
  if (language !== '') code.className = `language-${language}`;
  code.textContent = text;
  block.append(code);
  return block;
}

/** Where highlighters name the language of a block: at the code, the block, and two elements around the block. */
function placesOfNames(pre: Element) {
  const places = [find(pre, 'code'), pre, pre.parentElement, pre.parentElement?.parentElement];
  return places.flatMap((place) =>
    place
      ? {
          given: attributeOf(place, 'data-lang') || attributeOf(place, 'data-language'),
          classes: attributeOf(place, 'class'),
          isInner: place === pre || place.localName === 'code',
        }
      : [],
  );
}

function readCode(pre: Element, maxDepth: number): string {
  let text = '';
  const read = (node: Node, depth: number) => {
    if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue ?? '';
    if (node.nodeType !== Node.ELEMENT_NODE || depth > maxDepth || text.length > longestCode) return;
    // An element of a frame is no instance of our `Element`.
    const element = node as Element;
    if (element.localName === 'br') text += '\n';
    if (/^(button|script|style)$/.test(element.localName)) return;
    if (node !== pre && (matches(element, lineNumbers) || getComputedStyle(element).display === 'none')) return;
    const isLine = node !== pre && /^(div|p|tr|li)$/.test(element.localName);
    if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
    for (const child of childrenOf(node)) read(child, depth + 1);
    if (isLine && !text.endsWith('\n')) text += '\n';
  };
  read(pre, 0);
  return text.replace(/^\n+|\s+$/g, '').replaceAll('\u00a0', ' ');
}
