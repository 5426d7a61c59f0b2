import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { openThreadsQuery, threadQuery } from '../../api/http/workspace/threads.ts';
import { requestFocus } from '../../inspector/focus.ts';
import { useEditor } from '../../store/editor.ts';
import { unfold, useCommenting } from './commenting.ts';

/** Keep what cards say of their threads fresh, and follow the link of a mail to its thread. */
export function useThreads(graphId: string, reveal: (ids: string[]) => void): void {
  const client = useQueryClient();
  const heard = useCommenting((state) => state.heard);
  const { data } = useQuery(openThreadsQuery(graphId));
  useEffect(() => {
    if (heard > 0) void client.invalidateQueries({ queryKey: ['threads', graphId] });
  }, [heard, client, graphId]);
  useEffect(() => {
    const counts = new Map<string, number>();
    for (const { node } of data ?? []) counts.set(node, (counts.get(node) ?? 0) + 1);
    useCommenting.setState({ counts });
  }, [data]);
  useEffect(
    () => () => useCommenting.setState({ panel: false, thread: null, counts: new Map(), heard: 0 }),
    [graphId],
  );
  useLinked(graphId, data !== undefined, reveal);
}

/** `?thread=…`: open the workflow at the card and the thread; one whose card is gone is in the list. */
function useLinked(graphId: string, ready: boolean, reveal: (ids: string[]) => void): void {
  const [params, setParams] = useSearchParams();
  const wanted = params.get('thread') ?? '';
  const { data, isError } = useQuery({
    ...threadQuery(graphId, wanted),
    enabled: wanted !== '',
  });
  useEffect(() => {
    if (!wanted || !ready || (!data && !isError)) return;
    unfold(data ? wanted : null);
    if (data && useEditor.getState().records.nodes.has(data.node)) {
      reveal([data.node]);
      requestFocus(`comments.${wanted}`);
    } else useCommenting.setState({ panel: true });
    setParams(
      (now) => {
        now.delete('thread');
        return now;
      },
      { replace: true },
    );
  }, [wanted, ready, data, isError]); // eslint-disable-line react-hooks/exhaustive-deps -- once for each link
}
