/// <reference lib="dom" />
import { composeScript } from '../../../compose-script.ts';
import { codeBlocks } from './code-blocks.ts';
import type { ContentWorld, CopyFacts, CopyInput } from './copy.ts';
import { copyNodes, type NodeCopying } from './copy-nodes.ts';
import { formulas } from './formulas.ts';
import { media } from './media.ts';
import { type NodeReader, nodeReader } from './node-reader.ts';
import { type Omissions, omissions } from './omissions.ts';

/**
 * Copies what a visitor can see into a document without scripts, styles and network, which stays in the isolated world as
 * `captureCopy`: with the contents of open shadow roots and of frames of the same origin, absolute URLs, code and formulas as
 * text.
 */
export const copyContent = composeScript<CopyInput>()
  .part('read', nodeReader)
  .part('copy', () => document.implementation.createHTMLDocument(document.title))
  .part('formulas', formulas)
  .part('code', codeBlocks)
  .part('media', media)
  .part('omissions', omissions)
  .part('nodes', copyNodes)
  .main(copySelection);

function copySelection({
  input: { only_main_content, include_selectors, exclude_selectors },
  read: { childrenOf, textOf },
  copy,
  omissions: { keepSurroundings },
  nodes: { found, copyNode, copyChildren },
}: {
  input: CopyInput;
  read: NodeReader;
  copy: Document;
  omissions: Omissions;
  nodes: NodeCopying;
}): CopyFacts {
  const facts: CopyFacts = { truncated: false, hasMathml: false, fault: null, isChosen: false };
  const key = JSON.stringify([only_main_content, include_selectors, exclude_selectors]);
  const earlier = (globalThis as unknown as ContentWorld).captureKept?.get(key);
  if (earlier) {
    Object.assign(globalThis, earlier);
    return { ...facts, truncated: earlier.captureTruncated, isChosen: true };
  }
  for (const [field, selectors] of Object.entries({ include_selectors, exclude_selectors })) {
    for (const [index, selector] of selectors.entries()) {
      try {
        copy.querySelector(selector);
      } catch {
        return { ...facts, fault: { field: `${field}.${index}`, selector } };
      }
    }
  }
  const start = { base: document.baseURI, hidden: false, depth: 0 };
  const roots = include_selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
  const outer = roots.filter(
    (root, index) => roots.indexOf(root) === index && !roots.some((each) => each !== root && each.contains(root)),
  );
  /** What Chromium shows of XML is made of this. */
  const source = document.getElementById('webkit-xml-viewer-source-xml');
  if (include_selectors.length > 0 && outer.length === 0) facts.fault = 'no match';
  copyAll();
  const lengthOf = (element: Element) => textOf(element).replace(/\s+/g, ' ').trim().length;
  const headings = [...copy.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const hasContent = lengthOf(copy.body) - headings.reduce((sum, each) => sum + lengthOf(each), 0) > 20;
  if (only_main_content && !hasContent && !copy.body.querySelector('img, pre, table, [data-math]')) {
    keepSurroundings();
    copy.body.replaceChildren();
    copyAll();
  }
  copy.documentElement.lang = document.documentElement?.lang ?? '';
  Object.assign(globalThis, { captureCopy: copy, captureKey: key, captureTruncated: found.truncated });
  return { ...facts, ...found };

  function copyAll(): void {
    if (include_selectors.length > 0) for (const root of outer) copyNode(root, copy.body, start);
    else if (source) appendSource(source);
    else if (document.body) copyChildren(childrenOf(document.body), copy.body, start);
    else for (const text of document.querySelectorAll('title, desc, text')) appendText(text);
  }

  function appendSource(xml: Element): void {
    const code = copy.createElement('code');
    code.className = 'language-xml';
    code.textContent = xml.innerHTML.trim();
    const block = copy.createElement('pre');
    block.append(code);
    copy.body.append(block);
  }

  /** Of an SVG document. */
  function appendText(text: Element): void {
    const paragraph = copy.createElement('p');
    paragraph.textContent = textOf(text);
    copy.body.append(paragraph);
  }
}
