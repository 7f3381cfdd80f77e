/// <reference lib="dom" />
import type { CodeBlocks } from './code-blocks.ts';
import type { CopyInput } from './copy.ts';
import type { Formula, Formulas } from './formulas.ts';
import type { Media } from './media.ts';
import type { NodeReader } from './node-reader.ts';
import type { Omissions } from './omissions.ts';

/** See `copyNodes`. */
export type NodeCopying = ReturnType<typeof copyNodes>;

/** Where a node is. */
interface Context {
  /** What its URLs are relative to. */
  base: string;
  hidden: boolean;
  depth: number;
}

/** Copies nodes with all that they contain. Part of `copyContent`. */
export function copyNodes({
  input: { exclude_selectors, limits },
  read: { childrenOf, textOf, attributeOf, matches, find, absolute },
  copy,
  formulas: { mathOf },
  code: { appendCode },
  media: { imageOf, linkTo },
  omissions: { isClipped, isLeftOut },
}: {
  input: CopyInput;
  read: NodeReader;
  copy: Document;
  formulas: Formulas;
  code: CodeBlocks;
  media: Media;
  omissions: Omissions;
}) {
  const end = performance.now() + limits.ms;
  let left = limits.nodes;
  const plain = new Set(
    'a abbr address article aside b blockquote body br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark menu nav ol p pre q rp rt ruby s samp section small span strong strike sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
      ' ',
    ),
  );
  const dropped = new Set(
    'script style noscript template link meta title head base object embed applet param source track map area input select textarea button option datalist progress meter dialog canvas'.split(
      ' ',
    ),
  );
  const kept = [
    'class',
    'id',
    'role',
    'rel',
    'colspan',
    'rowspan',
    'start',
    'value',
    'datetime',
    'itemprop',
    'lang',
    'dir',
  ];
  const found = { truncated: false, hasMathml: false };
  return { found, copyNode, copyChildren };

  function copyChildren(nodes: Iterable<Node>, to: Element, context: Context): void {
    for (const node of nodes) copyNode(node, to, context);
  }

  function copyNode(node: Node, to: Element, context: Context): void {
    left -= 1;
    if (left < 0 || (left % 256 === 0 && performance.now() > end)) left = -1;
    if (left < 0 || context.depth > limits.depth) {
      found.truncated = true;
      return;
    }
    if (node.nodeType === Node.ELEMENT_NODE) copyElement(node as Element, to, context);
    else if (node.nodeType === Node.TEXT_NODE && !context.hidden) to.append(node.nodeValue ?? '');
  }

  function copyElement(element: Element, to: Element, { base, depth }: Context): void {
    const name = element.localName;
    const math = mathOf(element);
    if (math) {
      to.append(formulaOf(element, math));
      return;
    }
    if (name === 'input' && attributeOf(element, 'type') === 'checkbox' && element.closest('li')) {
      to.append(taskOf(element as HTMLInputElement));
      return;
    }
    const isButton = name === 'button' && isTitle(element);
    if ((dropped.has(name) && !isButton) || element.namespaceURI === 'http://www.w3.org/2000/svg') return;
    if (exclude_selectors.some((selector) => matches(element, selector))) return;
    const style = getComputedStyle(element);
    // Scripts of their own may close the contents of a `<details>`, which are read as if it were open.
    if (style.display === 'none' && element.parentElement?.localName !== 'details') return;
    const isTwin = isClipped(element, style);
    if (isLeftOut(element, style, isTwin)) return;
    const hidden = style.visibility !== 'visible';
    const inner = { base, hidden, depth: depth + 1 };
    if (name === 'pre' || (matches(element, '.fragment') && find(element, ':scope > .line'))) {
      if (!hidden) appendCode(to, element);
      return;
    }
    // A listing with its line numbers in a column of their own.
    const listing = name === 'table' && find(element, 'pre, .blob-code');
    if (listing && element.querySelectorAll('td').length <= 2 && element.querySelectorAll('tr').length === 1) {
      appendCode(to, element.querySelectorAll('pre').item(element.querySelectorAll('pre').length - 1) ?? listing);
      return;
    }
    if (name === 'img') {
      const image = hidden ? null : imageOf(element, base);
      if (image) to.append(image);
      return;
    }
    if (name === 'iframe' || name === 'frame') {
      const frame = (element as HTMLIFrameElement).contentDocument;
      if (!frame?.body) return;
      const inFrame = copy.createElement('div');
      to.append(inFrame);
      copyChildren(childrenOf(frame.body), inFrame, { ...inner, base: frame.baseURI });
      return;
    }
    if (name === 'video' || name === 'audio') {
      const link = linkTo(element, base);
      if (link) to.append(link);
      return;
    }
    if (name === 'slot') {
      const assigned = (element as HTMLSlotElement).assignedNodes?.() ?? [];
      copyChildren(assigned.length > 0 ? assigned : childrenOf(element), to, inner);
      return;
    }
    const isBlock = !isButton && !isTwin && !/^(inline|contents|ruby)/.test(style.display);
    copyBox(element, to, { isBlock, inner });
  }

  function copyBox(element: Element, to: Element, { isBlock, inner }: { isBlock: boolean; inner: Context }): void {
    const name = element.localName;
    const used = plain.has(name) && !(name === 'span' && isBlock) && name !== 'body' ? name : isBlock ? 'div' : 'span';
    const copied = copy.createElement(used === 'form' ? 'div' : used);
    for (const attribute of kept) {
      const value = attributeOf(element, attribute);
      if (value !== '' && value.length <= 500) copied.setAttribute(attribute, value);
    }
    if (name === 'a') {
      const url = absolute(attributeOf(element, 'href'), inner.base);
      if (url !== '' && element.hasAttribute('href')) copied.setAttribute('href', url);
    }
    to.append(copied);
    const root = element.shadowRoot;
    copyChildren(childrenOf(root ?? element), copied, inner);
    // A link that shows only an icon.
    if (copied.hasAttribute('href') && !/\S/.test(textOf(copied)) && !find(copied, 'img')) {
      if (!attributeOf(element, 'href').startsWith('#')) copied.append(attributeOf(element, 'aria-label'));
    }
  }

  function formulaOf(element: Element, math: Formula): Element {
    const formula = copy.createElement(math.display ? 'p' : 'span');
    formula.setAttribute('data-math', math.display ? 'display' : 'inline');
    if (math.mathml !== '') {
      found.hasMathml = true;
      formula.setAttribute('data-mathml', math.mathml);
    }
    formula.textContent = math.tex.trim() || textOf(element);
    return formula;
  }

  /** Whether a task of a list is done. */
  function taskOf(box: HTMLInputElement): Element {
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
}
