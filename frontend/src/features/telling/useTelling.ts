import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../api/http/client.ts';
import type { Of } from '../../api/http/workspace/telling.ts';

/** What is done to channels, rules and notices; all lists are fetched anew after it. */
export function useTelling(of: Of) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSettled: () => client.invalidateQueries({ queryKey: ['telling', of] }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
}
