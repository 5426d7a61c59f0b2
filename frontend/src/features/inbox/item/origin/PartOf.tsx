import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runQuery } from '../../../../api/http/lists.ts';
import type { Interrupt } from '../../../../api/types/types.ts';

/** The run that an item's run is a part of: one that called it for a step, or for each of a list. */
export function useWhole(item: Interrupt): string | null {
  return useQuery(runQuery(item.run.id)).data?.parent_run ?? null;
}

/** The larger run that an item belongs to, and the way there; nothing where its run is whole. */
export function PartOf({ item }: { item: Interrupt }) {
  const whole = useWhole(item);
  const { data: run } = useQuery({ ...runQuery(whole ?? ''), enabled: whole !== null });
  if (whole === null || run === undefined) return null;
  return (
    <>
      {' '}
      · part of{' '}
      <Anchor component={Link} to={`/runs/${whole}`} inherit underline="always">
        <bdi>{run.graph.name}</bdi>
      </Anchor>
    </>
  );
}
