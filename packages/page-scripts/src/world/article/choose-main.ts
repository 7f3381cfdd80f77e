import { chooseRoot } from '../content/copy-content.ts';
import { latestCopy } from '../content/latest-copy.ts';
import type { ContentCopy } from '../state/content-copies.ts';
import { readArticle } from './read-article.ts';
import { removeCodeLabels } from './remove-code-labels.ts';
import { textLength } from './text-length.ts';

/** Elements that pages mark as their content, and the share of the page's text that such an element must have. */
const marked: readonly [selector: string, share: number][] = [
  ['main, [role=main]', 0.1],
  ['[itemprop=articleBody]', 0.4],
  ['article', 0.4],
  ['#content, #main-content, .markdown-body, .contents', 0.2],
];

/** Of several elements or articles, the largest must have this share of their text: the cards of a list are articles, too. */
const dominantShare = 0.6;

const surrounding = 'aside, footer, nav, [role=complementary]';
const named =
  '.sidebar, .toc, #toc, .breadcrumb, .breadcrumbs, .skip-link, .menu, .navbar, #menu, #navbar, .header, .contents';

/**
 * Chooses the main content of the latest copy: the element that the page marks, else the result of Readability, else the page
 * without its surroundings. Readability drops much of pages that are not articles, such as references, so a result that
 * lacks most of the text is not taken.
 */
export function chooseMain({ isWhole }: { isWhole: boolean }): null {
  const copy = latestCopy();
  const { body } = copy.document;
  removeCodeLabels(copy.document);
  chooseRoot(copy, isWhole ? body : mainOf(copy));
  return null;
}

function mainOf({ document: copy }: ContentCopy): Element {
  const { body } = copy;
  const root = findMarked(body) ?? findArticle(copy);
  removeSurroundings(root ?? body);
  if (root) addTitle(copy, root);
  return root ?? body;
}

function findMarked(body: Element): Element | null {
  const total = textLength(body);
  for (const [selector, share] of marked) {
    const found = outermost(body, selector).sort((one, other) => textLength(other) - textLength(one));
    const [largest = null] = found;
    const length = textLength(largest);
    if (!largest || length < Math.max(1, total * share)) continue;
    if (found.length > 1 && length < found.reduce((sum, each) => sum + textLength(each), 0) * dominantShare) continue;
    return largestArticle(largest) ?? largest;
  }
  return null;
}

function outermost(body: Element, selector: string): Element[] {
  return [...body.querySelectorAll(selector)].filter((element) => !element.parentElement?.closest(selector));
}

function largestArticle(root: Element): Element | null {
  const [article] = [...root.querySelectorAll('article')].sort((a, b) => textLength(b) - textLength(a));
  return article && textLength(article) > textLength(root) * dominantShare ? article : null;
}

/** Changes the copy: its surroundings go, so that the article can be compared with the rest of the page. */
function findArticle(copy: Document): Element | null {
  const { body } = copy;
  const whole = copy.cloneNode(true) as Document;
  const headers = [...body.children].filter((each) => each.localName === 'header');
  for (const header of headers) if (!header.querySelector('h1')) header.remove();
  removeSurroundings(body);
  const article = readArticle(whole);
  return article && textLength(article) > textLength(body) * 0.5 ? article : null;
}

function removeSurroundings(element: Element): void {
  const most = textLength(element) / 2;
  for (const part of element.querySelectorAll(surrounding)) if (textLength(part) < most) part.remove();
  // A box of text may have the same name, so only lists of links go.
  for (const part of element.querySelectorAll(named)) {
    const linked = [...part.querySelectorAll('a')].reduce((sum, link) => sum + textLength(link), 0);
    const isList = textLength(part) < most && linked > textLength(part) * 0.4;
    if (isList && part.querySelector('h1') === null) part.remove();
  }
}

/** The title of an article may stand in a header outside of the article. */
function addTitle(copy: Document, root: Element): void {
  const headings = [...copy.body.querySelectorAll('h1, h2')];
  const beginsTitle = ({ textContent }: Element) =>
    textContent.trim() !== '' && copy.title.startsWith(textContent.trim());
  // The first heading may be the name of the site.
  const title = headings.find(beginsTitle) ?? headings.find(({ localName }) => localName === 'h1');
  const isThere = [...root.querySelectorAll('h1, h2')].some(
    ({ localName, textContent }) => localName === 'h1' || textContent === title?.textContent,
  );
  if (title && !isThere) root.prepend(title.cloneNode(true));
}
