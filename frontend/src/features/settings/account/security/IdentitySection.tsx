import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api, messageOf } from '../../../../api/http/client.ts';
import {
  goTo,
  identitiesQuery,
  refusedText,
} from '../../../../api/http/workspace/people/signIn.ts';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import classes from '../../settings.module.css';
import { SettingsSection, useRemove } from '../../SettingsSection.tsx';
import { useConfirmed } from './useConfirmed.tsx';

/** The firms of one's workspaces, and whether one's account there opens this one; nothing without any. */
export function IdentitySection() {
  const { data } = useQuery(identitiesQuery);
  const [params] = useSearchParams();
  const [confirmed, dialog] = useConfirmed();
  const remove = useRemove(identitiesQuery.queryKey, (id) => api.delete(`identities/${id}/`));
  const refused = refusedText(params.get('refused'));
  if (!data || data.length === 0) return null;
  const connect = (id: string) =>
    confirmed(() => goTo(id, '/profile', true)).catch((error: unknown) =>
      notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error) }),
    );
  return (
    <SettingsSection
      title="Firm accounts"
      text="A connected account signs you in to the workspace of its firm, and to no other."
    >
      {refused ? (
        <Text c="red" size="sm" role="alert" mb="sm">
          {refused}
        </Text>
      ) : null}
      <ul className={classes.rows} aria-label="Firm accounts">
        {data.map((one) => (
          <li key={one.provider}>
            <IconBuilding size={20} aria-hidden />
            <div className={classes.rowMain}>
              <b>{one.name}</b>
              <Text size="sm" c="dimmed">
                {one.workspace}
                {one.connected_at ? (
                  <>
                    {' · connected '}
                    <RelativeTime at={one.connected_at} />
                  </>
                ) : null}
              </Text>
            </div>
            {one.connected_at ? (
              <Button
                variant="default"
                onClick={() =>
                  void remove(one.provider, {
                    title: `Disconnect ${one.name}?`,
                    text: 'It does not sign you in any more. You can connect it again.',
                    confirm: 'Disconnect',
                  })
                }
              >
                Disconnect
              </Button>
            ) : (
              <Button variant="default" onClick={() => void connect(one.provider)}>
                Connect
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </SettingsSection>
  );
}
