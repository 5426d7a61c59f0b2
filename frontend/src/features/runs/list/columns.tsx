import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '../../../api/types/types.ts';
import { starterOf } from '../../inbox/item/origin/starter.ts';
import classes from '../../../ui/page/pages.module.css';
import type { Column } from '../../../ui/table/DataTable.tsx';
import { formatDuration, formatTokens } from '../../../ui/format/format.ts';
import { Money } from '../../../ui/format/Money.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { shownStatus } from '../../../ui/status.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import own from './list.module.css';
import { noteOf } from './note.ts';

/** Every column a list of runs can have; the first stays. */
export const columns: readonly Column<RunSummary>[] = [
  {
    id: 'title',
    label: 'Run',
    cell: (run) => (
      <>
        <span dir="auto" className={own.named}>
          {run.title || run.graph.name}
        </span>
        <span className={own.under}>
          <bdi>{run.title ? run.graph.name : `Run ${run.id.slice(0, 8)}`}</bdi>
          {run.archived_at ? ' · archived' : ''}
          {run.kept ? ' · kept' : ''}
          <span className={own.narrow}>
            {' · '}
            <RelativeTime at={run.started_at} />
          </span>
        </span>
        {noteOf(run) ? <span className={`${own.under} ${own.narrow}`}>{noteOf(run)}</span> : null}
      </>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: 130,
    order: { by: 'status', largestFirst: false },
    cell: (run) => <StatusBadge status={shownStatus(run)} />,
  },
  {
    id: 'note',
    label: 'Note',
    width: '26%',
    wide: true,
    cell: (run) => (
      <span className={own.note} title={noteOf(run)}>
        {noteOf(run)}
      </span>
    ),
  },
  {
    id: 'version',
    label: 'Version',
    width: 80,
    wide: true,
    cell: (run) => (
      <span className={classes.dim}>{run.is_draft ? 'draft' : `v${run.version ?? '?'}`}</span>
    ),
  },
  {
    id: 'by',
    label: 'Started by',
    width: 140,
    wide: true,
    cell: (run) => (
      <span className={own.brief} title={run.parent_run ? undefined : starterOf(run)}>
        {run.parent_run ? (
          <Anchor
            component={Link}
            to={`/runs/${run.parent_run}`}
            className="above"
            inherit
            underline="always"
          >
            parent run
          </Anchor>
        ) : (
          starterOf(run)
        )}
      </span>
    ),
  },
  {
    id: 'at',
    label: 'Started',
    width: 110,
    roomy: true,
    order: { by: 'started', largestFirst: true },
    cell: (run) => (
      <span className={classes.dim}>
        <RelativeTime at={run.started_at} />
      </span>
    ),
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 100,
    order: { by: 'duration', largestFirst: true },
    align: 'right',
    wide: true,
    cell: (run) => (run.duration_ms === null ? '–' : formatDuration(run.duration_ms)),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 80,
    order: { by: 'tokens', largestFirst: true },
    align: 'right',
    wide: true,
    cell: (run) => formatTokens(run.spend.tokens),
  },
  {
    id: 'usd',
    label: 'Spend',
    width: 90,
    order: { by: 'spend', largestFirst: true },
    align: 'right',
    wide: true,
    cell: (run) => <Money usd={run.spend.usd} />,
  },
  {
    id: 'wait',
    label: 'Waits since',
    width: 110,
    order: { by: 'wait', largestFirst: true },
    wide: true,
    cell: (run) =>
      run.waiting_since ? (
        <span className={classes.dim}>
          <RelativeTime at={run.waiting_since} />
        </span>
      ) : (
        '–'
      ),
  },
  {
    id: 'tags',
    label: 'Tags',
    width: 180,
    wide: true,
    cell: (run) => <Tags tags={run.tags} />,
  },
];

/** Names and values that a run was started with; each lists the runs that have it too. */
function Tags({ tags }: { tags: Record<string, string> }) {
  return (
    <span className={own.tags}>
      {Object.entries(tags).map(([name, value]) => (
        <Link
          key={name}
          className="above"
          to={`/runs?${new URLSearchParams({ tag: `${name}:${value}` }).toString()}`}
        >
          {name}: {value}
        </Link>
      ))}
    </span>
  );
}

/** Wide enough for the heading: where nothing is noted, the room is for what there is to read. */
const NOTHING_NOTED = 70;

/** The columns that are shown, for these runs. */
export const columnsFor = (
  rows: readonly RunSummary[],
  shown: ReadonlySet<string>,
): Column<RunSummary>[] =>
  columns
    .filter((column) => shown.has(column.id))
    .map((column) =>
      column.id === 'note' && rows.every((run) => noteOf(run) === '')
        ? { ...column, width: NOTHING_NOTED }
        : column,
    );
