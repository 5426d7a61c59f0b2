import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { StatusIcon } from '../../ui/StatusBadge.tsx';
import type { AnyStatus } from '../../ui/status.ts';
import classes from './dashboard.module.css';

interface TileProps {
  label: string;
  value: ReactNode;
  to?: string | undefined;
  status?: AnyStatus;
  note?: string | undefined;
  /** The same of the stretch before, where that is listed, and when that was. */
  before?: { text: string; to?: string | undefined; when?: string } | undefined;
}

/** One number; where a list is behind it, it leads there, and so does that of the stretch before. */
export function Tile({ label, value, to, status, note, before }: TileProps) {
  const inside = (
    <>
      <span>
        {status ? <StatusIcon status={status} /> : null}
        {label}
      </span>
      <b>{value}</b>
    </>
  );
  return (
    <div className={classes.tile} data-leads={to ? true : undefined}>
      {to ? (
        <Link to={to} className={classes.figure}>
          {inside}
        </Link>
      ) : (
        <div className={classes.figure}>{inside}</div>
      )}
      {note || before ? (
        <small>
          {note}
          {note && before ? <br /> : null}
          {before?.to ? (
            <Link to={before.to} title={before.when}>
              {before.text}
            </Link>
          ) : (
            before?.text
          )}
        </small>
      ) : null}
    </div>
  );
}

/** How a number compares with the stretch before; nothing where either is unknown. */
export function against(
  now: number | null,
  before: number | null,
  show: (value: number) => string,
): string | undefined {
  if (before === null) return undefined;
  return now === before ? 'the same before' : `before: ${show(before)}`;
}

export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 1000) / 10} %`;
