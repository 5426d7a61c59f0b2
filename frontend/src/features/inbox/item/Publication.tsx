import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../../../api/http/client.ts';
import type { GraphDoc, Interrupt } from '../../../api/types/types.ts';
import type * as served from '../../../api/types/schema.gen.ts';
import { ChangeList } from '../../../canvas/ChangeList.tsx';
import { semanticDiff, summaryOfChanges } from '../../../graph/document/semantic.ts';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';

/** Of an item that asks to publish a workflow: what would change, in words. */
export default function Publication({ item }: { item: Interrupt }) {
  const { data, error } = useQuery({
    queryKey: ['publication-of', item.run.id],
    queryFn: () => api.get<served.DifferenceOut>(`runs/${item.run.id}/publication/`),
  });
  const changes = useMemo(() => {
    if (!data?.before) return null;
    return semanticDiff(data.before as unknown as GraphDoc, data.after as unknown as GraphDoc);
  }, [data]);
  if (error) return <Text c="red">{messageOf(error)}</Text>;
  if (!data) return <ListSkeleton rows={3} />;
  return (
    <section aria-label="What would change">
      <Text fw={600} size="sm" mb={4}>
        {data.request.base === null
          ? 'Nothing is live yet: the whole workflow is new'
          : `What would change since version ${data.request.base}`}
      </Text>
      {changes?.length === 0 ? (
        <Text size="sm" c="dimmed">
          They say the same. Only places or notes may differ.
        </Text>
      ) : null}
      {changes && changes.length > 0 ? (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {summaryOfChanges(changes)}
          </Text>
          <ChangeList changes={changes} />
        </>
      ) : null}
      <Text size="sm" mt="sm" mb="md">
        If you approve, exactly this goes live at once: runs that start from then on use it, those
        under way keep theirs. If you reject,{' '}
        {data.request.base === null
          ? 'nothing goes live'
          : `version ${data.request.base} stays live`}
        , and {data.request.asked_by.name} sees why.{' '}
        {data.draft_moved
          ? 'The draft has changed since it was asked: those changes are not part of this. '
          : ''}
        <Anchor component={Link} to={`/workflows/${data.graph.id}`} inherit>
          Open {data.graph.name}
        </Anchor>
      </Text>
    </section>
  );
}
