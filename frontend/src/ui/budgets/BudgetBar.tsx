import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { Budget, BudgetPeriod } from '../../api/http/workspace/budgets.ts';
import { shareOf } from '../../run/values/decimal.ts';
import { formatTokens, formatUsd } from '../format/format.ts';
import classes from './budgets.module.css';

const PERIODS: Record<BudgetPeriod, string> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
  total: 'in total',
};
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** What a budget is of: the workspace, a workflow, or what one trigger of a workflow starts. */
export function budgetName({ graph, trigger }: Pick<Budget, 'graph' | 'trigger'>): string {
  if (graph === null) return 'Whole workspace';
  return trigger === null ? graph.name : `${graph.name}, started by ${trigger.name}`;
}
export const periodName = (period: BudgetPeriod) => PERIODS[period];

/** When the period is over, short: a time for a day, a date for the longer ones. */
export function endOf({ ends_at: at, period }: Budget): string | null {
  if (at === null) return null;
  return period === 'day'
    ? `until ${clock.format(new Date(at))}`
    : `until ${day.format(new Date(at))}`;
}

const ROUNDED = 10_000;
/** Tokens to the last one while there are few: used and left add up to the limit. */
const counted = (tokens: number) =>
  tokens < ROUNDED ? tokens.toLocaleString('en') : formatTokens(tokens);

interface Side {
  unit: string;
  used: number;
  held: number;
  forecast: number | null;
  sums: { used: string; held: string | null; left: string; limit: string; forecast: string | null };
}

/** What is capped, money first: shares for the bar, and the sums in words. */
export function sidesOf(budget: Budget): Side[] {
  const sides: Side[] = [];
  const { limit_usd: usd, limit_tokens: tokens } = budget;
  if (usd !== null) {
    sides.push({
      unit: '',
      used: shareOf(budget.used_usd, usd),
      held: shareOf(budget.held_usd, usd),
      forecast:
        budget.forecast_usd === null ? null : Number(budget.forecast_usd) / (Number(usd) || 1),
      sums: {
        used: formatUsd(budget.used_usd),
        held: Number(budget.held_usd) > 0 ? formatUsd(budget.held_usd) : null,
        left: formatUsd(budget.left_usd ?? '0'),
        limit: formatUsd(usd),
        forecast: budget.forecast_usd === null ? null : formatUsd(budget.forecast_usd),
      },
    });
  }
  if (tokens !== null) {
    const share = (count: number) => Math.min(1, tokens === 0 ? Number(count > 0) : count / tokens);
    sides.push({
      unit: ' tokens',
      used: share(budget.used_tokens),
      held: share(budget.held_tokens),
      forecast: budget.forecast_tokens === null ? null : budget.forecast_tokens / (tokens || 1),
      sums: {
        used: counted(budget.used_tokens),
        held: budget.held_tokens > 0 ? counted(budget.held_tokens) : null,
        left: counted(budget.left_tokens ?? 0),
        limit: counted(tokens),
        forecast: budget.forecast_tokens === null ? null : formatTokens(budget.forecast_tokens),
      },
    });
  }
  return sides;
}

/** Calm until three quarters are taken, then amber, red once nothing fits. */
const toneOf = (side: Side) =>
  side.used + side.held >= 1 ? 'red' : side.used + side.held >= 0.75 ? 'amber' : 'calm';
const percent = (share: number) => `${(Math.min(1, share) * 100).toFixed(2)}%`;

function Bar({ side }: { side: Side }) {
  return (
    <span className={classes.bar} data-tone-of={toneOf(side)} aria-hidden>
      <span className={classes.used} style={{ width: percent(side.used) }} />
      <span
        className={classes.held}
        style={{ width: percent(Math.min(side.held, 1 - side.used)) }}
      />
      {side.forecast !== null && side.forecast > side.used && side.forecast < 1 ? (
        <i style={{ left: percent(side.forecast) }} />
      ) : null}
    </span>
  );
}

/** Where a budget stands: used solid, held hatched, left empty, and a mark where it will be at the period's end. */
export function BudgetBars({ budget }: { budget: Budget }) {
  return (
    <div className={classes.sides}>
      {sidesOf(budget).map((side) => (
        <div
          key={side.unit}
          role="group"
          aria-label={`${side.sums.used}${side.unit} used of ${side.sums.limit}`}
        >
          <div className={classes.sums}>
            <span>
              <b>{side.sums.used}</b>
              {side.unit} used
              {side.sums.held === null ? null : (
                <>
                  {' '}
                  · <b>{side.sums.held}</b> held
                </>
              )}
            </span>
            <span>
              <b>{side.sums.left}</b> left of {side.sums.limit}
            </span>
          </div>
          <Bar side={side} />
          <Forecast side={side} budget={budget} />
        </div>
      ))}
    </div>
  );
}

function Forecast({ side, budget }: { side: Side; budget: Budget }) {
  if (side.forecast === null || side.sums.forecast === null || side.used === 0) return null;
  const over = side.forecast > 1;
  return (
    <p className={classes.forecast} data-over={over || undefined}>
      At this pace {side.sums.forecast}
      {side.unit} {periodName(budget.period)}
      {over ? ', above the limit' : ''}
    </p>
  );
}

/** One line for a run's head: the shared budget with least left, of those that the run spends from. */
export function TightestBudget({ budget }: { budget: Budget }) {
  const sides = sidesOf(budget);
  const side = sides.reduce(
    (most, each) => (each.used + each.held > most.used + most.held ? each : most),
    sides[0] as Side,
  );
  const whose = budget.graph ? 'Workflow' : 'Workspace';
  // What is spoken begins with what is seen.
  const label = `${whose} ${periodName(budget.period)} · ${side.sums.left}${side.unit} left of the budget of ${side.sums.limit}: ${side.sums.used} used, ${side.sums.held ?? '0'} held`;
  return (
    <Tooltip label={label} multiline maw={320}>
      <Link to="/settings/budgets" className={classes.tightest} aria-label={label}>
        <span aria-hidden>
          {whose} {periodName(budget.period)} · <b>{side.sums.left}</b>
          {side.unit} left
        </span>
        <Bar side={side} />
      </Link>
    </Tooltip>
  );
}
