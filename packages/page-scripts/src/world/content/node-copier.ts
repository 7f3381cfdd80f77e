import { absoluteUrl } from './absolute-url.ts';
import { codeBlock } from './code-block.ts';
import { formulaElement, readFormula } from './formula.ts';
import { imageElement, mediaLink } from './media.ts';
import { attributeOf, childrenOf, find, matches, textOf } from './node-reader.ts';
import { isClipped, isSuperfluous, isSurrounding } from './omissions.ts';

export interface CopyLimits {
  nodes: number;
  depth: number;
  /** Milliseconds. */
  ms: number;
}

/** The place of a node. */
interface Context {
  /** The URL that the node's URLs are relative to. */
  base: string;
  hidden: boolean;
  depth: number;
}

const kept = new Set(
  'a abbr address article aside b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark menu nav ol p pre q rp rt ruby s samp section small span strong strike sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
    ' ',
  ),
);
const dropped = new Set(
  'script style noscript template link meta title head base object embed applet param source track map area input select textarea button option datalist progress meter dialog canvas'.split(
    ' ',
  ),
);
const keptAttributes = 'class id role rel colspan rowspan start value datetime itemprop lang dir'.split(' ');

const longestAttribute = 500;

/** How to copy elements of some names. Each takes the element and the place of its children. */
type ElementCopy = (copier: NodeCopier, element: Element, to: Element, inner: Context) => void;

const special: Record<string, ElementCopy> = {
  img(copier, element, to, { hidden, base }) {
    appendIfAny(to, hidden ? null : imageElement(copier.copy, element, base));
  },
  iframe: copyFrame,
  frame: copyFrame,
  video: copyMedia,
  audio: copyMedia,
  slot(copier, element, to, inner) {
    const assigned = (element as HTMLSlotElement).assignedNodes?.() ?? [];
    copier.copyChildren(assigned.length > 0 ? assigned : childrenOf(element), to, inner);
  },
};

/** Copies nodes with everything that a visitor can see inside, into a document without scripts, styles and network. */
export class NodeCopier {
  readonly copy = document.implementation.createHTMLDocument(document.title);
  /** Whether the page has more than the limits allow. */
  truncated = false;
  /** Whether a formula has only MathML, no TeX. */
  hasMathml = false;
  /** Whether surroundings of the content are left out. */
  leavesOutSurroundings: boolean;
  readonly #excluded: readonly string[];
  readonly #limits: CopyLimits;
  readonly #end: number;
  #left: number;

  constructor(options: { leavesOutSurroundings: boolean; excluded: readonly string[]; limits: CopyLimits }) {
    this.leavesOutSurroundings = options.leavesOutSurroundings;
    this.#excluded = options.excluded;
    this.#limits = options.limits;
    this.#end = performance.now() + options.limits.ms;
    this.#left = options.limits.nodes;
  }

  copyChildren(nodes: Iterable<Node>, to: Element, context: Context): void {
    for (const node of nodes) this.copyNode(node, to, context);
  }

  copyNode(node: Node, to: Element, context: Context): void {
    this.#left -= 1;
    if (this.#left < 0 || (this.#left % 256 === 0 && performance.now() > this.#end)) this.#left = -1;
    if (this.#left < 0 || context.depth > this.#limits.depth) {
      this.truncated = true;
      return;
    }
    if (node.nodeType === Node.ELEMENT_NODE) this.#copyElement(node as Element, to, context);
    else if (node.nodeType === Node.TEXT_NODE && !context.hidden) to.append(node.nodeValue ?? '');
  }

  #copyElement(element: Element, to: Element, { base, depth }: Context): void {
    const name = element.localName;
    if (this.#copyFormula(element, to)) return;
    if (name === 'input' && attributeOf(element, 'type') === 'checkbox' && element.closest('li')) {
      to.append(taskMark(this.copy, element as HTMLInputElement));
      return;
    }
    const isButton = name === 'button' && isTitle(element);
    if ((dropped.has(name) && !isButton) || element.namespaceURI === 'http://www.w3.org/2000/svg') return;
    if (this.#excluded.some((selector) => matches(element, selector))) return;
    const style = getComputedStyle(element);
    // A page's scripts may close the contents of a `<details>`, which are read as if they were open.
    if (style.display === 'none' && element.parentElement?.localName !== 'details') return;
    const clipped = isClipped(element, style);
    if (isSuperfluous(element, style, clipped)) return;
    if (this.leavesOutSurroundings && isSurrounding(element, style)) return;
    const hidden = style.visibility !== 'visible';
    const inner = { base, hidden, depth: depth + 1 };
    const code = listingIn(element);
    if (code) {
      const isShown = code !== element || !hidden;
      appendIfAny(to, isShown ? codeBlock(this.copy, code, this.#limits.depth) : null);
      return;
    }
    const copySpecial = Object.hasOwn(special, name) ? special[name] : undefined;
    if (copySpecial) {
      copySpecial(this, element, to, inner);
      return;
    }
    const isBlock = !isButton && !clipped && !/^(inline|contents|ruby)/.test(style.display);
    this.#copyBox(element, to, isBlock, inner);
  }

  #copyFormula(element: Element, to: Element): boolean {
    const formula = readFormula(element);
    if (!formula) return false;
    this.hasMathml ||= formula.mathml !== '';
    to.append(formulaElement(this.copy, element, formula));
    return true;
  }

  #copyBox(element: Element, to: Element, isBlock: boolean, inner: Context): void {
    const name = element.localName;
    const isKept = kept.has(name) && !(name === 'span' && isBlock);
    const copied = this.copy.createElement(isKept ? name : isBlock || name === 'form' ? 'div' : 'span');
    for (const attribute of keptAttributes) {
      const value = attributeOf(element, attribute);
      if (value !== '' && value.length <= longestAttribute) copied.setAttribute(attribute, value);
    }
    if (name === 'a') {
      const url = absoluteUrl(attributeOf(element, 'href'), inner.base);
      if (url !== '' && element.hasAttribute('href')) copied.setAttribute('href', url);
    }
    to.append(copied);
    this.copyChildren(childrenOf(element.shadowRoot ?? element), copied, inner);
    // A link that shows only an icon.
    if (copied.hasAttribute('href') && !/\S/.test(textOf(copied)) && !find(copied, 'img')) {
      if (!attributeOf(element, 'href').startsWith('#')) copied.append(attributeOf(element, 'aria-label'));
    }
  }
}

function appendIfAny(to: Element, copied: Element | null): void {
  if (copied) to.append(copied);
}

function copyFrame(copier: NodeCopier, element: Element, to: Element, inner: Context): void {
  const frame = (element as HTMLIFrameElement).contentDocument;
  if (!frame?.body) return;
  const inFrame = copier.copy.createElement('div');
  to.append(inFrame);
  copier.copyChildren(childrenOf(frame.body), inFrame, { ...inner, base: frame.baseURI });
}

function copyMedia(copier: NodeCopier, element: Element, to: Element, { base }: Context): void {
  appendIfAny(to, mediaLink(copier.copy, element, base));
}

/** The element that holds code: the element itself, or the last block of a listing; null if the element is no listing. */
function listingIn(element: Element): Element | null {
  const name = element.localName;
  if (name === 'pre' || (matches(element, '.fragment') && find(element, ':scope > .line'))) return element;
  // A table whose other column has the line numbers.
  const listing = name === 'table' && find(element, 'pre, .blob-code');
  if (!listing) return null;
  if (element.querySelectorAll('td').length > 2 || element.querySelectorAll('tr').length !== 1) return null;
  return [...element.querySelectorAll('pre')].at(-1) ?? listing;
}

/** Says whether a task of a list is done. */
function taskMark(copy: Document, box: HTMLInputElement): Element {
  const task = copy.createElement('span');
  task.setAttribute('data-task', '');
  task.textContent = box.checked ? '[x] ' : '[ ] ';
  return task;
}

/** The title of a part that opens and closes is a button in a heading. */
function isTitle(element: Element): boolean {
  const heading = element.closest('h1, h2, h3, h4, h5, h6, dt, summary');
  return heading !== null && textOf(element).trim().length * 2 > textOf(heading).trim().length;
}
