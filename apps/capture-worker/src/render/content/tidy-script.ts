/// <reference lib="dom" />
/** A script for `runInPage`: it is sent as text, so it must be self-contained; input and result are JSON. */

import type { ContentWorld } from './copy/copy.ts';

/**
 * Copies the part that is written into a tree that Markdown can say, as `captureTidied`: links inside of their blocks, tables
 * with one line in each cell, code and emphasis without further markup.
 */
export function tidyForMarkdown(): null {
  const world = globalThis as unknown as ContentWorld;
  const { captureCopy: copy } = world;
  const root = world.captureRoot.cloneNode(true) as Element;
  const block =
    'address, article, aside, blockquote, dd, details, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, menu, nav, ol, p, pre, section, summary, table, ul';
  const heading = 'h1, h2, h3, h4, h5, h6';
  const isBlock = (node: Node) =>
    node instanceof Element && (node.matches(block) || node.querySelector(block) !== null);
  const hasText = (node: Node) => /\S/.test(node.textContent ?? '');
  // One by one: a call takes a hundred thousand arguments at most.
  const make = (name: string, content: Iterable<Node> = []) => {
    const element = copy.createElement(name);
    for (const node of [...content]) element.append(node);
    return element;
  };
  const replace = (element: Element, content: Iterable<Node | string>) => {
    for (const node of [...content]) element.before(node);
    element.remove();
  };

  /** A link around blocks becomes one in its heading, or around its first text. */
  const moveInside = (link: Element) => {
    const within = [...link.querySelectorAll(heading)].find(hasText) ?? link;
    const texts = copy.createTreeWalker(within, NodeFilter.SHOW_TEXT, (node) =>
      hasText(node) && !node.parentElement?.closest('pre') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
    );
    let first: Node | null = texts.nextNode() ?? link.querySelector('img');
    while (first?.parentElement && first.parentElement !== link && !isBlock(first.parentElement)) {
      first = first.parentElement;
    }
    if (first) {
      const inner = link.cloneNode(false) as Element;
      first.parentNode?.insertBefore(inner, first);
      while (inner.nextSibling && !isBlock(inner.nextSibling)) inner.append(inner.nextSibling);
    }
    replace(link, link.childNodes);
  };

  /** Emphasis inside of the same, or directly after it, is one. */
  const mergeEmphasis = (element: Element, kind: string) => {
    if (element.parentElement?.closest(kind)) return replace(element, element.childNodes);
    for (let next = element.nextSibling; next instanceof Element && next.matches(kind); next = element.nextSibling) {
      for (const node of [...next.childNodes]) element.append(node);
      next.remove();
    }
  };

  /** Inline code shows its characters; a link around all of it goes outside. */
  const flattenCode = (code: Element) => {
    const link = code.querySelector('a[href]');
    const text = code.textContent;
    const outer = link?.textContent.trim() === text.trim() ? (link.cloneNode(false) as Element) : null;
    code.textContent = text;
    if (!outer) return;
    code.replaceWith(outer);
    outer.append(code);
  };

  /** Writes the blocks of a cell below each other. */
  const flattenCell = (cell: Element) => {
    for (const part of [...cell.querySelectorAll(`${block}, tr, td, th`)].reverse()) {
      const name = part.localName;
      const lines = name === 'pre' ? part.textContent.split('\n') : [];
      const written = lines.flatMap((line) => [
        line.trim() === '' ? copy.createTextNode('') : make('code', [copy.createTextNode(line)]),
        make('br'),
      ]);
      const prefix = name === 'li' ? '- ' : /^t[dh]$/.test(name) && part.previousElementSibling ? ', ' : '';
      const isTitle = part.matches(heading) && hasText(part);
      const breaks = /^t[dh]$/.test(name) ? [] : [make('br')];
      const content = name === 'pre' ? written : part.childNodes;
      replace(part, [
        ...breaks,
        prefix,
        ...(isTitle ? [make('strong', content)] : content),
        ...breaks.map(() => make('br')),
      ]);
    }
  };

  let spans = 100_000;
  const mostCells = 500_000;
  /** The cells of a table by rows and columns, with empty ones where a cell spans several; null if there are too many. */
  const gridOf = (rows: readonly HTMLTableRowElement[]): Element[][] | null => {
    const grid: Element[][] = rows.map(() => []);
    for (const [y, row] of rows.entries()) {
      let x = 0;
      for (const cell of row.cells) {
        while (grid[y]?.[x]) x += 1;
        const height = Math.min(cell.rowSpan || rows.length, rows.length - y, 1_000);
        const width = Math.min(cell.colSpan, 100);
        if (height * width > 1) spans -= height * width;
        const isSpread = spans > 0;
        for (const below of grid.slice(y, y + (isSpread ? height : 1))) {
          for (let column = x; column < x + (isSpread ? width : 1); column += 1) below[column] ??= make(cell.localName);
        }
        const line = grid[y];
        if (line) line[x] = cell;
      }
    }
    const width = grid.reduce((most, cells) => Math.max(most, cells.length), 0);
    // A long row and many short ones.
    if (width * grid.length > mostCells) return null;
    return grid.map((cells) => Array.from({ length: width }, (_, column) => cells[column] ?? make('td')));
  };

  const tidyTable = (table: HTMLTableElement) => {
    const rows = [...table.rows];
    const cells = rows.flatMap((row) => [...row.cells]);
    const isNamed = table.tHead !== null || table.caption !== null || cells.some(({ localName }) => localName === 'th');
    const isLayout = cells.some((cell) => cell.querySelector(`${heading}, table, pre, hr, blockquote`));
    const grid =
      cells.length <= 1 || (!isNamed && isLayout) ? null : gridOf(rows.filter((row) => row.cells.length > 0));
    if (!grid) {
      return replace(
        table,
        cells.map((cell) => make('div', cell.childNodes)),
      );
    }
    for (const cell of cells) flattenCell(cell);
    const [first, ...others] = grid;
    const isHead = table.tHead !== null || first?.every(({ localName }) => localName === 'th');
    const rowOf = (row: readonly Element[]) => make('tr', row);
    const tidied = make('table');
    if (isHead && first) tidied.append(make('thead', [rowOf(first)]));
    tidied.append(make('tbody', (isHead || !first ? others : [first, ...others]).map(rowOf)));
    for (const each of tidied.querySelectorAll('[colspan]')) each.removeAttribute('colspan');
    if (table.caption) table.before(make('p', table.caption.childNodes));
    table.replaceWith(tidied);
  };

  // A list of sections only places them on the page.
  for (const list of [...root.querySelectorAll('ul')].reverse()) {
    const items = [...list.children];
    const isTitled = items.every((item) => item.querySelector(heading) !== null);
    const isSection = (item: Element) =>
      item.querySelectorAll(heading).length > 1 || item.querySelector('pre, table, ul, ol, dl') !== null;
    if (!isTitled || !items.some(isSection)) continue;
    replace(
      list,
      items.map((item) => make('div', item.childNodes)),
    );
  }
  for (const link of root.querySelectorAll('a[href]')) if (link.querySelector(block)) moveInside(link);
  for (const kind of ['b, strong', 'em, i']) for (const each of root.querySelectorAll(kind)) mergeEmphasis(each, kind);
  for (const code of root.querySelectorAll(':not(pre) > code')) if (code.childElementCount > 0) flattenCode(code);
  // Inner tables first.
  for (const table of [...root.querySelectorAll('table')].reverse()) tidyTable(table);
  world.captureTidied = root;
  return null;
}
