import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '../api/types.ts';
import classes from './dashboard.module.css';

type Hour = Overview['runs_per_hour'][number];
const PARTS = ['completed', 'failed', 'timeout', 'cancelled'] as const;
const WORDS: Record<(typeof PARTS)[number], string> = { completed: 'Completed', failed: 'Failed', timeout: 'Timed out', cancelled: 'Cancelled' };
const HEIGHT = 168;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const total = (hour: Hour) => PARTS.reduce((sum, part) => sum + hour[part], 0);

/** A round number at or above `most`, in steps that divide by two. */
export function ceiling(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * unit).find((each) => each >= Math.max(most, 2)) ?? most;
}

function sentence(hour: Hour): string {
  const parts = PARTS.filter((part) => hour[part] > 0).map((part) => `${hour[part]} ${WORDS[part].toLowerCase()}`);
  return `${clock.format(new Date(hour.hour))}: ${parts.join(', ') || 'no runs'}`;
}

/** Runs that ended in each hour, by how they ended; every bar leads to its runs. */
export function HourChart({ hours }: { hours: readonly Hour[] }) {
  const top = ceiling(Math.max(...hours.map(total), 0));
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.legend}>{PARTS.map((part) => <span key={part}><i data-part={part} />{WORDS[part]}</span>)}</figcaption>
      <div className={classes.plot} style={{ height: HEIGHT }}>
        {[top, top / 2, 0].map((mark) => <span key={mark} className={classes.grid} style={{ bottom: `${(mark / top) * 100}%` }}><b>{mark}</b></span>)}
        <div className={classes.bars}>
          {hours.map((hour) => (
            <Tooltip key={hour.hour} label={sentence(hour)}>
              <Link className={classes.bar} to="/runs?hours=24" aria-label={sentence(hour)}>
                {PARTS.toReversed().map((part) => (hour[part] > 0 ? <span key={part} data-part={part} style={{ height: `${(hour[part] / top) * 100}%` }} /> : null))}
              </Link>
            </Tooltip>
          ))}
        </div>
      </div>
      <div className={classes.hours} aria-hidden>
        {hours.map((hour, index) => <span key={hour.hour}>{index % 6 === 0 ? clock.format(new Date(hour.hour)) : ''}</span>)}
      </div>
    </figure>
  );
}

/** The same numbers as a table. */
export function HourTable({ hours }: { hours: readonly Hour[] }) {
  return (
    <div className={classes.tableFrame}>
      <table className={classes.table}>
        <thead><tr><th scope="col">Hour</th>{PARTS.map((part) => <th key={part} scope="col">{WORDS[part]}</th>)}</tr></thead>
        <tbody>{hours.toReversed().map((hour) => <tr key={hour.hour}><th scope="row">{clock.format(new Date(hour.hour))}</th>{PARTS.map((part) => <td key={part}>{hour[part]}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}
