/// <reference lib="dom" />
/** Scripts for `runInPage`: they are sent as text, so they must be self-contained; input and result are JSON. */

import type { ContentWorld } from './copy/copy.ts';

/**
 * Chooses the main content of the copy: what the page marks as such, else what Readability finds, else the page without what
 * surrounds its content. Readability drops much of pages that are not articles, such as references, so a result that lacks
 * most of the text is not taken.
 */
export function chooseMain({ isWhole }: { isWhole: boolean }): null {
  const world = globalThis as unknown as ContentWorld;
  const { captureCopy: copy, captureLibraries: libraries } = world;
  const { body } = copy;
  const lengthOf = (element: Element | null) => (element?.textContent ?? '').replace(/\s+/g, ' ').length;
  const outermost = (selector: string) =>
    [...body.querySelectorAll(selector)].filter((element) => !element.parentElement?.closest(selector));
  const surrounding = 'aside, footer, nav, [role=complementary]';
  const named =
    '.sidebar, .toc, #toc, .breadcrumb, .breadcrumbs, .skip-link, .menu, .navbar, #menu, #navbar, .header, .contents';
  const keep = (chosen: Element) => {
    world.captureRoot = chosen;
    const { captureKey: key, captureTruncated } = world;
    if (key) world.captureKept?.set(key, { captureCopy: copy, captureRoot: chosen, captureTruncated });
    return null;
  };
  // Beside code stand its line numbers, and the name of its language.
  for (const block of body.querySelectorAll('pre')) {
    const lines = (block.textContent ?? '').split('\n').length;
    const [, language = ''] = /language-(\S+)/.exec(block.firstElementChild?.className ?? '') ?? [];
    for (const beside of [block.previousElementSibling, block.nextElementSibling]) {
      if (!beside || beside.localName === 'pre') continue;
      const texts = copy.createTreeWalker(beside, NodeFilter.SHOW_TEXT);
      const words: string[] = [];
      while (texts.nextNode() && words.length <= lines) {
        const word = texts.currentNode.nodeValue?.trim() ?? '';
        if (word !== '') words.push(...word.split(/\s+/));
      }
      const [first = ''] = words;
      const isNumbers = words.length === lines && words.every((word, index) => Number(word) === Number(first) + index);
      const isLanguage = words.length === 1 && language !== '' && first.toLowerCase() === language;
      if ((isNumbers && lines > 1) || isLanguage) beside.remove();
    }
  }
  if (isWhole) return keep(body);

  const total = lengthOf(body);
  /** Selectors, and the share of the page's text that an element must have. */
  const marked: [selector: string, share: number][] = [
    ['main, [role=main]', 0.1],
    ['[itemprop=articleBody]', 0.4],
    ['article', 0.4],
    ['#content, #main-content, .markdown-body, .contents', 0.2],
  ];
  let root: Element | null = null;
  for (const [selector, share] of marked) {
    const found = outermost(selector).sort((one, other) => lengthOf(other) - lengthOf(one));
    const [largest = null] = found;
    if (lengthOf(largest) < Math.max(1, total * share)) continue;
    // Cards of a list are articles too.
    if (found.length > 1 && lengthOf(largest) < found.reduce((sum, each) => sum + lengthOf(each), 0) * 0.6) continue;
    root = largest;
    break;
  }
  const article = root && [...root.querySelectorAll('article')].sort((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (root && article && lengthOf(article) > lengthOf(root) * 0.6) root = article;

  /** As in "3.1.2 Titles". */
  const sectionNumber = /^\s*\d+(\.\d+)+\.?\s/;
  /**
   * Readability drops headings of the first two levels that repeat the title or have the name of a part of a layout, and sections
   * whose id is their title, such as `host-header`. As headings of the third level without names they stay.
   */
  const hideHeadings = (whole: Document) => {
    for (const heading of whole.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
      const slug = heading.textContent
        .toLowerCase()
        // The id of a numbered section is its title without the number.
        .replace(sectionNumber, '')
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
      for (const each of [heading.parentElement, heading.previousElementSibling]) {
        if (slug !== '' && each?.id.toLowerCase().endsWith(slug)) each.removeAttribute('id');
      }
      const plain = whole.createElement('h3');
      plain.setAttribute('data-level', heading.localName);
      plain.append(...heading.childNodes);
      heading.replaceWith(plain);
      // Boxes around it may be named as a part of a layout.
      const isOnly = ({ localName, textContent }: Element) => localName === 'div' && textContent.trim() === title;
      const title = plain.textContent.trim();
      while (plain.parentElement && isOnly(plain.parentElement)) plain.parentElement.replaceWith(plain);
    }
  };
  const showHeadings = (article: Element) => {
    for (const plain of article.querySelectorAll('[data-level]')) {
      const heading = copy.createElement(plain.getAttribute('data-level') ?? 'h3');
      heading.append(...plain.childNodes);
      plain.replaceWith(heading);
    }
    return article;
  };
  /** What no content lacks: each numbered section, and code between other code. Readability drops those of little but code, tables or links. */
  const markParts = (whole: Document) => {
    const code = [...whole.querySelectorAll('pre')];
    for (const [index, block] of code.entries()) block.setAttribute('data-code', `${index}`);
    const numbered = [...whole.querySelectorAll('[data-level]')].filter(({ textContent }) =>
      sectionNumber.test(textContent),
    );
    // Two may be headlines of other articles: "5.2 million".
    const sections = numbered.length > 2 ? numbered : [];
    for (const section of sections) section.setAttribute('data-section', '');
    return (article: Element) => {
      const kept = [...article.querySelectorAll('[data-code]')];
      const [first = 0, last = -1] = [kept[0], kept.at(-1)].map((block) => Number(block?.getAttribute('data-code')));
      for (const block of kept) block.removeAttribute('data-code');
      const hasCode = kept.length === 0 || kept.length === last - first + 1;
      return hasCode && article.querySelectorAll('[data-section]').length === sections.length;
    };
  };
  /** It changes the document that it reads. Null also if it would lose parts of the content. */
  const readArticle = (whole: Document): Element | null => {
    hideHeadings(whole);
    const hasParts = markParts(whole);
    const options = { serializer: (element: Element) => element, keepClasses: true, charThreshold: 200 };
    try {
      const { content = null } = new libraries.Readability(whole, options).parse() ?? {};
      return content && hasParts(content) ? showHeadings(content) : null;
    } catch {
      // The page's policy forbids setting HTML from text, in our world too.
      return null;
    }
  };
  const strip = (element: Element) => {
    const most = lengthOf(element) / 2;
    for (const part of element.querySelectorAll(surrounding)) if (lengthOf(part) < most) part.remove();
    // A box of text may have the same name, so only lists of links go.
    for (const part of element.querySelectorAll(named)) {
      const linked = [...part.querySelectorAll('a')].reduce((sum, link) => sum + lengthOf(link), 0);
      const isList = lengthOf(part) < most && linked > lengthOf(part) * 0.4;
      if (isList && part.querySelector('h1') === null) part.remove();
    }
  };
  if (!root) {
    const whole = copy.cloneNode(true) as Document;
    const headers = [...body.children].filter((each) => each.localName === 'header');
    for (const header of headers) if (!header.querySelector('h1')) header.remove();
    strip(body);
    const article = readArticle(whole);
    if (article && lengthOf(article) > lengthOf(body) * 0.5) root = article;
  }
  strip(root ?? body);
  // The title of an article may stand in a header beside it.
  const headings = [...body.querySelectorAll('h1, h2')];
  const starts = (heading: Element) =>
    heading.textContent.trim() !== '' && copy.title.startsWith(heading.textContent.trim());
  // The first may be the name of the site.
  const title = headings.find(starts) ?? headings.find(({ localName }) => localName === 'h1');
  const isThere = [...(root?.querySelectorAll('h1, h2') ?? [])].some(
    ({ localName, textContent }) => localName === 'h1' || textContent === title?.textContent,
  );
  if (title && root !== null && !isThere) root.prepend(title.cloneNode(true));
  return keep(root ?? body);
}

/** Turns the MathML of formulas into TeX. */
export function convertMathml(): null {
  const { captureCopy: copy, captureLibraries: libraries } = globalThis as unknown as ContentWorld;
  for (const formula of copy.querySelectorAll('[data-mathml]')) {
    try {
      const tex = libraries.mathml.MathMLToLaTeX.convert(formula.getAttribute('data-mathml') ?? '');
      if (tex.trim() !== '') formula.textContent = tex.trim();
    } catch {
      // Its text stays.
    }
    formula.removeAttribute('data-mathml');
  }
  return null;
}
