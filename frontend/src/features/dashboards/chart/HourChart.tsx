import { Tooltip } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Bar, type Ending, endings } from '../../../api/http/boards.ts';
import classes from '../dashboard.module.css';
import own from './chart.module.css';
import { SHOWN_ON, useOneStop } from './useOneStop.ts';

const WORDS: Record<Ending, string> = {
  completed: 'Completed',
  failed: 'Failed',
  timeout: 'Timed out',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
};
const HEIGHT = 168;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LABELS = 5;

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const total = (bar: Bar) => endings.reduce((sum, part) => sum + bar[part], 0);

/** How the beginning of a bar is written under it. */
const mark = (bar: Bar, length: number) =>
  (length < 6 * HOUR_MS ? clock : day).format(new Date(bar.at));

/** The stretch of a bar in words. */
function stretch(bar: Bar, length: number): string {
  const from = new Date(bar.at);
  if (length >= DAY_MS) return day.format(from);
  const until = new Date(from.getTime() + length);
  return `${length > HOUR_MS ? `${day.format(from)}, ` : ''}${clock.format(from)} to ${clock.format(until)}`;
}

/** A round number at or above `most`, in steps that divide by two. */
export function ceiling(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return (
    [1, 2, 4, 6, 8, 10].map((step) => step * unit).find((each) => each >= Math.max(most, 2)) ?? most
  );
}

function sentence(bar: Bar, length: number): string {
  const parts = endings
    .filter((part) => bar[part] > 0)
    .map((part) => `${bar[part]} ${WORDS[part].toLowerCase()}`);
  return `${stretch(bar, length)}: ${parts.join(', ') || 'no runs'}`;
}

interface ChartProps {
  bars: readonly Bar[];
  /** How long a bar is, in milliseconds. */
  length: number;
  /** Where the runs of a bar are listed, or those that ended in one way. */
  to: (bar: Bar, part?: Ending) => string;
}

/** Where not all bars fit, the latest are in sight. */
function toLatest(bars: HTMLElement | null): void {
  if (bars) bars.scrollLeft = bars.scrollWidth;
}

/**
 * Runs that ended, by how they ended; every bar leads to exactly its runs, and a press on a part of
 * one to those. By keyboard the parts are links of the table.
 */
export function HourChart({ bars, length, to }: ChartProps) {
  const navigate = useNavigate();
  const { onKeyDown, stop } = useOneStop(bars.length);
  const top = ceiling(Math.max(...bars.map(total), 0));
  const every = Math.ceil(bars.length / LABELS);
  const press = (event: MouseEvent<HTMLElement>, bar: Bar) => {
    const part = (event.target as HTMLElement).dataset['part'] as Ending | undefined;
    if (part === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(to(bar, part));
  };
  return (
    <figure className={own.chart}>
      <figcaption className={own.legend}>
        {endings.map((part) => (
          <span key={part}>
            <i data-part={part} />
            {WORDS[part]}
          </span>
        ))}
      </figcaption>
      <div key={bars.length} ref={toLatest} className={own.scroll}>
        <div className={own.plot} style={{ minHeight: HEIGHT }} onKeyDown={onKeyDown} role="group">
          <span className={own.scale} aria-hidden>
            {[top, top / 2, 0].map((level) => (
              <b key={level} style={{ bottom: `${(level / top) * 100}%` }}>
                {level}
              </b>
            ))}
          </span>
          {[top, top / 2, 0].map((level) => (
            <i key={level} className={own.grid} style={{ bottom: `${(level / top) * 100}%` }} />
          ))}
          {bars.map((bar, index) => (
            <Tooltip key={bar.at} label={sentence(bar, length)} events={SHOWN_ON}>
              <Link
                className={own.bar}
                to={to(bar)}
                aria-label={sentence(bar, length)}
                onClick={(event) => press(event, bar)}
                {...stop(index)}
              >
                {endings
                  .toReversed()
                  .map((part) =>
                    bar[part] > 0 ? (
                      <span
                        key={part}
                        data-part={part}
                        style={{ height: `${(bar[part] / top) * 100}%` }}
                      />
                    ) : null,
                  )}
              </Link>
            </Tooltip>
          ))}
        </div>
        <div className={own.hours} aria-hidden>
          {bars.map((bar, index) => (
            <span key={bar.at}>{index % every === 0 ? mark(bar, length) : ''}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}

/** The same numbers as a table. */
export function HourTable({ bars, length, to }: ChartProps) {
  return (
    // A part of the page that scrolls must be reachable with the keyboard.
    <div className={classes.tableFrame} tabIndex={0} role="region" aria-label="Runs that ended">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {endings.map((part) => (
              <th key={part} scope="col">
                {WORDS[part]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.at}>
              <th scope="row">{stretch(bar, length)}</th>
              {endings.map((part) => (
                <td key={part}>
                  {bar[part] > 0 ? <Link to={to(bar, part)}>{bar[part]}</Link> : 0}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
