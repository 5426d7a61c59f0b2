import { SegmentedControl, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { SpendBy } from '../../../api/http/workspace/budgets.ts';
import { shareOf } from '../../../run/values/decimal.ts';
import { formatTokens, formatUsd } from '../../../ui/format/format.ts';
import { Money } from '../../../ui/format/Money.tsx';
import classes from '../dashboard.module.css';
import { SHOWN_ON, useOneStop } from '../chart/useOneStop.ts';
import { inTokens, mostOf, sizeOf } from './sizes.ts';
import own from './spend.module.css';
import { runsBehind, type SumOf } from './spendLinks.ts';

const short = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const dayName = (id: string) => short.format(new Date(`${id}T00:00:00Z`));

interface DaysProps {
  rows: readonly SpendBy[];
  shown: SumOf;
}

/** What each day cost, as bars or as a table; every day leads to exactly its runs. */
export function SpendDays({ rows, shown }: DaysProps) {
  const [look, setLook] = useState('chart');
  const tokens = inTokens(rows);
  const most = mostOf(rows, tokens);
  const largest = tokens ? `${formatTokens(Number(most))} tokens` : formatUsd(most);
  return (
    <section className={classes.box} aria-label="Spend by day">
      <header className={classes.boxHead}>
        <h2>
          {tokens ? 'Tokens by day' : 'Spend by day'}{' '}
          <span className={own.most}>most {largest}</span>
        </h2>
        <SegmentedControl
          value={look}
          onChange={setLook}
          aria-label="Chart or table"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </header>
      {look === 'chart' ? (
        <Bars rows={rows} shown={shown} tokens={tokens} most={most} />
      ) : (
        <Table rows={rows} shown={shown} />
      )}
    </section>
  );
}

function Bars({ rows, shown, tokens, most }: DaysProps & { tokens: boolean; most: string }) {
  const every = Math.ceil(rows.length / 6);
  const { onKeyDown, stop } = useOneStop(rows.length);
  return (
    <div
      key={rows.length}
      ref={toLatest}
      className={own.days}
      role="group"
      aria-label="Days"
      onKeyDown={onKeyDown}
    >
      <div className={own.plot}>
        {rows.map((row, index) => {
          const label = `${dayName(row.id)}: ${formatUsd(row.usd)}, ${formatTokens(row.tokens)} tokens, ${row.calls} calls`;
          return (
            <Tooltip key={row.id} label={label} events={SHOWN_ON}>
              <Link
                className={own.day}
                aria-label={label}
                to={runsBehind('by_day', row, shown)}
                {...stop(index)}
              >
                <i style={{ height: `${shareOf(sizeOf(row, tokens), most) * 100}%` }} />
              </Link>
            </Tooltip>
          );
        })}
      </div>
      <div className={own.axis} aria-hidden>
        {rows.map((row, index) => (
          <span key={row.id}>{index % every === 0 ? dayName(row.id) : ''}</span>
        ))}
      </div>
    </div>
  );
}

/** The same numbers as a table, the latest day first. */
function Table({ rows, shown }: DaysProps) {
  return (
    // a part of the page that scrolls must be reachable with the keyboard
    <div className={classes.tableFrame} tabIndex={0} role="region" aria-label="Days">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Spend</th>
            <th scope="col">Tokens</th>
            <th scope="col">Calls</th>
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.calls > 0 ? (
                  <Link to={runsBehind('by_day', row, shown)}>{dayName(row.id)}</Link>
                ) : (
                  dayName(row.id)
                )}
              </th>
              <td>
                <Money usd={row.usd} />
              </td>
              <td>{formatTokens(row.tokens)}</td>
              <td>{row.calls}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where not all days fit, the latest are in sight. */
function toLatest(days: HTMLElement | null): void {
  if (days) days.scrollLeft = days.scrollWidth;
}
