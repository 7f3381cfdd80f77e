import type { ContentCopy } from '../state/content-copies.ts';
import { contentCopies } from './latest-copy.ts';
import { type CopyLimits, NodeCopier } from './node-copier.ts';
import { childrenOf, textOf } from './node-reader.ts';

export interface CopyInput {
  /** Whether to leave out what surrounds the content. */
  only_main_content: boolean;
  include_selectors: readonly string[];
  exclude_selectors: readonly string[];
  limits: CopyLimits;
}

export interface CopyFacts {
  /** Whether the page has more than the limits allow. */
  truncated: boolean;
  /** Whether formulas have only MathML, no TeX. */
  hasMathml: boolean;
  /** The mistake in the selection: no element matches, or a text is no selector. */
  fault: 'no match' | { field: string; selector: string } | null;
  /** Whether an earlier output has read the same selection of a held page: formulas are converted, the part is chosen. */
  isChosen: boolean;
}

/** Text of fewer characters, headings aside, is no content. */
const leastContent = 20;

/**
 * Copies what a visitor can see: with the contents of open shadow roots and of frames of the same origin, absolute URLs, code
 * and formulas as text.
 */
export function copyContent(input: CopyInput): CopyFacts {
  const { only_main_content, include_selectors, exclude_selectors, limits } = input;
  const copies = contentCopies();
  const selection = JSON.stringify([only_main_content, include_selectors, exclude_selectors]);
  const facts: CopyFacts = { truncated: false, hasMathml: false, fault: null, isChosen: false };
  const earlier = copies.kept?.get(selection);
  if (earlier) {
    copies.latest = earlier;
    return { ...facts, truncated: earlier.truncated, isChosen: true };
  }
  const invalid = findInvalid({ include_selectors, exclude_selectors });
  if (invalid) return { ...facts, fault: invalid };
  const copier = new NodeCopier({ leavesOutSurroundings: only_main_content, excluded: exclude_selectors, limits });
  const roots = outermost(include_selectors.flatMap((selector) => [...document.querySelectorAll(selector)]));
  const copyAll = () => (include_selectors.length > 0 ? copyRoots(copier, roots) : copyDocument(copier));
  copyAll();
  const { copy } = copier;
  if (only_main_content && !hasContent(copy.body)) {
    // The page has nothing but surroundings.
    copier.leavesOutSurroundings = false;
    copy.body.replaceChildren();
    copyAll();
  }
  copy.documentElement.lang = document.documentElement?.lang ?? '';
  const { truncated, hasMathml } = copier;
  copies.latest = { document: copy, root: copy.body, truncated };
  copies.selection = selection;
  const hasNoMatch = include_selectors.length > 0 && roots.length === 0;
  return { ...facts, truncated, hasMathml, fault: hasNoMatch ? 'no match' : null };
}

/** Chooses the part of the latest copy that is written, and keeps the copy while the page is held still. */
export function chooseRoot(copy: ContentCopy, root: Element): void {
  const copies = contentCopies();
  copies.latest = { ...copy, root };
  if (copies.selection !== undefined) copies.kept?.set(copies.selection, copies.latest);
}

function findInvalid(fields: Record<string, readonly string[]>): { field: string; selector: string } | null {
  for (const [field, selectors] of Object.entries(fields)) {
    for (const [index, selector] of selectors.entries()) {
      try {
        document.createDocumentFragment().querySelector(selector);
      } catch {
        return { field: `${field}.${index}`, selector };
      }
    }
  }
  return null;
}

function outermost(elements: readonly Element[]): Element[] {
  const all = [...new Set(elements)];
  return all.filter((element) => !all.some((each) => each !== element && each.contains(element)));
}

const start = () => ({ base: document.baseURI, hidden: false, depth: 0 });

function copyRoots(copier: NodeCopier, roots: readonly Element[]): void {
  for (const root of roots) copier.copyNode(root, copier.copy.body, start());
}

function copyDocument(copier: NodeCopier): void {
  const { copy } = copier;
  // Chromium's viewer of XML keeps the source in this element.
  const xml = document.getElementById('webkit-xml-viewer-source-xml');
  if (xml) copy.body.append(sourceBlock(copy, xml.innerHTML.trim()));
  else if (document.body) copier.copyChildren(childrenOf(document.body), copy.body, start());
  else for (const text of document.querySelectorAll('title, desc, text')) copy.body.append(paragraph(copy, text));
}

function sourceBlock(copy: Document, source: string): Element {
  const code = copy.createElement('code');
  code.className = 'language-xml';
  code.textContent = source;
  const block = copy.createElement('pre');
  block.append(code);
  return block;
}

/** Text of an SVG document. */
function paragraph(copy: Document, text: Element): Element {
  const element = copy.createElement('p');
  element.textContent = textOf(text);
  return element;
}

function hasContent(body: Element): boolean {
  const lengthOf = (element: Element) => textOf(element).replace(/\s+/g, ' ').trim().length;
  const headings = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const length = lengthOf(body) - headings.reduce((sum, each) => sum + lengthOf(each), 0);
  return length > leastContent || body.querySelector('img, pre, table, [data-math]') !== null;
}
