import { Button, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  budgetsQuery,
  type SpendBy,
  type SpendOrder,
  spendQuery,
  type SpendReport,
} from '../../api/http/workspace/budgets.ts';
import { graphsQuery, useSession } from '../../api/http/queries.ts';
import { shareOf } from '../../run/values/decimal.ts';
import { EmptyState, ErrorState } from '../../ui/page/EmptyState.tsx';
import { formatTokens, formatUsd } from '../../ui/format/format.ts';
import { Money } from '../../ui/format/Money.tsx';
import { CardSkeleton } from '../../ui/page/Skeletons.tsx';
import { BudgetBars, budgetName, endOf } from '../../ui/budgets/BudgetBar.tsx';
import budgetClasses from '../../ui/budgets/budgets.module.css';
import classes from './dashboard.module.css';
import pages from '../../ui/page/pages.module.css';
import own from './spend.module.css';
import { runsBehind, startOfDay } from './spendLinks.ts';

const RANGES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
];
const BY = [
  { value: 'by_graph', label: 'Workflow' },
  { value: 'by_node', label: 'Node' },
  { value: 'by_model', label: 'Model' },
  { value: 'by_agent', label: 'Agent' },
  { value: 'by_person', label: 'Person' },
] as const;
const ORDERS: { value: SpendOrder; label: string }[] = [
  { value: 'spend', label: 'Most spend' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'calls', label: 'Most calls' },
];
/** The server sends so many sums at most. */
const TOP = 50;
type By = (typeof BY)[number]['value'];
const DAY_MS = 86_400_000;

/** The first of so many days up to today, on the workspace's clock. */
export function firstDay(days: number, timezone: string, now = new Date()): string {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);
  return new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1) * DAY_MS)
    .toISOString()
    .slice(0, 10);
}

/** Where the money went: budgets, days, and who spent it on what. */
export function SpendBoard() {
  const [range, setRange] = useState('30');
  const [order, setOrder] = useState<SpendOrder>('spend');
  const { data: session } = useSession();
  const timezone = session?.workspace?.settings.timezone ?? 'UTC';
  const since = firstDay(Number(range), timezone);
  const { data, error, refetch } = useQuery({
    ...spendQuery(since, order),
    placeholderData: (before: SpendReport | undefined) => before,
  });
  return (
    <>
      <Budgets />
      <div className={own.controls}>
        <SegmentedControl value={range} onChange={setRange} aria-label="Days" data={RANGES} />
        <Button
          component="a"
          href={`/api/spend/?format=csv&since=${since}&workspace=${session?.workspace?.id ?? ''}`}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          CSV
        </Button>
      </div>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <CardSkeleton cards={3} height={140} /> : null}
      {data ? (
        <Report
          report={data}
          days={Number(range)}
          order={order}
          onOrder={setOrder}
          since={startOfDay(since, timezone)}
        />
      ) : null}
    </>
  );
}

function Budgets() {
  const { data } = useQuery(budgetsQuery);
  if (!data?.results.length) return null;
  return (
    <ul className={budgetClasses.cards} aria-label="Budgets">
      {data.results.map((budget) => (
        <li key={budget.id}>
          <div className={budgetClasses.rowHead}>
            <div>
              <Link to="/settings/budgets" className={budgetClasses.name}>
                <b>{budgetName(budget)}</b>
              </Link>
              <small>
                {[`per ${budget.period}`.replace('per total', 'in total'), endOf(budget)]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </div>
          </div>
          <BudgetBars budget={budget} />
        </li>
      ))}
    </ul>
  );
}

interface Ordered {
  /** When the first day begins. */
  since: string;
  order: SpendOrder;
  onOrder: (order: SpendOrder) => void;
}

function Report({ report, days, ...ordered }: { report: SpendReport; days: number } & Ordered) {
  const { total, before } = report;
  if (total.calls === 0 && before.calls === 0)
    return (
      <section className={classes.box}>
        <EmptyState
          icon={IconChartBar}
          title="Nothing was spent"
          text="Every model call shows up here with the day, the workflow, the node and who started it."
        />
      </section>
    );
  return (
    <>
      <section className={classes.tiles} aria-label="Spend">
        <Figure
          label={`Spend, ${days} days`}
          value={formatUsd(total.usd)}
          note={change(Number(total.usd), Number(before.usd), days)}
        />
        <Figure
          label="Tokens"
          value={formatTokens(total.tokens)}
          note={change(total.tokens, before.tokens, days)}
        />
        <Figure
          label="Model calls"
          value={total.calls.toLocaleString('en')}
          note={change(total.calls, before.calls, days)}
        />
        <Figure
          label="Calls without a price"
          value={total.unpriced.toLocaleString('en')}
          note={
            total.unpriced > 0 ? 'the spend is at least what is shown' : 'every call has a price'
          }
        />
      </section>
      <div className={classes.grid2}>
        <Days rows={report.by_day} />
        <Sums report={report} {...ordered} />
      </div>
    </>
  );
}

/** How a number compares with the period before, in words. */
export function change(now: number, before: number, days: number): string {
  if (before === 0) return `nothing in the ${days} days before`;
  const percent = Math.round(((now - before) / before) * 100);
  return percent === 0
    ? `as in the ${days} days before`
    : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} % on the ${days} days before`;
}

function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div className={classes.tile}>
      <span>{label}</span>
      <b>{value}</b>
      <small>{note}</small>
    </div>
  );
}

const short = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const dayName = (id: string) => short.format(new Date(`${id}T00:00:00Z`));

/** Whether money or tokens say more: the built-in model costs nothing. */
const inTokens = (rows: readonly SpendBy[]) => rows.every((row) => Number(row.usd) === 0);
const sizeOf = (row: SpendBy, tokens: boolean) => (tokens ? String(row.tokens) : row.usd);
const mostOf = (rows: readonly SpendBy[], tokens: boolean) =>
  rows.map((row) => sizeOf(row, tokens)).reduce((a, b) => (Number(a) > Number(b) ? a : b), '0');

function Days({ rows }: { rows: readonly SpendBy[] }) {
  const tokens = inTokens(rows);
  const most = mostOf(rows, tokens);
  const shown = tokens ? `${formatTokens(Number(most))} tokens` : formatUsd(most);
  const every = Math.ceil(rows.length / 6);
  return (
    <section className={classes.box} aria-label="Spend by day">
      <header className={classes.boxHead}>
        <h2>{tokens ? 'Tokens by day' : 'Spend by day'}</h2>
        <span className={pages.dim}>most {shown}</span>
      </header>
      <div className={own.plot}>
        {rows.map((row) => {
          const label = `${dayName(row.id)}: ${formatUsd(row.usd)}, ${formatTokens(row.tokens)} tokens, ${row.calls} calls`;
          return (
            <Tooltip key={row.id} label={label}>
              <span className={own.day} role="img" aria-label={label} tabIndex={0}>
                <i style={{ height: `${shareOf(sizeOf(row, tokens), most) * 100}%` }} />
              </span>
            </Tooltip>
          );
        })}
      </div>
      <div className={own.axis} aria-hidden>
        {rows.map((row, index) => (
          <span key={row.id}>{index % every === 0 ? dayName(row.id) : ''}</span>
        ))}
      </div>
    </section>
  );
}

const NOBODY: Record<By, string> = {
  by_graph: 'no workflow',
  by_node: 'no node',
  by_model: 'no model',
  by_agent: 'no agent',
  by_person: 'nobody',
};

/** A name that leads to the runs behind a sum. */
function Behind({ to, children }: { to: string | null; children: ReactNode }) {
  return to ? <Link to={to}>{children}</Link> : children;
}

/** Rows that need no scrolling; more of them are reached with the keyboard. */
const FITTING = 4;

function Sums({ report, order, onOrder, since }: { report: SpendReport } & Ordered) {
  const { data: graphs } = useQuery(graphsQuery());
  const idOf = (slug: string) => graphs?.find((graph) => graph.slug === slug)?.id;
  const [by, setBy] = useState<By>('by_graph');
  const rows = report[by];
  const tokens = order === 'tokens' || inTokens(rows);
  const most = mostOf(rows, tokens);
  return (
    <section className={classes.box} aria-label="Spend by what">
      <header className={own.sumsHead}>
        <h2>Spend by</h2>
        <SegmentedControl
          size="xs"
          value={by}
          onChange={(value) => setBy(BY.find((each) => each.value === value)?.value ?? by)}
          aria-label="Sum by"
          data={[...BY]}
        />
        <Select
          size="xs"
          w={150}
          aria-label="Largest first by"
          allowDeselect={false}
          data={ORDERS}
          value={order}
          onChange={(value) => onOrder(ORDERS.find((each) => each.value === value)?.value ?? order)}
        />
      </header>
      {rows.length === 0 ? <EmptyState icon={IconChartBar} title="Nothing was spent" /> : null}
      <ul
        className={`${classes.spend} ${own.scroll}`}
        aria-label="Sums"
        tabIndex={rows.length > FITTING ? 0 : undefined}
      >
        {rows.map((row) => (
          <li key={`${row.graph ?? ''}/${row.id}`}>
            <div className={classes.spendTop}>
              <span className="gw-truncate">
                <Behind to={runsBehind(by, row, since, idOf)}>{row.name || NOBODY[by]}</Behind>
                {row.graph ? <span className={pages.dim}> · {row.graph}</span> : null}
              </span>
              <span className={own.amount}>
                {row.unpriced > 0 ? '≥ ' : ''}
                <Money usd={row.usd} />{' '}
                <span className={pages.dim}>· {formatTokens(row.tokens)} tokens</span>
              </span>
            </div>
            <span className={classes.spendBar} aria-hidden>
              <i style={{ width: `${shareOf(sizeOf(row, tokens), most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {rows.length >= TOP ? (
        <p className={pages.dim}>The {TOP} largest. The CSV has all of them.</p>
      ) : null}
    </section>
  );
}
