import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/http/client.ts';
import { type CauseChange, type CauseState, changeCause } from '../../../api/http/runs/causes.ts';

const DONE: Record<CauseState, string> = {
  open: 'It is open again.',
  muted: 'It is muted. Failures are still counted.',
  resolved: 'Resolved. It opens again by itself if a later run fails alike.',
};

/** Assigns, mutes, resolves or opens a cause, and says what that did. */
export function useCauseChange(): (asked: { id: string; change: CauseChange }) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ id, change }: { id: string; change: CauseChange }) => changeCause(id, change),
    onSuccess: (_cause, { change }) => {
      if (change.state) notifications.show({ message: DONE[change.state] });
      return client.invalidateQueries({ queryKey: ['runs'] });
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  return mutate;
}
