import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './DataTable.module.css';

export interface Column<Row> {
  id: string;
  label: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  width?: number | string;
  /** Left out on narrow screens. */
  wide?: boolean;
  /** Shown to screen readers only. */
  quietLabel?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Where a row leads; the first column carries the link, the whole row takes the click. */
  hrefOf?: (row: Row) => string;
}

/** Dense rows of 40 px: the first column says what it is, numbers stand right. */
export function DataTable<Row>({ label, rows, columns, keyOf, hrefOf }: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" data-align={column.align} data-wide={column.wide} style={{ width: column.width }}>
                {column.quietLabel ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-link={hrefOf ? true : undefined}>
              {columns.map((column, index) => (
                <td key={column.id} data-align={column.align} data-wide={column.wide}>
                  {index === 0 && hrefOf ? <Link to={hrefOf(row)} className={classes.link}>{column.cell(row)}</Link> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
