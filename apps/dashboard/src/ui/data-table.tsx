import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  label: string;
  /** Whether only screen readers get the label: of a column of buttons, or of values that need no label. */
  hiddenLabel?: boolean;
  /** Whether the column's values are aligned at its end, as figures are. */
  end?: boolean;
  /** Whether the column never wraps, except on a phone. */
  fixed?: boolean;
  width?: number;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** The name of the list, for screen readers. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
}

/** A table; on a phone, a list of cards. The table roles remain although the cards are laid out as a grid. */
export function DataTable<Row>({ label, rows, keyOf, columns }: DataTableProps<Row>) {
  return (
    // biome-ignore-start lint/a11y: browsers drop the roles of a table's parts that are laid out as a grid.
    <table className={classes.table} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.label}
              role="columnheader"
              scope="col"
              className={column.end ? classes.end : undefined}
              style={column.width === undefined ? undefined : { width: column.width }}
            >
              {column.hiddenLabel ? <span className={classes.hidden}>{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column, index) => (
              <td
                key={column.label}
                role="cell"
                data-label={column.hiddenLabel ? '' : column.label}
                className={[column.end && classes.end, column.fixed && classes.fixed, index === 0 && classes.lead]
                  .filter(Boolean)
                  .join(' ')}
              >
                {!column.hiddenLabel && index > 0 && (
                  <span className={classes.name} aria-hidden>
                    {column.label}
                  </span>
                )}
                <div className={classes.value}>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y: see above.
  );
}
