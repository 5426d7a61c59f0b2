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

/** What came of the last request to publish, by what was so as the page opened, until it is looked at. */
function useAsked(graphId: string, before: string | null) {
  const { data } = useQuery({
    ...publicationQuery(graphId),
    enabled: ({ state }) => (state.data ? state.data.request?.state === 'open' : before === 'open'),
  });
  const state = data ? data.asks && data.request?.state : before;
  return { news: ASKED[state ?? ''], published: data?.request?.published ?? null };
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
  const { news, published } = useAsked(graphId, asked);
  const newest = Math.max(version ?? 0, published ?? 0) || null;
  const changes = useChangesSince(graphId, newest);
  useEffect(() => onChanges?.(changes), [changes, onChanges]);
  const look = { color: 'gray', size: 'sm', radius: 'sm', className: classes.wide } as const;
  const live = newest === null ? 'Never published' : `v${newest} live`;
  const differs = newest !== null && changes ? ` · ${plural(changes)}` : '';
  const isNews = news !== undefined && (differs !== '' || newest === null);
  if (!differs && !isNews) return <Badge {...look}>{live}</Badge>;
  return (
    <Badge
      {...look}
      color={isNews ? news.color : look.color}
      className={isNews ? classes.news : classes.wide}
      component="button"
      style={{ cursor: 'pointer' }}
      aria-label={isNews ? `${live}${differs} · ${news.words}` : undefined}
      onClick={onShow}
    >
      {isNews ? (
        <>
          <span className={classes.wide}>{`${live}${differs} · `}</span>
          {news.words}
        </>
      ) : (
        `${live}${differs}`
      )}
    </Badge>
  );
}

const plural = (changes: number) => (changes === 1 ? '1 change' : `${changes} changes`);
