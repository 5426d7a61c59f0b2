import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import type { OwnToolSource } from '../../../api/http/workspace/tools/sources.ts';
import type { DisconnectedOut } from '../../../api/types/schema.gen.ts';
import { confirm } from '../../../ui/confirm.tsx';

/** What is left to do at the other side, by what came of it there. */
const leftThere: Partial<Record<DisconnectedOut['at_issuer'], string>> = {
  not_offered:
    'Who issued its tokens does not take them back by itself: end the access there, too.',
  failed: 'Who issued its tokens could not be asked to take them back: end the access there, too.',
};

/** What is done with a source at once: another look, and removal after asking. */
export function useSourceVerbs() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: ['tools'] });
  const onError = (error: unknown) =>
    notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) });
  const refresh = useMutation({
    mutationFn: (name: string) => api.post<OwnToolSource>(`tool-sources/${name}/refresh/`),
    onSuccess: ({ name, status, error }) =>
      notifications.show(
        status === 'failed'
          ? { color: 'red', title: `${name} does not answer as it should`, message: error }
          : { color: 'teal', message: `${name} was looked at again.` },
      ),
    onSettled,
    onError,
  });
  const remove = useMutation({
    mutationFn: (name: string) => api.delete(`tool-sources/${name}/`),
    onSettled,
    onError,
  });
  const disconnect = useMutation({
    mutationFn: (name: string) => api.delete<DisconnectedOut>(`tool-sources/${name}/connect/`),
    onSuccess: ({ at_issuer }) => {
      const told = leftThere[at_issuer];
      if (told) notifications.show({ color: 'yellow', title: 'Disconnected here', message: told });
    },
    onSettled,
    onError,
  });
  return {
    disconnect: async (name: string) => {
      const sure = await confirm({
        title: `Disconnect ${name}?`,
        text: 'Its tokens are taken back where they were issued, and forgotten here. Calls of its tools fail until somebody connects it again.',
        confirm: 'Disconnect',
        danger: true,
      });
      if (sure) disconnect.mutate(name);
    },
    refresh: (name: string) => refresh.mutate(name),
    remove: async (name: string) => {
      const sure = await confirm({
        title: `Remove ${name}?`,
        text: 'Its tools go with it, and what was accepted and set of them. It is kept while a published workflow or an agent uses one.',
        confirm: 'Remove',
        danger: true,
      });
      if (sure) remove.mutate(name);
    },
  };
}
