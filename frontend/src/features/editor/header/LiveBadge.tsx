import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { versionQuery } from '../../../api/http/queries.ts';
import { toDocument } from '../../../graph/document/document.ts';
import { semanticDiff } from '../../../graph/document/semantic.ts';
import { useEditor } from '../../../store/editor.ts';
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

/** Which version is live, and how much of the draft is not in it: a click shows what. */
export function LiveBadge({
  graphId,
  version,
  onShow,
  onChanges,
}: {
  graphId: string;
  version: number | null;
  onShow: () => void;
  /** Tells how many things differ; null while that is not known. */
  onChanges?: (changes: number | null) => void;
}) {
  const changes = useChangesSince(graphId, version);
  useEffect(() => onChanges?.(changes), [changes, onChanges]);
  const look = { color: 'gray', size: 'sm', radius: 'sm', className: classes.wide } as const;
  if (version === null) return <Badge {...look}>Never published</Badge>;
  if (!changes) return <Badge {...look}>{`v${version} live`}</Badge>;
  return (
    <Badge {...look} component="button" style={{ cursor: 'pointer' }} onClick={onShow}>
      {`v${version} live · ${changes === 1 ? '1 change' : `${changes} changes`}`}
    </Badge>
  );
}
