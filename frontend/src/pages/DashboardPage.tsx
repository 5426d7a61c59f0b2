import { SegmentedControl } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { overviewQuery } from '../api/lists.ts';
import type { Overview, RunStatus } from '../api/types.ts';
import { useBell } from '../api/useBell.ts';
import { addDecimal, shareOf } from '../run/decimal.ts';
import classes from '../runs/dashboard.module.css';
import { HourChart, HourTable } from '../runs/HourChart.tsx';
import pages from '../runs/pages.module.css';
import { SpendBoard } from '../runs/SpendBoard.tsx';
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx';
import { formatTokens, formatUsd } from '../ui/format.ts';
import { Money } from '../ui/Money.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { CardSkeleton } from '../ui/Skeletons.tsx';
import { StatusIcon } from '../ui/StatusBadge.tsx';

/** How the workspace is doing: runs, decisions, money. Every number leads to the list behind it. */
export default function DashboardPage() {
  const { board = 'operations' } = useParams();
  const navigate = useNavigate();
  return (
    <div className={pages.page}>
      <PageHeader title="Dashboard">
        <SegmentedControl value={board} onChange={(next) => void navigate(next === 'spend' ? '/dashboard/spend' : '/dashboard')} aria-label="Board" data={[{ value: 'operations', label: 'Operations' }, { value: 'spend', label: 'Spend' }]} />
      </PageHeader>
      <div className={pages.body}>{board === 'spend' ? <SpendBoard /> : <Operations />}</div>
    </div>
  );
}

function Operations() {
  useBell('runs', 'overview');
  useBell('inbox', 'overview');
  const { data, error, refetch } = useQuery(overviewQuery);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return data ? <Boards overview={data} /> : <CardSkeleton cards={5} height={96} />;
}

function Boards({ overview }: { overview: Overview }) {
  const { runs } = overview;
  const ended = runs.completed_24h + runs.failed_24h;
  return (
    <>
      <section className={classes.tiles} aria-label="Now">
        <Tile status="running" label="Running" value={runs.running} to="/runs?status=running" />
        <Tile status="waiting" label="Waiting for people" value={runs.waiting} note={`${overview.open_interrupts} open in the inbox`} to="/inbox" />
        <Tile status="completed" label="Completed, 24 h" value={runs.completed_24h} note={ended === 0 ? 'no run has ended' : `${Math.round((runs.completed_24h / ended) * 100)} % of those that ended`} to="/runs?status=completed&hours=24" />
        <Tile status="failed" label="Failed, 24 h" value={runs.failed_24h} to="/runs?status=failed&hours=24" />
        <Tile label="Spend today" value={formatUsd(overview.spend_today_usd)} note={`${formatUsd(overview.spend_month_usd)} this month`} to="/dashboard/spend" />
      </section>
      <div className={classes.grid2}>
        <RunsBox hours={overview.runs_per_hour} />
        <SpendBox rows={overview.spend_by_graph} />
      </div>
    </>
  );
}

interface TileProps { label: string; value: ReactNode; to: string; status?: RunStatus; note?: string }

function Tile({ label, value, to, status, note }: TileProps) {
  return (
    <Link to={to} className={classes.tile}>
      <span>{status ? <StatusIcon status={status} /> : null}{label}</span>
      <b>{value}</b>
      {note ? <small>{note}</small> : null}
    </Link>
  );
}

function RunsBox({ hours }: { hours: Overview['runs_per_hour'] }) {
  const [look, setLook] = useState('chart');
  return (
    <section className={classes.box} aria-label="Runs per hour">
      <header className={classes.boxHead}>
        <h2>Runs that ended, per hour</h2>
        <SegmentedControl value={look} onChange={setLook} aria-label="Chart or table" data={[{ value: 'chart', label: 'Chart' }, { value: 'table', label: 'Table' }]} />
      </header>
      {hours.length === 0 ? <EmptyState icon={IconChartBar} title="No runs yet" /> : look === 'chart' ? <HourChart hours={hours} /> : <HourTable hours={hours} />}
    </section>
  );
}

function SpendBox({ rows }: { rows: Overview['spend_by_graph'] }) {
  const most = rows.map((row) => row.usd).reduce((a, b) => (Number(a) > Number(b) ? a : b), '0');
  const sum = rows.reduce((total, row) => addDecimal(total, row.usd), '0');
  return (
    <section className={classes.box} aria-label="Spend by workflow">
      <header className={classes.boxHead}><h2>Spend by workflow, this month</h2><Money usd={sum} /></header>
      {rows.length === 0 ? <EmptyState icon={IconChartBar} title="Nothing was spent" /> : null}
      <ul className={classes.spend}>
        {rows.map((row) => {
          const [id, name] = typeof row.graph === 'string' ? [null, row.graph] : [row.graph.id, row.graph.name];
          return (
            <li key={id ?? name}>
              <div className={classes.spendTop}>
                {id ? <Link to={`/runs?graph=${id}`}>{name}</Link> : <span>{name}</span>}
                <span><Money usd={row.usd} /> <span className={pages.dim}>· {formatTokens(row.tokens)} tokens</span></span>
              </div>
              <span className={classes.spendBar} aria-hidden><i style={{ width: `${shareOf(row.usd, most) * 100}%` }} /></span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
