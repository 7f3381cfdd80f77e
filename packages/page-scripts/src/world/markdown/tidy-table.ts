import { block, hasText, heading, make, replace } from './tidy-dom.ts';

/** How many cells the spans of all tables may add, and how many cells a table may have. */
const spannedAtMost = 100_000;
const cellsAtMost = 500_000;

/** HTML allows a cell to span more, 65,534 rows and 1,000 columns. */
const longestSpan = { rows: 1_000, columns: 100 };

export class TableTidier {
  readonly #copy: Document;
  #spansLeft = spannedAtMost;

  constructor(copy: Document) {
    this.#copy = copy;
  }

  /** Makes a table whose cells have one line each; a table that only lays out the page becomes blocks. */
  tidy(table: HTMLTableElement): void {
    const cells = [...table.rows].flatMap((row) => [...row.cells]);
    const rows = [...table.rows].filter((row) => row.cells.length > 0);
    const grid = isData(table, cells) ? this.#grid(rows) : null;
    if (!grid) {
      replace(
        table,
        cells.map((cell) => make(this.#copy, 'div', cell.childNodes)),
      );
      return;
    }
    for (const cell of cells) this.#flattenCell(cell);
    const tidied = this.#tableOf(grid, table.tHead !== null);
    if (table.caption) table.before(make(this.#copy, 'p', table.caption.childNodes));
    table.replaceWith(tidied);
  }

  #tableOf(grid: readonly Element[][], hasHead: boolean): Element {
    const [first, ...others] = grid;
    const isHead = hasHead || first?.every(({ localName }) => localName === 'th');
    const rowOf = (row: readonly Element[]) => make(this.#copy, 'tr', row);
    const tidied = make(this.#copy, 'table');
    if (isHead && first) tidied.append(make(this.#copy, 'thead', [rowOf(first)]));
    tidied.append(make(this.#copy, 'tbody', (isHead || !first ? others : [first, ...others]).map(rowOf)));
    for (const each of tidied.querySelectorAll('[colspan]')) each.removeAttribute('colspan');
    return tidied;
  }

  /** The cells of a table by rows and columns, with empty cells where a cell spans several; null if there are too many. */
  #grid(rows: readonly HTMLTableRowElement[]): Element[][] | null {
    const grid: Element[][] = rows.map(() => []);
    for (const [y, row] of rows.entries()) {
      let x = 0;
      for (const cell of row.cells) {
        while (grid[y]?.[x]) x += 1;
        this.#place(grid, cell, { x, y });
      }
    }
    const width = grid.reduce((most, cells) => Math.max(most, cells.length), 0);
    // A long row and many short rows.
    if (width * grid.length > cellsAtMost) return null;
    return grid.map((cells) => Array.from({ length: width }, (_, column) => cells[column] ?? make(this.#copy, 'td')));
  }

  #place(grid: Element[][], cell: HTMLTableCellElement, { x, y }: { x: number; y: number }): void {
    const height = Math.min(cell.rowSpan || grid.length, grid.length - y, longestSpan.rows);
    const width = Math.min(cell.colSpan, longestSpan.columns);
    if (height * width > 1) this.#spansLeft -= height * width;
    const [rows, columns] = this.#spansLeft > 0 ? [height, width] : [1, 1];
    for (const below of grid.slice(y, y + rows)) {
      for (let column = x; column < x + columns; column += 1) below[column] ??= make(this.#copy, cell.localName);
    }
    const line = grid[y];
    if (line) line[x] = cell;
  }

  /** Writes the blocks of a cell below each other. */
  #flattenCell(cell: Element): void {
    for (const part of [...cell.querySelectorAll(`${block}, tr, td, th`)].reverse()) {
      const isCell = /^t[dh]$/.test(part.localName);
      const content = part.localName === 'pre' ? this.#codeLines(part.textContent) : [...part.childNodes];
      const isTitle = part.matches(heading) && hasText(part);
      const prefix = part.localName === 'li' ? '- ' : isCell && part.previousElementSibling ? ', ' : '';
      const breakLine = () => (isCell ? [] : [make(this.#copy, 'br')]);
      const written = isTitle ? [make(this.#copy, 'strong', content)] : content;
      replace(part, [...breakLine(), prefix, ...written, ...breakLine()]);
    }
  }

  #codeLines(code: string): Node[] {
    return code
      .split('\n')
      .flatMap((line) => [
        line.trim() === ''
          ? this.#copy.createTextNode('')
          : make(this.#copy, 'code', [this.#copy.createTextNode(line)]),
        make(this.#copy, 'br'),
      ]);
  }
}

/** Whether a table has data: a table without names that holds headings, code or tables lays out the page. */
function isData(table: HTMLTableElement, cells: readonly Element[]): boolean {
  if (cells.length <= 1) return false;
  const isNamed = table.tHead !== null || table.caption !== null || cells.some(({ localName }) => localName === 'th');
  return isNamed || !cells.some((cell) => cell.querySelector(`${heading}, table, pre, hr, blockquote`));
}
