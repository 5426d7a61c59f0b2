import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { versionQuery } from '../../../api/http/queries.ts';
import { toDocument } from '../../../graph/document/document.ts';
import { semanticDiff } from '../../../graph/document/semantic.ts';
import { useEditor } from '../../../store/editor.ts';
import { publicationQuery } from '../dialogs/gate/publication.ts';
import classes from '../editor.module.css';

/** How many things of the draft differ in meaning from a version; null while that is not known. */
function useChangesSince(graphId: string, version: number | null): number | null {
  const records = useDeferredValue(useEditor((state) => state.records));
  const head = useEditor((state) => state.head);
  const { data } = useQuery({
    ...versionQuery(graphId, version ?? 0),
    enabled: version !== null,
  });
  const live = data?.document;
  return useMemo(
    () => (live ? semanticDiff(live, toDocument(records, head)).length : null),
    [live, records, head],
  );
}

const ASKED: Record<string, { words: string; color: string }> = {
  open: { words: 'waits for approval', color: 'yellow' },
  rejected: { words: 'rejected', color: 'red' },
  expired: { words: 'not approved in time', color: 'orange' },
  overtaken: { words: 'not published', color: 'orange' },
  refused: { words: 'not published', color: 'orange' },
};

/** What came of the last request to publish, by what was so as the page opened, until it is asked anew. */
function useAsked(graphId: string, before: string | null) {
  const { data } = useQuery({
    ...publicationQuery(graphId),
    enabled: ({ state }) => (state.data ? state.data.request?.state === 'open' : before === 'open'),
  });
  return ASKED[data?.request?.state ?? before ?? ''];
}

/**
 * Which version is live, how much of the draft is not in it, and what came of asking to publish that:
 * a click shows it.
 */
export function LiveBadge({
  graphId,
  version,
  asked = null,
  onShow,
  onChanges,
}: {
  graphId: string;
  version: number | null;
  /** How the last request to publish stood as the page opened. */
  asked?: string | null;
  onShow: () => void;
  /** Tells how many things differ; null while that is not known. */
  onChanges?: (changes: number | null) => void;
}) {
  const changes = useChangesSince(graphId, version);
  useEffect(() => onChanges?.(changes), [changes, onChanges]);
  const request = useAsked(graphId, asked);
  const look = { color: 'gray', size: 'sm', radius: 'sm', className: classes.wide } as const;
  const live = version === null ? 'Never published' : `v${version} live`;
  const differs = version !== null && changes ? ` · ${plural(changes)}` : '';
  const isNews = request !== undefined && (differs !== '' || version === null);
  if (!differs && !isNews) return <Badge {...look}>{live}</Badge>;
  return (
    <Badge
      {...look}
      color={isNews ? request.color : look.color}
      component="button"
      style={{ cursor: 'pointer' }}
      onClick={onShow}
    >
      {`${live}${differs}${isNews ? ` · ${request.words}` : ''}`}
    </Badge>
  );
}

const plural = (changes: number) => (changes === 1 ? '1 change' : `${changes} changes`);
