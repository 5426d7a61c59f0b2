import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  bulkLeftQuery,
  type BulkJob,
  bulkQuery,
  resumeBulk,
  stopBulk,
} from '../../../api/http/runs/bulk.ts';
import { messageOf } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import { mayRun } from '../../../ui/roles.ts';
import classes from './bulk.module.css';
import { isOver, jobSentence, outcomesOf, runName } from './words.ts';

interface BulkProgressProps {
  id: string;
  onClose: () => void;
  onResolve?: () => void;
  /** On a page of its own: what is listed below is not listed here, and nothing is closed. */
  bare?: boolean;
}

/** How far a job is; it goes on when nobody looks. */
export function BulkProgress({ id, onClose, onResolve, bare = false }: BulkProgressProps) {
  const client = useQueryClient();
  const canRun = mayRun(useSession().data?.workspace?.role);
  const { data: job, error } = useQuery(bulkQuery(id));
  const act = useMutation({
    mutationFn: (what: typeof stopBulk) => what(id),
    onSuccess: (now) => client.setQueryData(bulkQuery(id).queryKey, now),
  });
  if (!job) return error ? <Text c="red">{messageOf(error)}</Text> : null;
  const dealt = job.count - job.pending;
  const over = isOver(job);
  return (
    <Stack gap="sm" className={bare ? classes.bare : undefined}>
      <Progress
        value={(dealt / Math.max(job.count, 1)) * 100}
        animated={job.status === 'running'}
        aria-label={`${dealt} of ${job.count}`}
      />
      <p role="status">{jobSentence(job)}</p>
      {job.status === 'paused' ? (
        <Alert color="yellow" title="Paused: one after the other failed">
          {job.paused_for}
        </Alert>
      ) : null}
      {over && !bare ? <Left job={job} /> : null}
      {act.isError ? <Text c="red">{messageOf(act.error)}</Text> : null}
      <Group justify="flex-end" gap="xs">
        {canRun && (job.status === 'running' || job.status === 'paused') ? (
          <Button variant="light" color="red" onClick={() => act.mutate(stopBulk)}>
            Stop
          </Button>
        ) : null}
        {canRun && job.status === 'paused' ? (
          <Button variant="default" onClick={() => act.mutate(resumeBulk)}>
            Go on anyway
          </Button>
        ) : null}
        {job.action === 'retry' && job.done > 0 ? (
          <Button
            component={Link}
            to={`/runs?job=${job.id}`}
            variant="default"
            onClick={bare ? undefined : onClose}
          >
            See the new runs
          </Button>
        ) : null}
        {over && onResolve && job.done > 0 && outcomesOf(job).failed === 0 ? (
          <Button
            variant="default"
            onClick={() => {
              onResolve();
              onClose();
            }}
          >
            Mark as resolved
          </Button>
        ) : null}
        {bare ? null : <Button onClick={onClose}>{closeWord(job.status)}</Button>}
      </Group>
    </Stack>
  );
}

/** What closing comes to: a job goes on when nobody looks, unless it waits for somebody. */
function closeWord(status: BulkJob['status']): string {
  if (status === 'paused') return 'Leave it paused';
  return status === 'running' ? 'Close, it goes on' : 'Done';
}

/** With which runs nothing was done, and why. */
function Left({ job }: { job: BulkJob }) {
  const { data: refused } = useQuery({
    ...bulkLeftQuery(job.id, 'refused'),
    enabled: job.refused + job.left_out > 0,
  });
  const { data: skipped } = useQuery({
    ...bulkLeftQuery(job.id, 'skipped'),
    enabled: job.skipped + job.left_out > 0,
  });
  const items = [...(refused?.results ?? []), ...(skipped?.results ?? [])];
  if (items.length === 0) return null;
  return (
    <ul className={classes.left} aria-label="Runs with which nothing was done" tabIndex={0}>
      {items.map((item) => (
        <li key={item.run}>
          <Link to={`/runs/${item.run}`}>{runName({ ...item, id: item.run })}</Link>
          <span>
            {item.why}
            {item.new_run ? (
              <>
                {' '}
                <Link to={`/runs/${item.new_run}`}>See that run</Link>
              </>
            ) : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
