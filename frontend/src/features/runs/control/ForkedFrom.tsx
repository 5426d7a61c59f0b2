import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api } from '../../../api/http/client.ts';
import { runQuery } from '../../../api/http/lists.ts';
import type { RunEvents } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { nodeLabel } from '../views/canvasViews.ts';

/** Which run this one goes on from, by its title, at which step, and when it began. */
export function ForkedFrom({ id, seq }: { id: string; seq: number }) {
  const { data: former } = useQuery({ ...runQuery(id), retry: false });
  const { data: node } = useQuery({
    queryKey: ['run', id, 'node-at', seq],
    queryFn: () => nodeAt(id, seq),
    enabled: former !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <>
      forked from{' '}
      <Anchor component={Link} to={`/runs/${id}`} inherit underline="always">
        {former ? former.title || former.graph.name : 'another run'}
      </Anchor>
      {former && node ? ` at ${nodeLabel(former.document, node)}` : null}
      {former ? (
        <>
          {' '}
          (<RelativeTime at={former.started_at} />)
        </>
      ) : null}
    </>
  );
}

/** The node that an event of a run is about; null where it is about none. */
async function nodeAt(id: string, seq: number): Promise<string | null> {
  const page = await api.get<RunEvents>(`runs/${id}/events/`, { after: seq - 1, limit: 1 });
  return page.events[0]?.node ?? null;
}
