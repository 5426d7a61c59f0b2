import { Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { versionQuery } from '../../../../api/http/queries.ts';
import type { GraphDoc, GraphVersion } from '../../../../api/types/types.ts';
import { toDocument } from '../../../../graph/document/document.ts';
import { semanticDiff, summaryOfChanges } from '../../../../graph/document/semantic.ts';
import { useEditor } from '../../../../store/editor.ts';
import { ErrorState } from '../../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../../ui/page/Skeletons.tsx';
import { ChangeList } from '../../../../canvas/ChangeList.tsx';

/** A published version by its number, or the draft as it is on screen. */
export type Side = number | 'draft';

const DRAFT = 'draft';
const named = (side: Side) => (side === DRAFT ? 'Draft' : `Version ${side}`);

/** The document of one side; undefined while it is read. */
function useDocument(graphId: string, side: Side) {
  const records = useEditor((state) => state.records);
  const head = useEditor((state) => state.head);
  const draft = useMemo(
    () => (side === DRAFT ? toDocument(records, head) : null),
    [side, records, head],
  );
  const { data, error } = useQuery({
    ...versionQuery(graphId, side === DRAFT ? 0 : side),
    enabled: side !== DRAFT,
  });
  const document: GraphDoc | undefined = draft ?? data?.document;
  return { document, error };
}

/** What differs in meaning from one side to the other. */
export function Changes({ graphId, from, to }: { graphId: string; from: Side; to: Side }) {
  const before = useDocument(graphId, from);
  const after = useDocument(graphId, to);
  const changes = useMemo(
    () =>
      before.document && after.document ? semanticDiff(before.document, after.document) : null,
    [before.document, after.document],
  );
  const error = before.error ?? after.error;
  if (error) return <ErrorState error={error} />;
  if (!changes) return <ListSkeleton rows={3} />;
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        They say the same. Only places or notes may differ.
      </Text>
    );
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {summaryOfChanges(changes)}
      </Text>
      <ChangeList changes={changes} />
    </>
  );
}

interface CompareProps {
  graphId: string;
  versions: readonly GraphVersion[];
  from: Side;
  to: Side;
  onPick: (from: Side, to: Side) => void;
}

/** Two sides to choose and what differs between them. */
export function CompareVersions({ graphId, versions, from, to, onPick }: CompareProps) {
  const data = [
    { value: DRAFT, label: 'Draft' },
    ...versions.map(({ number }) => ({ value: String(number), label: named(number) })),
  ];
  const side = (value: string | null): Side =>
    value === DRAFT || value === null ? DRAFT : Number(value);
  return (
    <>
      <Group gap={8} mb="md" wrap="nowrap" align="flex-end">
        <Select
          size="xs"
          label="From"
          data={data}
          value={String(from)}
          allowDeselect={false}
          onChange={(value) => onPick(side(value), to)}
        />
        <Select
          size="xs"
          label="To"
          data={data}
          value={String(to)}
          allowDeselect={false}
          onChange={(value) => onPick(from, side(value))}
        />
      </Group>
      <Changes graphId={graphId} from={from} to={to} />
    </>
  );
}
