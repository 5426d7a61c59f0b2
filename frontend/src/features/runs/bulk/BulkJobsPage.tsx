import { IconStack2 } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { type BulkJob, bulkJobsQuery } from '../../../api/http/runs/bulk.ts';
import { useBell } from '../../../api/live/useBell.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { EmptyState } from '../../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import pages from '../../../ui/page/pages.module.css';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { ListFrame } from '../../../ui/table/ListFrame.tsx';
import { RunsTabs } from '../list/RunsTabs.tsx';
import { useListKeys } from '../list/useListKeys.ts';
import { jobName, jobSentence, jobState } from './words.ts';

/** What was done with many runs at once: who, what, how far. */
export default function BulkJobsPage() {
  useBell('runs', 'runs');
  const navigate = useNavigate();
  const list = useInfiniteQuery(bulkJobsQuery);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.results) ?? [], [list.data]);
  const ids = useMemo(() => rows.map((job) => job.id), [rows]);
  const open = useCallback((id: string) => void navigate(`/runs/bulk/${id}`), [navigate]);
  const current = useListKeys({ group: 'Bulk jobs', ids, open });
  return (
    <div className={pages.page}>
      <PageHeader title="Bulk jobs" text="What was done with many runs at once.">
        <RunsTabs at="/runs/bulk" />
      </PageHeader>
      <div className={pages.body}>
        <ListFrame
          list={list}
          none={
            <EmptyState
              icon={IconStack2}
              title="No bulk jobs yet"
              text="Pick runs in the list, or a cause of failures, and retry or cancel them together."
            />
          }
        >
          {rows.length > 0 ? (
            <DataTable
              label="Bulk jobs"
              rows={rows}
              columns={columns}
              keyOf={(job) => job.id}
              hrefOf={(job) => `/runs/bulk/${job.id}`}
              current={current}
            />
          ) : null}
        </ListFrame>
      </div>
    </div>
  );
}

const columns: Column<BulkJob>[] = [
  { id: 'what', label: 'Job', cell: jobName },
  { id: 'state', label: 'State', width: 110, cell: (job) => jobState(job.status) },
  {
    id: 'result',
    label: 'Result',
    wide: true,
    cell: (job) => <span className={pages.dim}>{jobSentence(job)}</span>,
  },
  { id: 'by', label: 'By', width: 160, cell: (job) => job.by.name },
  {
    id: 'at',
    label: 'Begun',
    width: 110,
    wide: true,
    cell: (job) => (
      <span className={pages.dim}>
        {job.started_at ? <RelativeTime at={job.started_at} /> : '–'}
      </span>
    ),
  },
];
