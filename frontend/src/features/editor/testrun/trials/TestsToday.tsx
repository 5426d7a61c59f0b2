import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../../../api/http/client.ts';
import type { Page, RunSummary } from '../../../../api/types/types.ts';
import classes from '../testrun.module.css';

const midnight = () => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();

/** How often the draft was tried today, by whomever; the number leads to these runs. Nothing for none. */
export function TestsToday({ graphId, runId }: { graphId: string; runId: string | null }) {
  const filter = { graph: graphId, tests: 'true', since: midnight() };
  const { data } = useQuery({
    queryKey: ['runs', 'tests', graphId, filter, runId],
    queryFn: () => api.get<Page<RunSummary>>('runs/', { ...filter, limit: 1 }),
    enabled: graphId !== '',
    placeholderData: (before: Page<RunSummary> | undefined, query) =>
      query?.queryKey[2] === graphId ? before : undefined,
  });
  const total = data?.total ?? 0;
  if (total === 0) return null;
  const words = `${total.toLocaleString('en')}${data?.total_is_more ? '+' : ''} ${total === 1 ? 'test' : 'tests'} today`;
  return (
    <Anchor
      component={Link}
      to={`/runs?${new URLSearchParams(filter).toString()}`}
      size="xs"
      className={classes.today}
    >
      {words}
    </Anchor>
  );
}
