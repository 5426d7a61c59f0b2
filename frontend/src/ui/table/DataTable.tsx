import { Checkbox, VisuallyHidden } from '@mantine/core';
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
  /** Left out on a phone alone. */
  roomy?: boolean;
  /** Shown to screen readers only. */
  quietLabel?: boolean;
  /** What the server calls the order by this column, and whether its first use begins with the largest. */
  order?: { by: string; largestFirst: boolean };
}

/** In which order the rows are: `name`, or `-name` for the largest first. */
export interface Sorting {
  ordering: string;
  onOrder: (ordering: string) => void;
}

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Where a row leads; the first column carries the link, the whole row takes the click. */
  hrefOf?: (row: Row) => string;
  /** Without it, no column offers an order. */
  sorting?: Sorting;
  /** The row with the keyboard's cursor. */
  current?: string | null;
  /** Boxes before the rows; without it, none. */
  picks?: RowPicks;
  /** Say what a row is that is dragged elsewhere; without it, none is. */
  onDrag?: (row: Row, data: DataTransfer) => void;
}

/** Which rows are picked; `range` is a press with Shift: from the last one picked to this. */
export interface RowPicks {
  picked: ReadonlySet<string>;
  toggle: (key: string, range: boolean) => void;
  toggleAll: () => void;
}

/** The order after a press on a column: its own first, turned around when it is that already. */
export function nextOrder(
  ordering: string,
  { by, largestFirst }: { by: string; largestFirst: boolean },
): string {
  const first = largestFirst ? `-${by}` : by;
  const other = largestFirst ? by : `-${by}`;
  return ordering === first ? other : first;
}

function sortOf(ordering: string, by: string): 'ascending' | 'descending' | 'none' {
  if (ordering === by) return 'ascending';
  return ordering === `-${by}` ? 'descending' : 'none';
}

function Heading<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting | undefined }) {
  const { order, label } = column;
  if (column.quietLabel) return <VisuallyHidden>{label}</VisuallyHidden>;
  if (!order || !sorting) return label;
  const sort = sortOf(sorting.ordering, order.by);
  return (
    <button
      type="button"
      className={classes.sort}
      data-sort={sort}
      onClick={() => sorting.onOrder(nextOrder(sorting.ordering, order))}
    >
      {label}
      <span aria-hidden>{sort === 'ascending' ? '↑' : '↓'}</span>
    </button>
  );
}

/** Dense rows of 40 px: the first column says what it is, numbers stand right. */
export function DataTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  hrefOf,
  sorting,
  current,
  picks,
  onDrag,
}: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {picks ? (
              <th scope="col" className={classes.pick}>
                <Checkbox
                  size="24px"
                  aria-label="Pick all rows shown"
                  checked={rows.length > 0 && rows.every((row) => picks.picked.has(keyOf(row)))}
                  indeterminate={
                    picks.picked.size > 0 && !rows.every((row) => picks.picked.has(keyOf(row)))
                  }
                  onChange={picks.toggleAll}
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={
                  column.order && sorting ? sortOf(sorting.ordering, column.order.by) : undefined
                }
                data-align={column.align}
                data-wide={column.wide || undefined}
                data-roomy={column.roomy || undefined}
                style={{ width: column.width }}
              >
                <Heading column={column} sorting={sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr
              key={keyOf(row)}
              data-row={keyOf(row)}
              draggable={onDrag ? true : undefined}
              onDragStart={onDrag ? (event) => onDrag(row, event.dataTransfer) : undefined}
              data-link={hrefOf ? true : undefined}
              data-current={keyOf(row) === current || undefined}
              data-picked={picks?.picked.has(keyOf(row)) || undefined}
            >
              {picks ? (
                <td className={classes.pick}>
                  <Checkbox
                    size="24px"
                    className="above"
                    aria-label={`Pick row ${place + 1}`}
                    checked={picks.picked.has(keyOf(row))}
                    onClick={(event) => picks.toggle(keyOf(row), event.shiftKey)}
                    readOnly
                  />
                </td>
              ) : null}
              {columns.map((column, index) => (
                <td
                  key={column.id}
                  data-align={column.align}
                  data-wide={column.wide || undefined}
                  data-roomy={column.roomy || undefined}
                >
                  {index === 0 && hrefOf ? (
                    <Link to={hrefOf(row)} className={classes.link}>
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
