import { SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import {
  type BulkItem,
  bulkItemsQuery,
  type BulkJob,
  bulkQuery,
} from '../../../api/http/runs/bulk.ts';
import { useBell } from '../../../api/live/useBell.ts';
import { CsvButton } from '../../../ui/CsvButton.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import pages from '../../../ui/page/pages.module.css';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import type { AnyStatus } from '../../../ui/status.ts';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { ListFrame } from '../../../ui/table/ListFrame.tsx';
import own from '../list/list.module.css';
import { RunsTabs } from '../list/RunsTabs.tsx';
import { BulkProgress } from './BulkProgress.tsx';
import { isOver, jobName, resultWords, runName } from './words.ts';

const RESULTS = [
  { value: '', label: 'All' },
  { value: 'done', label: 'Done' },
  { value: 'skipped', label: 'Left' },
  { value: 'refused', label: 'Refused' },
  { value: 'pending', label: 'To go' },
];
/** The same of a job that does nothing any more. */
const STOPPED = [...RESULTS.slice(0, -1), { value: 'pending', label: 'Not reached' }];

/** One job: how far it is, and what became of each of its runs. */
export default function BulkJobPage() {
  const { jobId = '' } = useParams();
  const navigate = useNavigate();
  useBell('runs', 'runs');
  const { data: job, error, refetch } = useQuery(bulkQuery(jobId));
  const [result, setResult] = useState('');
  const list = useInfiniteQuery(bulkItemsQuery(jobId, result));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  const stopped = job !== undefined && isOver(job);
  if (error && !job) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className={pages.page}>
      <PageHeader
        title={job ? jobName(job) : 'Bulk job'}
        text={job ? <Begun job={job} /> : undefined}
      >
        <CsvButton
          path={`runs/bulk/${jobId}/items`}
          query={result ? { result } : {}}
          title="Each run of this list with what became of it"
        />
        <RunsTabs at="/runs/bulk" />
      </PageHeader>
      <div className={pages.body}>
        <BulkProgress id={jobId} onClose={() => void navigate('/runs/bulk')} bare />
        <SegmentedControl
          my="md"
          value={result}
          onChange={setResult}
          aria-label="What became of them"
          data={stopped ? STOPPED : RESULTS}
        />
        <ListFrame list={list} awaited={6} none={<p className={pages.dim}>No such run.</p>}>
          {rows.length > 0 ? (
            <DataTable
              label="Runs of the job"
              rows={rows}
              columns={stopped ? STOPPED_COLUMNS : columns}
              keyOf={(item) => item.run}
              hrefOf={(item) => `/runs/${item.run}`}
            />
          ) : null}
        </ListFrame>
      </div>
    </div>
  );
}

/** Who began the job and when; the exact time on hover. */
function Begun({ job }: { job: BulkJob }) {
  return (
    <>
      Begun by {job.by.name}
      {job.started_at ? (
        <>
          , <RelativeTime at={job.started_at} />
        </>
      ) : null}
    </>
  );
}

/** The run that the job made, or why it made none; with what went on for the run before, if anything. */
export function Outcome({ item }: { item: BulkItem }) {
  if (item.result !== 'done')
    return (
      <span className={pages.dim}>
        {item.why}
        {item.new_run ? (
          <>
            {' '}
            <Link className="above" to={`/runs/${item.new_run}`}>
              See that run
            </Link>
          </>
        ) : null}
      </span>
    );
  if (!item.new_run) return null;
  return (
    <Link className="above" to={`/runs/${item.new_run}`}>
      {item.new_status ? <StatusBadge status={item.new_status as AnyStatus} /> : 'See the new run'}
    </Link>
  );
}

const columns: Column<BulkItem>[] = [
  {
    id: 'run',
    label: 'Run',
    cell: (item) => (
      <>
        {runName({ ...item, id: item.run })}
        {item.title && item.graph ? <span className={own.under}>{item.graph}</span> : null}
      </>
    ),
  },
  {
    id: 'result',
    label: 'Result',
    width: 150,
    cell: (item) => resultWords[item.result] ?? item.result,
  },
  {
    id: 'why',
    label: 'Why, or the new run',
    cell: (item) => <Outcome item={item} />,
  },
];
const STOPPED_COLUMNS = columns.map((column) =>
  column.id === 'result'
    ? {
        ...column,
        cell: (item: BulkItem) =>
          item.result === 'pending' ? 'Not reached' : (resultWords[item.result] ?? item.result),
      }
    : column,
);
