import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/http/client.ts';
import {
  changeTrigger,
  deleteTrigger,
  deliveriesQuery,
  type Trigger,
  type TriggerChange,
  triggersQuery,
} from '../../api/http/runs/triggers.ts';

/** What is done to a trigger; the list and what came in are fetched anew after it. */
export function useTrigger(trigger: Trigger, onRemoved?: () => void) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: triggersQuery(trigger.graph.id).queryKey }),
        client.invalidateQueries({ queryKey: deliveriesQuery(trigger.id).queryKey }),
      ]),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  return {
    isPending,
    change: (change: TriggerChange) => mutate(() => changeTrigger(trigger.id, change)),
    remove: () =>
      mutate(async () => {
        await deleteTrigger(trigger.id);
        onRemoved?.();
      }),
    /** Does something else to it. */
    act: mutate,
  };
}
