import { ActionIcon, Anchor, Button, Modal, Text } from '@mantine/core';
import { IconApi, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type ApiToken, tokensQuery } from '../../../api/http/workspace/people/access.ts';
import { api } from '../../../api/http/client.ts';
import { EmptyState, ErrorState } from '../../../ui/page/EmptyState.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { TokenForm } from '../../called/tokens/TokenForm.tsx';
import { type Scope, tokenWords } from '../../called/tokens/scopes.ts';
import classes from '../settings.module.css';
import { ServiceAccounts } from './ServiceAccounts.tsx';
import { SettingsSection, useRemove } from '../SettingsSection.tsx';

const BLANK = { name: '', scopes: ['runs:start', 'runs:read'] as Scope[], graphs: [] };

function ownerWords(token: ApiToken, me: string | null): string {
  if (token.service) return `Acts as the account ${token.user.name}`;
  return token.user.id === me ? 'Yours' : `Of ${token.user.name}`;
}

/** Keys for programs: what each may, where, and until when. */
export function TokenSettings({ me, isAdmin }: { me: string | null; isAdmin: boolean }) {
  const { data, error, refetch } = useQuery(tokensQuery);
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState(false);
  const close = () => {
    setOpen(false);
    setMade(false);
  };
  const revoke = useRemove(tokensQuery.queryKey, (id) => api.delete(`tokens/${id}/`));
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      New token
    </Button>
  );
  return (
    <SettingsSection
      title="API tokens"
      text={
        <>
          With a token a program calls this workspace. What there is to call is in the{' '}
          <Anchor component={Link} to="/reference" inherit underline="always">
            API reference
          </Anchor>
          .
        </>
      }
      action={data?.length ? add : null}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <ListSkeleton rows={3} /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={IconApi}
          title="No tokens yet"
          text={
            <>
              A token is a key for a program: a script or a service that starts workflows here,
              reads what came of them, or answers questions. It may only what you tick.{' '}
              <Anchor component={Link} to="/reference" inherit underline="always">
                How a program uses it
              </Anchor>
            </>
          }
          action={add}
        />
      ) : null}
      {data?.length ? (
        <ul className={classes.rows} aria-label="API tokens">
          {data.map((token) => (
            <li key={token.id}>
              <div className={classes.rowMain}>
                <b>{token.name}</b> ·{' '}
                <Text span size="sm">
                  {tokenWords(token)}
                </Text>
                <Text size="sm" c="dimmed">
                  {ownerWords(token, me)} · made <RelativeTime at={token.created_at} /> ·{' '}
                  {token.last_used_at ? (
                    <>
                      used <RelativeTime at={token.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}
                </Text>
              </div>
              <ActionIcon
                aria-label={`Revoke ${token.name}`}
                onClick={() =>
                  void revoke(token.id, {
                    title: `Revoke ${token.name}?`,
                    text: 'Programs that send it are refused at once. It cannot be brought back; make another instead.',
                    confirm: 'Revoke',
                  })
                }
              >
                <IconTrash size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      {isAdmin ? <ServiceAccounts /> : null}
      <Modal
        opened={open}
        onClose={close}
        closeOnClickOutside={!made}
        closeOnEscape={!made}
        title="New token"
      >
        {open ? (
          <TokenForm begin={BLANK} isAdmin={isAdmin} onDone={close} onMade={() => setMade(true)} />
        ) : null}
      </Modal>
    </SettingsSection>
  );
}
