import { Anchor } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { bulkQuery, resumeBulk, stopBulk } from '../../../api/http/runs/bulk.ts';
import { messageOf } from '../../../api/http/client.ts';
import type { Cause } from '../../../api/http/runs/causes.ts';
import { jobTitle } from '../bulk/words.ts';

/** How many of its runs can be tried again: none did before, and they wait in no retry. */
export const leftOf = ({ count, retried, queued }: Pick<Cause, 'count' | 'retried' | 'queued'>) =>
  Math.max(0, count - retried - queued.reduce((sum, { runs }) => sum + runs, 0));

/** A retry of its runs that is not over: how far it is, and what can be done about it. */
export function Waiting({ job: id, can }: { job: string; can: boolean }) {
  const client = useQueryClient();
  const { data: job } = useQuery(bulkQuery(id));
  const act = useMutation({
    mutationFn: (what: typeof stopBulk) => what(id),
    onSuccess: (now) => {
      client.setQueryData(bulkQuery(id).queryKey, now);
      return client.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  if (!job) return null;
  const title = jobTitle(job);
  const paused = job.status === 'paused';
  return (
    <span>
      <Link to={`/runs/bulk/${id}`}>
        {paused ? `Retry ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title}
      </Link>
      {can && paused ? (
        <>
          {': '}
          <Anchor component="button" inherit onClick={() => act.mutate(resumeBulk)}>
            Go on
          </Anchor>
          {' or '}
          <Anchor component="button" inherit onClick={() => act.mutate(stopBulk)}>
            Stop
          </Anchor>
        </>
      ) : null}
      {act.isError ? ` ${messageOf(act.error)}` : null}
    </span>
  );
}
