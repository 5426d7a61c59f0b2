import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { alertsQuery, deleteAlert, muteAlert } from '../../../api/http/alerts.ts';
import { messageOf } from '../../../api/http/client.ts';

const HOUR_MS = 3_600_000;

/** For how long mail about a rule can be held back. */
export const mutes = [
  { label: 'Mute for an hour', ms: HOUR_MS },
  { label: 'Mute for a day', ms: 24 * HOUR_MS },
  { label: 'Mute for a week', ms: 168 * HOUR_MS },
];

/** Muting and deleting a rule; the list is fetched anew after it. */
export function useAlertActions() {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (what: () => Promise<unknown>) => what(),
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery.queryKey }),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
  });
  return {
    mute: (id: string, ms: number | null) =>
      mutate(() => muteAlert(id, ms === null ? null : new Date(Date.now() + ms).toISOString())),
    remove: (id: string) => mutate(() => deleteAlert(id)),
  };
}
