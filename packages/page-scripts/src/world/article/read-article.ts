import { Readability } from '@mozilla/readability';

/** As in "3.1.2 Titles". */
const sectionNumber = /^\s*\d+(\.\d+)+\.?\s/;

/** Two numbers may begin the headlines of other articles, such as "5.2 million". */
const leastSections = 3;

/**
 * The article that Readability finds; null also if Readability would lose parts of the content. Changes the document.
 *
 * @param whole a copy of the page without scripts.
 */
export function readArticle(whole: Document): Element | null {
  hideHeadings(whole);
  const hasAllParts = markParts(whole);
  const options = { serializer: (node: Node) => node as Element, keepClasses: true, charThreshold: 200 };
  try {
    const { content = null } = new Readability<Element>(whole, options).parse() ?? {};
    return content && hasAllParts(content) ? showHeadings(content) : null;
  } catch {
    // The page's policy forbids setting HTML from text, in our world too.
    return null;
  }
}

/**
 * Readability drops headings of the first two levels that repeat the title or have the name of a part of a layout, and sections
 * whose id is their title, such as `host-header`. As headings of the third level without names they stay.
 */
function hideHeadings(whole: Document): void {
  for (const heading of whole.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    removeOwnNames(heading);
    const plain = whole.createElement('h3');
    plain.setAttribute('data-level', heading.localName);
    plain.append(...heading.childNodes);
    heading.replaceWith(plain);
    unwrap(plain);
  }
}

function removeOwnNames(heading: Element): void {
  const slug = headingSlug(heading.textContent);
  for (const each of [heading.parentElement, heading.previousElementSibling]) {
    if (slug !== '' && each?.id.toLowerCase().endsWith(slug)) each.removeAttribute('id');
  }
}

/** The id that generators of documents derive from a title: without the number of its section. */
export function headingSlug(title: string): string {
  return title
    .toLowerCase()
    .replace(sectionNumber, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The boxes around a heading may be named as a part of a layout. */
function unwrap(plain: Element): void {
  const title = plain.textContent.trim();
  const isOnly = ({ localName, textContent }: Element) => localName === 'div' && textContent.trim() === title;
  while (plain.parentElement && isOnly(plain.parentElement)) plain.parentElement.replaceWith(plain);
}

function showHeadings(article: Element): Element {
  for (const plain of article.querySelectorAll('[data-level]')) {
    const heading = article.ownerDocument.createElement(plain.getAttribute('data-level') ?? 'h3');
    heading.append(...plain.childNodes);
    plain.replaceWith(heading);
  }
  return article;
}

/**
 * Marks the parts that the content must keep: each numbered section, and code between other code. Readability drops sections
 * that have little but code, tables or links.
 *
 * @returns whether an article has all of them. Removes the marks of code from the article.
 */
function markParts(whole: Document): (article: Element) => boolean {
  for (const [index, block] of [...whole.querySelectorAll('pre')].entries())
    block.setAttribute('data-code', `${index}`);
  const headings = [...whole.querySelectorAll('[data-level]')];
  const numbered = headings.filter(({ textContent }) => sectionNumber.test(textContent));
  const sections = numbered.length >= leastSections ? numbered : [];
  for (const section of sections) section.setAttribute('data-section', '');
  return (article) => {
    const kept = [...article.querySelectorAll('[data-code]')];
    const [first = 0, last = -1] = [kept[0], kept.at(-1)].map((block) => Number(block?.getAttribute('data-code')));
    for (const block of kept) block.removeAttribute('data-code');
    const hasCode = kept.length === 0 || kept.length === last - first + 1;
    return hasCode && article.querySelectorAll('[data-section]').length === sections.length;
  };
}
