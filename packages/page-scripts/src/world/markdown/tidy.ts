import { contentCopies, latestCopy } from '../content/latest-copy.ts';
import { block, heading, make, replace } from './tidy-dom.ts';
import { flattenCode, mergeEmphasis, moveLinkInside } from './tidy-inline.ts';
import { TableTidier } from './tidy-table.ts';

/**
 * Copies the part that is written into a tree that Markdown can express: links inside of their blocks, tables with one line in
 * each cell, code and emphasis without further markup.
 */
export function tidyForMarkdown(): null {
  const { document: copy, root: chosen } = latestCopy();
  const root = chosen.cloneNode(true) as Element;
  for (const list of [...root.querySelectorAll('ul')].reverse()) unwrapSections(copy, list);
  for (const link of root.querySelectorAll('a[href]')) if (link.querySelector(block)) moveLinkInside(copy, link);
  for (const kind of ['b, strong', 'em, i']) for (const each of root.querySelectorAll(kind)) mergeEmphasis(each, kind);
  for (const code of root.querySelectorAll(':not(pre) > code')) if (code.childElementCount > 0) flattenCode(code);
  const tables = new TableTidier(copy);
  // Inner tables first.
  for (const table of [...root.querySelectorAll('table')].reverse()) tables.tidy(table);
  contentCopies().tidied = root;
  return null;
}

/** A list of sections only places the sections on the page. */
function unwrapSections(copy: Document, list: Element): void {
  const items = [...list.children];
  const isTitled = items.every((item) => item.querySelector(heading) !== null);
  if (!isTitled || !items.some(isSection)) return;
  replace(
    list,
    items.map((item) => make(copy, 'div', item.childNodes)),
  );
}

function isSection(item: Element): boolean {
  return item.querySelectorAll(heading).length > 1 || item.querySelector('pre, table, ul, ol, dl') !== null;
}
