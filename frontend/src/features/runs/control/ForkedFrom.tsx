import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runQuery } from '../../../api/http/lists.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';

/** Which run this one goes on from, by its title and when it began. */
export function ForkedFrom({ id }: { id: string }) {
  const { data: former } = useQuery({ ...runQuery(id), retry: false });
  return (
    <>
      forked from{' '}
      <Anchor component={Link} to={`/runs/${id}`} inherit underline="always">
        {former ? former.title || former.graph.name : 'another run'}
      </Anchor>
      {former ? (
        <>
          {' '}
          (<RelativeTime at={former.started_at} />)
        </>
      ) : null}
    </>
  );
}
