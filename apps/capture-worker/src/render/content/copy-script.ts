/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

import type { Libraries } from './libraries.ts';

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
  /** What is wrong with the selection: no element matches it, or a text is no selector. */
  fault: 'no match' | { field: string; selector: string } | null;
  /** Whether an earlier output has read the same selection of a page that is held: formulas are read, the part is chosen. */
  isChosen: boolean;
}

interface Copy {
  captureCopy: Document;
  /** The part of the copy that is written. */
  captureRoot: Element;
  captureTruncated: boolean;
}

/** What the scripts keep in our world of the page. */
export interface ContentWorld extends Copy {
  captureLibraries: Libraries;
  /** Copies of a page that is held still, by their selection: what several outputs write is copied once. */
  captureKept?: Map<string, Copy>;
  /** The selection of the latest copy. */
  captureKey?: string;
  /** The part that is written, in a form that Markdown can say. */
  captureTidied: Element;
}

/**
 * Copies what a visitor can see into a document without scripts, styles and network, which stays in the isolated world as
 * `captureCopy`: with the contents of open shadow roots and of frames of the same origin, absolute URLs, code and formulas as
 * text. It reads properties through their prototypes: a form's own may be its fields.
 */
export function copyContent({ only_main_content, include_selectors, exclude_selectors, limits }: CopyInput): CopyFacts {
  const facts: CopyFacts = { truncated: false, hasMathml: false, fault: null, isChosen: false };
  const key = JSON.stringify([only_main_content, include_selectors, exclude_selectors]);
  const earlier = (globalThis as unknown as ContentWorld).captureKept?.get(key);
  if (earlier) {
    Object.assign(globalThis, earlier);
    return { ...facts, truncated: earlier.captureTruncated, isChosen: true };
  }
  const copy = document.implementation.createHTMLDocument(document.title);
  const end = performance.now() + limits.ms;
  let left = limits.nodes;
  const childrenOf = (node: Node): Iterable<Node> => Reflect.get(Node.prototype, 'childNodes', node);
  const textOf = (node: Node): string => Reflect.get(Node.prototype, 'textContent', node) ?? '';
  const attributeOf = (element: Element, name: string) => Element.prototype.getAttribute.call(element, name) ?? '';
  const matches = (element: Element, selectors: string) => Element.prototype.matches.call(element, selectors);
  const find = (element: Element, selectors: string) => Element.prototype.querySelector.call(element, selectors);
  for (const [field, selectors] of Object.entries({ include_selectors, exclude_selectors })) {
    for (const [index, selector] of selectors.entries()) {
      try {
        copy.querySelector(selector);
      } catch {
        return { ...facts, fault: { field: `${field}.${index}`, selector } };
      }
    }
  }

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
    // Wikipedia hides the MathML, and shows an image.
    const containers = '.katex, .katex-display, mjx-container, math, .mwe-math-element, .mwe-math-mathml-a11y';
    if (!matches(element, containers)) return null;
    const math = name === 'math' ? element : find(element, 'math');
    if (!math) return null;
    const annotation = find(math, 'annotation[encoding="application/x-tex"], annotation[encoding="TeX"]');
    const tex = annotation ? textOf(annotation) : attributeOf(math, 'alttext');
    const display =
      attributeOf(math, 'display') === 'block' ||
      matches(element, '.katex-display, mjx-container[display=true], .mwe-math-element-block');
    const mathml = tex.trim() === '' ? math.outerHTML.slice(0, 20_000) : '';
    return { tex: tex.replace(/^\{\\displaystyle\s+([\s\S]*)\}$/, '$1'), mathml, display };
  };

  const languageOf = (pre: Element): string => {
    const named = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:|sourceCode)[-\s]?\s*([a-z][\w+#.-]*)/i;
    const none =
      /^(?:text|plain|plaintext|none|default|nohighlight|lines?|linenos|wrapper|highlight|numberSource|code)$/i;
    // Highlighters also name the language alone, as one of many names of classes.
    const known =
      /^(?:bash|c|clojure|cpp|csharp|cs|css|dart|diff|dockerfile|elixir|erlang|go|graphql|groovy|haskell|html|http|ini|java|javascript|js|json|jsx|julia|kotlin|latex|less|lua|makefile|markdown|nginx|objc|perl|php|powershell|python|py|r|ruby|rb|rust|scala|scss|sh|shell|sql|swift|toml|ts|tsx|typescript|vb|vim|xml|yaml|yml|zsh)$/i;
    const bareOf = (place: Element) => {
      const names = attributeOf(place, 'class').split(/\s+/).filter(Boolean);
      const isMarked = names.includes('hljs');
      return names.find((name) =>
        isMarked ? /^(?!hljs)[a-z][\w+#.-]*$/i.test(name) && !none.test(name) : known.test(name),
      );
    };
    const places = [find(pre, 'code'), pre, pre.parentElement, pre.parentElement?.parentElement];
    for (const place of places) {
      if (!place) continue;
      const given = attributeOf(place, 'data-lang') || attributeOf(place, 'data-language');
      const [, language] = named.exec(attributeOf(place, 'class')) ?? [];
      const isInner = place === pre || place.localName === 'code';
      const found = given || language || (isInner ? bareOf(place) : undefined);
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
      if (node.nodeType !== Node.ELEMENT_NODE || depth > limits.depth || text.length > 1_000_000) return;
      // Of a frame it is no instance of our `Element`.
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
    const givenAs = (names: string[]) => names.map((name) => attributeOf(image, name)).find(Boolean) ?? '';
    const firstOf = (set: string) => set.trim().split(/\s+/, 1)[0] ?? '';
    const shown = (image as HTMLImageElement).currentSrc || attributeOf(image, 'src');
    // A script that loads images late moves these to `src`, in place of a placeholder.
    const lazy = [
      givenAs(['data-src', 'data-original', 'data-lazy-src']),
      firstOf(givenAs(['data-srcset', 'data-lazy-srcset'])),
    ].find((url) => url !== '' && !/^(data|blob):|[{}]/.test(url));
    const source =
      lazy ?? (/^(data|blob):/.test(shown) || shown === '' ? firstOf(attributeOf(image, 'srcset')) : shown);
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
    const { scrollX: x = 0, scrollY: y = 0 } = element.ownerDocument.defaultView ?? {};
    if (right + x < 0 || bottom + y < 0) return true;
    return width <= 1 && height <= 1 && style.overflow !== 'visible';
  };

  /** An icon: a glyph, or the name of one in a font of icons. */
  const isIcon = (element: Element, style: CSSStyleDeclaration) => {
    const [font = ''] = style.fontFamily.split(',');
    return !/[\p{L}\p{N}]/u.test(textOf(element)) || /icon|icomoon|symbol|awesome|glyph|fontello/i.test(font);
  };

  const isHiddenFromReaders = (element: Element) => attributeOf(element, 'aria-hidden') === 'true';
  const isShort = (element: Element) => textOf(element).length <= 60 && /[\p{L}\p{N}]/u.test(textOf(element));
  /** Whether what is shown and what is read aloud stand side by side: "19" with a small "99", and "$19.99". */
  const hasTwin = (element: Element, isTwin: (other: Element) => boolean) =>
    isShort(element) &&
    [element.previousElementSibling, element.nextElementSibling].some(
      (other) => other && isShort(other) && isTwin(other),
    );

  /** The title of a part that opens and closes is a button in a heading. */
  const isTitle = (element: Element) => {
    const heading = element.closest('h1, h2, h3, h4, h5, h6, dt, summary');
    return heading !== null && textOf(element).trim().length * 2 > textOf(heading).trim().length;
  };

  /** Whether surroundings are left out; not of a page that has nothing else. */
  let leavesOut = only_main_content;

  const copyChildren = (
    nodes: Iterable<Node>,
    to: Element,
    context: { base: string; hidden: boolean; depth: number },
  ) => {
    for (const node of nodes) copyNode(node, to, context);
  };

  const copyNode = (node: Node, to: Element, context: { base: string; hidden: boolean; depth: number }): void => {
    left -= 1;
    if (left < 0 || (left % 256 === 0 && performance.now() > end)) left = -1;
    if (left < 0 || context.depth > limits.depth) {
      facts.truncated = true;
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
    if (name === 'input' && attributeOf(element, 'type') === 'checkbox' && element.closest('li')) {
      const task = copy.createElement('span');
      task.setAttribute('data-task', '');
      task.textContent = (element as HTMLInputElement).checked ? '[x] ' : '[ ] ';
      to.append(task);
      return;
    }
    const isButton = name === 'button' && isTitle(element);
    if ((dropped.has(name) && !isButton) || element.namespaceURI === 'http://www.w3.org/2000/svg') return;
    if (exclude_selectors.some((selector) => matches(element, selector))) return;
    const style = getComputedStyle(element);
    if (style.display === 'none') return;
    const isTwin = isClipped(element, style);
    if (isTwin && !hasTwin(element, isHiddenFromReaders)) return;
    const hidden = style.visibility !== 'visible';
    if (matches(element, permalink) || matches(element, '.MathJax, .MathJax_Display, .MathJax_Preview, .katex-html'))
      return;
    if (isHiddenFromReaders(element)) {
      if (textOf(element).length < 20 && isIcon(element, style)) return;
      if (hasTwin(element, (other) => isClipped(other, getComputedStyle(other)))) return;
    }
    if (leavesOut) {
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
    if (name === 'iframe' || name === 'frame') {
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
    if (name === 'slot') {
      const assigned = (element as HTMLSlotElement).assignedNodes?.() ?? [];
      copyChildren(assigned.length > 0 ? assigned : childrenOf(element), to, inner);
      return;
    }
    const isBlock = !isButton && !isTwin && !/^(inline|contents|ruby)/.test(style.display);
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
    // A link that shows only an icon.
    if (copied.hasAttribute('href') && !/\S/.test(textOf(copied)) && !find(copied, 'img')) {
      if (!attributeOf(element, 'href').startsWith('#')) copied.append(attributeOf(element, 'aria-label'));
    }
  };

  const start = { base: document.baseURI, hidden: false, depth: 0 };
  const roots = include_selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
  const outer = roots.filter(
    (root, index) => roots.indexOf(root) === index && !roots.some((each) => each !== root && each.contains(root)),
  );
  /** What Chromium shows of XML is made of this. */
  const source = document.getElementById('webkit-xml-viewer-source-xml');
  const copyAll = () => {
    if (include_selectors.length > 0) for (const root of outer) copyNode(root, copy.body, start);
    else if (source) appendSource(source);
    else if (document.body) copyChildren(childrenOf(document.body), copy.body, start);
    else for (const text of document.querySelectorAll('title, desc, text')) appendText(text);
  };
  const appendSource = (xml: Element) => {
    const code = copy.createElement('code');
    code.className = 'language-xml';
    code.textContent = xml.innerHTML.trim();
    const block = copy.createElement('pre');
    block.append(code);
    copy.body.append(block);
  };
  /** Of an SVG document. */
  const appendText = (text: Element) => {
    const paragraph = copy.createElement('p');
    paragraph.textContent = textOf(text);
    copy.body.append(paragraph);
  };
  if (include_selectors.length > 0 && outer.length === 0) facts.fault = 'no match';
  copyAll();
  const lengthOf = (element: Element) => textOf(element).replace(/\s+/g, ' ').trim().length;
  const headings = [...copy.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const hasContent = lengthOf(copy.body) - headings.reduce((sum, each) => sum + lengthOf(each), 0) > 20;
  if (leavesOut && !hasContent && !copy.body.querySelector('img, pre, table, [data-math]')) {
    leavesOut = false;
    copy.body.replaceChildren();
    copyAll();
  }
  copy.documentElement.lang = document.documentElement?.lang ?? '';
  Object.assign(globalThis, { captureCopy: copy, captureKey: key, captureTruncated: facts.truncated });
  return facts;
}
