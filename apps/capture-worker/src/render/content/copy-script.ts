/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

export interface CopyInput {
  /** Without what surrounds the content. */
  only_main_content: boolean;
  include_selectors: readonly string[];
  exclude_selectors: readonly string[];
  limits: { nodes: number; depth: number; ms: number };
}

export interface CopyFacts {
  /** Whether the page has more than the limits allow. */
  truncated: boolean;
  /** Whether formulas have only MathML, no TeX. */
  hasMathml: boolean;
  /** What is wrong with `include_selectors`. */
  fault: 'no match' | null;
  /** Whether an earlier output has read the same selection of a page that is held: formulas are read, the part is chosen. */
  isChosen: boolean;
}

/** Copies of a page that is held still, by their selection: what several outputs write is copied once. */
export interface KeptCopies {
  /** Set while the page is held. */
  captureKept?: Map<string, { captureCopy: Document; captureRoot: Element }>;
  /** The selection of the latest copy. */
  captureKey?: string;
}

/**
 * Copies what a visitor can see into a document without scripts, styles and network, which stays in the isolated world as
 * `captureCopy`: with the contents of open shadow roots and of frames of the same origin, absolute URLs, code and formulas as
 * text. It reads properties through their prototypes: a form's own may be its fields.
 */
export function copyContent({ only_main_content, include_selectors, exclude_selectors, limits }: CopyInput): CopyFacts {
  const facts: CopyFacts = { truncated: false, hasMathml: false, fault: null, isChosen: false };
  const key = JSON.stringify([only_main_content, include_selectors, exclude_selectors]);
  const earlier = (globalThis as KeptCopies).captureKept?.get(key);
  if (earlier) {
    Object.assign(globalThis, earlier);
    return { ...facts, isChosen: true };
  }
  const copy = document.implementation.createHTMLDocument(document.title);
  const end = performance.now() + limits.ms;
  let left = limits.nodes;
  const childrenOf = (node: Node): Iterable<Node> => Reflect.get(Node.prototype, 'childNodes', node);
  const textOf = (node: Node): string => Reflect.get(Node.prototype, 'textContent', node) ?? '';
  const attributeOf = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name) ?? '';
  const matches = (element: Element, selectors: string) => Element.prototype.matches.call(element, selectors);
  const find = (element: Element, selectors: string) => Element.prototype.querySelector.call(element, selectors);
  const excluded = exclude_selectors.filter((selector) => {
    try {
      return copy.createElement('p').matches(selector) || true;
    } catch {
      return false;
    }
  });

  const plain = new Set(
    'a abbr address article aside b blockquote body br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark menu nav ol p pre q rp rt ruby s samp section small span strong strike sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
      ' ',
    ),
  );
  const dropped = new Set(
    'script style noscript template link meta title head base object embed applet param source track map area input select textarea button option datalist progress meter dialog frameset frame canvas'.split(
      ' ',
    ),
  );
  const kept = ['class', 'id', 'role', 'rel', 'colspan', 'rowspan', 'start', 'datetime', 'itemprop', 'lang', 'dir'];
  const permalink =
    '.headerlink, .header-anchor, .anchorjs-link, .hash-link, .permalink, .octicon-link, .mw-editsection';
  const surrounding =
    'nav, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog], [role=alertdialog], [aria-modal=true]';

  const absolute = (url: string, base: string) => {
    try {
      const { protocol, href } = new URL(url.trim(), base);
      return /^(https?|mailto|tel|ftp):$/.test(protocol) ? href : '';
    } catch {
      return '';
    }
  };

  /** The TeX of a formula, or its MathML for later; null if the element is none. */
  const mathOf = (element: Element): { tex: string; mathml: string; display: boolean } | null => {
    const name = element.localName;
    if (name === 'script') {
      const [, mode] = /^math\/tex(; *mode=display)?/i.exec(attributeOf(element, 'type')) ?? [null, null];
      return mode === null ? null : { tex: textOf(element), mathml: '', display: Boolean(mode) };
    }
    if (!matches(element, '.katex, .katex-display, mjx-container, math')) return null;
    const math = name === 'math' ? element : find(element, 'math');
    if (!math) return null;
    const annotation = find(math, 'annotation[encoding="application/x-tex"], annotation[encoding="TeX"]');
    const tex = annotation ? textOf(annotation) : attributeOf(math, 'alttext');
    const display =
      attributeOf(math, 'display') === 'block' || matches(element, '.katex-display, mjx-container[display=true]');
    const mathml = tex.trim() === '' ? math.outerHTML.slice(0, 20_000) : '';
    return { tex: tex.replace(/^\{\\displaystyle\s+([\s\S]*)\}$/, '$1'), mathml, display };
  };

  const languageOf = (pre: Element): string => {
    const named = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourceCode)[-\s]?\s*([a-z][\w+#.-]*)/i;
    const none =
      /^(?:text|plain|plaintext|none|default|nohighlight|lines?|linenos|wrapper|highlight|numberSource|code)$/i;
    const places = [find(pre, 'code'), pre, pre.parentElement, pre.parentElement?.parentElement];
    for (const place of places) {
      if (!place) continue;
      const given = attributeOf(place, 'data-lang') || attributeOf(place, 'data-language');
      const [, language] = named.exec(attributeOf(place, 'class')) ?? [];
      const found = given || language;
      if (found && !none.test(found)) return found.toLowerCase().slice(0, 30);
      if (found && given) return '';
    }
    return '';
  };

  const lineNumbers =
    '.linenos, .lineno, .linenodiv, .line-numbers-rows, .line-number, .gutter, .hljs-ln-numbers, .rouge-gutter, .blob-num';
  const codeOf = (pre: Element): string => {
    let text = '';
    const read = (node: Node, depth: number) => {
      if (node.nodeType === Node.TEXT_NODE) text += node.nodeValue ?? '';
      if (!(node instanceof Element) || depth > limits.depth || text.length > 1_000_000) return;
      if (node.localName === 'br') text += '\n';
      if (/^(button|script|style)$/.test(node.localName)) return;
      if (node !== pre && (matches(node, lineNumbers) || getComputedStyle(node).display === 'none')) return;
      const isLine = node !== pre && /^(div|p|tr|li)$/.test(node.localName);
      if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
      for (const child of childrenOf(node)) read(child, depth + 1);
      if (isLine && !text.endsWith('\n')) text += '\n';
    };
    read(pre, 0);
    return text.replace(/^\n+|\s+$/g, '').replaceAll('\u00a0', ' ');
  };

  const appendCode = (to: Element, pre: Element) => {
    const block = copy.createElement('pre');
    const code = copy.createElement('code');
    const language = languageOf(pre);
    if (language !== '') code.className = `language-${language}`;
    code.textContent = codeOf(pre);
    if (code.textContent !== '') to.append(block);
    block.append(code);
  };

  const imageOf = (image: Element, base: string): Element | null => {
    const given = (image as HTMLImageElement).currentSrc || attributeOf(image, 'src');
    const lazy = ['data-src', 'data-original', 'data-lazy-src'].map((name) => attributeOf(image, name)).find(Boolean);
    const [fromSet] = attributeOf(image, 'srcset').trim().split(/\s+/);
    const source = /^(data|blob):/.test(given) || given === '' ? lazy || fromSet || '' : given;
    const url = absolute(source, base);
    if (url === '' || source === '') return null;
    const copied = copy.createElement('img');
    copied.setAttribute('src', url);
    copied.setAttribute('alt', attributeOf(image, 'alt').replace(/\s+/g, ' ').trim());
    return copied;
  };

  /** Text for screen readers alone, such as "Skip to content". */
  const isClipped = (element: Element, style: CSSStyleDeclaration) => {
    if (style.position !== 'absolute' && style.position !== 'fixed') return false;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    if (right + scrollX < 0 || bottom + scrollY < 0) return true;
    return width <= 1 && height <= 1 && style.overflow !== 'visible';
  };

  const copyChildren = (
    nodes: Iterable<Node>,
    to: Element,
    context: { base: string; hidden: boolean; depth: number },
  ) => {
    for (const node of nodes) copyNode(node, to, context);
  };

  const copyNode = (node: Node, to: Element, context: { base: string; hidden: boolean; depth: number }): void => {
    left -= 1;
    if (left < 0 || context.depth > limits.depth || (left % 256 === 0 && performance.now() > end)) {
      facts.truncated = true;
      left = Math.min(left, 0);
      return;
    }
    if (node.nodeType === Node.TEXT_NODE) {
      if (!context.hidden) to.append(node.nodeValue ?? '');
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const element = node as Element;
    const { base } = context;
    const name = element.localName;
    const math = mathOf(element);
    if (math) {
      const formula = copy.createElement(math.display ? 'p' : 'span');
      formula.setAttribute('data-math', math.display ? 'display' : 'inline');
      if (math.mathml !== '') {
        facts.hasMathml = true;
        formula.setAttribute('data-mathml', math.mathml);
      }
      formula.textContent = math.tex.trim() || textOf(element);
      to.append(formula);
      return;
    }
    if (dropped.has(name) || element.namespaceURI === 'http://www.w3.org/2000/svg') return;
    if (excluded.length > 0 && excluded.some((selector) => matches(element, selector))) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || isClipped(element, style)) return;
    const hidden = style.visibility !== 'visible';
    if (matches(element, permalink) || matches(element, '.MathJax, .MathJax_Display, .MathJax_Preview, .katex-html'))
      return;
    if (attributeOf(element, 'aria-hidden') === 'true' && textOf(element).length < 20) return;
    if (only_main_content) {
      if (matches(element, surrounding)) return;
      if (style.position === 'fixed' && name !== 'body' && textOf(element).length < textOf(document.body).length / 2)
        return;
    }
    const inner = { base, hidden, depth: context.depth + 1 };
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
    if (name === 'iframe') {
      const frame = (element as HTMLIFrameElement).contentDocument;
      if (!frame?.body) return;
      const inFrame = copy.createElement('div');
      to.append(inFrame);
      copyChildren(childrenOf(frame.body), inFrame, { ...inner, base: frame.baseURI });
      return;
    }
    if (name === 'video' || name === 'audio') {
      const url = absolute((element as HTMLMediaElement).currentSrc || attributeOf(element, 'src'), base);
      if (url === '') return;
      const link = copy.createElement('a');
      link.href = url;
      link.textContent = attributeOf(element, 'title') || name;
      to.append(link);
      return;
    }
    if (name === 'slot' && element instanceof HTMLSlotElement) {
      const assigned = element.assignedNodes();
      copyChildren(assigned.length > 0 ? assigned : childrenOf(element), to, inner);
      return;
    }
    const isBlock = !/^(inline|contents|ruby)/.test(style.display);
    const used = plain.has(name) && !(name === 'span' && isBlock) && name !== 'body' ? name : isBlock ? 'div' : 'span';
    const copied = copy.createElement(used === 'form' ? 'div' : used);
    for (const attribute of kept) {
      const value = attributeOf(element, attribute);
      if (value !== '' && value.length <= 500) copied.setAttribute(attribute, value);
    }
    if (name === 'a') {
      const url = absolute(attributeOf(element, 'href'), base);
      if (url !== '' && element.hasAttribute('href')) copied.setAttribute('href', url);
    }
    to.append(copied);
    const root = element.shadowRoot;
    copyChildren(childrenOf(root ?? element), copied, inner);
  };

  const start = { base: document.baseURI, hidden: false, depth: 0 };
  const roots: Element[] = [];
  for (const selector of include_selectors) {
    try {
      roots.push(...document.querySelectorAll(selector));
    } catch {
      // A selector that is not valid matches nothing.
    }
  }
  const outer = roots.filter(
    (root, index) => roots.indexOf(root) === index && !roots.some((each) => each !== root && each.contains(root)),
  );
  if (include_selectors.length > 0 && outer.length === 0) facts.fault = 'no match';
  if (include_selectors.length > 0) for (const root of outer) copyNode(root, copy.body, start);
  else if (document.body) copyChildren(childrenOf(document.body), copy.body, start);
  copy.documentElement.lang = document.documentElement?.lang ?? '';
  Object.assign(globalThis, { captureCopy: copy, captureKey: key });
  return facts;
}
