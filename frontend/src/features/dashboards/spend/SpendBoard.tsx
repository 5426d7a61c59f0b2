import { SegmentedControl, Select } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import {
  budgetsQuery,
  type SpendBy,
  type SpendOrder,
  spendQuery,
  type SpendReport,
} from '../../../api/http/workspace/budgets.ts';
import { modelsQuery, useSession } from '../../../api/http/queries.ts';
import { shareOf } from '../../../run/values/decimal.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { formatTokens, formatUsd } from '../../../ui/format/format.ts';
import { modelName } from '../../../ui/format/modelName.ts';
import { Money } from '../../../ui/format/Money.tsx';
import { CsvButton } from '../../../ui/CsvButton.tsx';
import { CardSkeleton } from '../../../ui/page/Skeletons.tsx';
import { BudgetBars, budgetName, endOf } from '../../../ui/budgets/BudgetBar.tsx';
import budgetClasses from '../../../ui/budgets/budgets.module.css';
import classes from '../dashboard.module.css';
import pages from '../../../ui/page/pages.module.css';
import { daysName, firstDay, MOST_DAYS } from '../range/range.ts';
import { RangePicker } from '../range/RangePicker.tsx';
import { inTokens, mostOf, sizeOf } from './sizes.ts';
import own from './spend.module.css';
import { SpendDays } from './SpendDays.tsx';
import { runsUnpriced, runsBehind, type SumOf } from './spendLinks.ts';
import { Tile } from '../Tile.tsx';

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
  { value: 'by_trigger', label: 'Trigger' },
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

/** The last days, or days of one's own, and one workflow by its slug; they stand in the address. */
function useDays(timezone: string) {
  const [params, setParams] = useSearchParams();
  const [from, to] = [params.get('since'), params.get('until')];
  const own = from !== null && to !== null;
  const range = RANGES.find((each) => each.value === params.get('days'))?.value ?? '30';
  const graph = params.get('graph') ?? undefined;
  const stretch = own
    ? { since: from, until: to }
    : { since: firstDay(Number(range), timezone), until: firstDay(1, timezone) };
  const days = (Date.parse(stretch.until) - Date.parse(stretch.since)) / DAY_MS + 1;
  const set = (part: Record<string, string>) =>
    setParams({ ...(graph ? { graph } : {}), ...part }, { replace: true });
  const shown: SumOf = { ...stretch, graph };
  return { shown, days, range: own ? null : range, set };
}

/** Where the money went: budgets, days, and who spent it on what. */
export function SpendBoard() {
  const [order, setOrder] = useState<SpendOrder>('spend');
  const { data: session } = useSession();
  const timezone = session?.workspace?.settings.timezone ?? 'UTC';
  const { shown, days, range, set } = useDays(timezone);
  const { data, error, refetch } = useQuery({
    ...spendQuery(shown, order),
    placeholderData: (before: SpendReport | undefined) => before,
  });
  const { graph, ...stretch } = shown;
  return (
    <>
      <Budgets />
      <div className={own.controls}>
        <RangePicker
          ranges={RANGES}
          value={range}
          since={shown.since}
          until={shown.until}
          most={MOST_DAYS.spend}
          onRange={(value) => set({ days: value })}
          onDays={(since, until) => set({ since, until })}
        />
        <CsvButton path="spend" query={graph ? { ...stretch, graph } : stretch} />
      </div>
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <CardSkeleton cards={3} height={140} /> : null}
      {data ? (
        <Report
          report={data}
          days={days}
          order={order}
          onOrder={setOrder}
          shown={{ graph, since: data.since, until: data.until }} // until others are there
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
  /** What the sums are of. */
  shown: SumOf;
  order: SpendOrder;
  onOrder: (order: SpendOrder) => void;
}

function Report({ report, days, ...ordered }: { report: SpendReport; days: number } & Ordered) {
  const { total, before } = report;
  const { shown } = ordered;
  const to = total.calls > 0 ? runsBehind('', null, shown) : undefined;
  const earlier = {
    ...shown,
    since: daysEarlier(shown.since, days),
    until: daysEarlier(shown.since, 1),
  };
  const was = before.calls > 0 ? runsBehind('', null, earlier) : undefined;
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
        <Tile
          label={`Spend, ${daysName(shown.since, shown.until)}`}
          value={formatUsd(total.usd)}
          to={to}
          before={{ text: change(Number(total.usd), Number(before.usd), days), to: was }}
        />
        <Tile
          label="Tokens"
          value={formatTokens(total.tokens)}
          to={to}
          before={{ text: change(total.tokens, before.tokens, days), to: was }}
        />
        <Tile
          label="Model calls"
          value={total.calls.toLocaleString('en')}
          to={to}
          before={{ text: change(total.calls, before.calls, days), to: was }}
        />
        <Tile
          label="Calls without a price"
          value={total.unpriced.toLocaleString('en')}
          to={total.unpriced > 0 ? runsUnpriced(shown) : undefined}
          note={
            total.unpriced > 0 ? 'the spend is at least what is shown' : 'every call has a price'
          }
        />
      </section>
      <div className={classes.grid2}>
        <SpendDays rows={report.by_day} shown={shown} />
        <Sums report={report} {...ordered} />
      </div>
    </>
  );
}

const daysEarlier = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

/** How a number compares with the period before, in words. */
export function change(now: number, before: number, days: number): string {
  if (before === 0) return `nothing in the ${days} days before`;
  const percent = Math.round(((now - before) / before) * 100);
  return percent === 0
    ? `as in the ${days} days before`
    : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} % on the ${days} days before`;
}

const NOBODY: Record<By, string> = {
  by_graph: 'no workflow',
  by_node: 'no node',
  by_model: 'no model',
  by_agent: 'no agent',
  by_person: 'nobody',
  by_trigger: 'no trigger',
};

/** What a sum is of; of a trigger that was deleted only its id is left. */
export const nameOf = (by: By, { id, name }: Pick<SpendBy, 'id' | 'name'>): string =>
  name || (by === 'by_trigger' && id ? 'A trigger that is gone' : NOBODY[by]);

/** Rows that need no scrolling; more of them are reached with the keyboard. */
const FITTING = 4;

function Sums({ report, order, onOrder, shown }: { report: SpendReport } & Ordered) {
  const [by, setBy] = useState<By>('by_graph');
  const { data: models } = useQuery(modelsQuery);
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
      {rows.length === 0 ? (
        <EmptyState
          icon={IconChartBar}
          title={by === 'by_trigger' ? 'No trigger started what was spent' : 'Nothing was spent'}
        />
      ) : null}
      <ul
        className={`${classes.spend} ${own.scroll}`}
        aria-label="Sums"
        tabIndex={rows.length > FITTING ? 0 : undefined}
      >
        {rows.map((row) => (
          <li key={`${row.graph ?? ''}/${row.id}`}>
            <div className={classes.spendTop}>
              <span className="gw-truncate">
                <Link to={runsBehind(by, row, shown)}>
                  <bdi>
                    {by === 'by_model' && row.id
                      ? modelName(row.id, models?.models)
                      : nameOf(by, row)}
                  </bdi>
                </Link>
                {by === 'by_model' && models?.models.some(({ id }) => id === row.id) ? (
                  <span className={pages.dim}> · {row.id}</span>
                ) : null}
                {row.graph ? (
                  <span className={pages.dim}>
                    {' '}
                    · <bdi>{row.graph}</bdi>
                  </span>
                ) : null}
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
