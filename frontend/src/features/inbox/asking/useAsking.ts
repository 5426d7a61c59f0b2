import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/http/client.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import type * as served from '../../../api/types/schema.gen.ts';

type Step =
  | { verb: 'ask-back'; body: { to: string; question: string; mentions: string[] } }
  | { verb: 'answer-back'; body: { reply: string; mentions: string[] } }
  | { verb: 'take-back' };

/** Whom one can ask about an item, its starter first. */
export const askableQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['interrupts', 'askable', requestId],
    queryFn: () => api.get<{ results: served.AskableOut[] }>(`interrupts/${requestId}/ask-back/`),
    select: (found) => found.results,
  });

/** Ask back, reply, or take a question back. None of it decides anything. */
export function useAsking(item: Interrupt, onDone: () => void = () => undefined) {
  const client = useQueryClient();
  const path = `interrupts/${item.request_id}`;
  return useMutation({
    mutationFn: (step: Step) =>
      step.verb === 'take-back'
        ? api.delete<Interrupt>(`${path}/ask-back/`)
        : api.post<Interrupt>(`${path}/${step.verb}/`, step.body),
    onSuccess: (fresh) => {
      client.setQueryData(['interrupts', 'one', item.request_id], fresh);
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['interrupts'] }),
  });
}
