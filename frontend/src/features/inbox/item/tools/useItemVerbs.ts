import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../api/http/client.ts';
import type { Said } from '../../../../api/http/workspace/threads.ts';
import type { Interrupt, ItemComment } from '../../../../api/types/types.ts';

interface Call {
  method: 'post' | 'delete';
  verb: 'claim' | 'snooze' | 'delegate';
  body?: Record<string, unknown>;
}

export interface ItemVerbs {
  pending: boolean;
  error: unknown;
  claim: (takeOver?: boolean) => void;
  unclaim: () => void;
  snooze: (until: Date) => void;
  wake: () => void;
  delegate: (to: string, note: string) => void;
}

const WAKE: Call = { method: 'delete', verb: 'snooze' };

/** What a person does with an item short of deciding it. The answer is the item as it is then. */
export function useItemVerbs(
  item: Interrupt,
  onSnoozed: (until: Date, wake: () => void) => void,
): ItemVerbs {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ method, verb, body }: Call) => {
      const path = `interrupts/${item.request_id}/${verb}/`;
      return method === 'post'
        ? api.post<Interrupt>(path, body ?? {})
        : api.delete<Interrupt>(path);
    },
    onSuccess: (fresh, { verb, method, body }) => {
      client.setQueryData(['interrupts', 'one', item.request_id], fresh);
      if (verb === 'snooze' && method === 'post')
        onSnoozed(new Date(String(body?.until)), () => mutation.mutate(WAKE));
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['interrupts'] }),
  });
  const call = (next: Call) => {
    if (!mutation.isPending) mutation.mutate(next);
  };
  return {
    pending: mutation.isPending,
    error: mutation.error,
    claim: (takeOver = false) =>
      call({ method: 'post', verb: 'claim', body: { take_over: takeOver } }),
    unclaim: () => call({ method: 'delete', verb: 'claim' }),
    snooze: (until) =>
      call({ method: 'post', verb: 'snooze', body: { until: until.toISOString() } }),
    wake: () => call(WAKE),
    delegate: (to, note) => call({ method: 'post', verb: 'delegate', body: { to, note } }),
  };
}

/** Add to the thread of an item. */
export function useComment(item: Interrupt, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (said: Said) =>
      api.post<ItemComment>(`interrupts/${item.request_id}/comments/`, said),
    onSuccess: onDone,
    onSettled: () => void client.invalidateQueries({ queryKey: ['interrupts'] }),
  });
}
