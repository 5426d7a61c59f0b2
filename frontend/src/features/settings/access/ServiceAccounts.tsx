import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconRobot, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type ServiceAccount,
  serviceAccountsQuery,
} from '../../../api/http/workspace/people/access.ts';
import { api } from '../../../api/http/client.ts';
import { tokensQuery } from '../../../api/http/workspace/people/access.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { roleLabel } from '../../../ui/roles.ts';
import { tokenWords } from '../../called/tokens/scopes.ts';
import classes from '../settings.module.css';
import { SettingsSection, useRemove } from '../SettingsSection.tsx';

function openedBy({ tokens, triggers }: ServiceAccount): string {
  if (triggers > 0)
    return `${triggers} ${triggers === 1 ? 'trigger starts' : 'triggers start'} runs as it`;
  if (tokens.length === 0) return 'No token opens it any more';
  return tokens.map((token) => `${token.name}: ${tokenWords(token)}`).join(' · ');
}

/** Accounts of no person: as what programs and triggers act, whether or not a token still opens them. */
export function ServiceAccounts() {
  const { data, error, refetch } = useQuery(serviceAccountsQuery);
  const end = useRemove(tokensQuery.queryKey, (id) => api.delete(`service-accounts/${id}/`));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data?.length) return null;
  return (
    <SettingsSection
      title="Accounts of programs"
      text="As these, programs and triggers act in place of a person. Nobody signs in as them."
    >
      <ul className={classes.rows} aria-label="Accounts of programs">
        {data.map((account) => (
          <li key={account.id}>
            <IconRobot size={20} aria-hidden />
            <div className={classes.rowMain}>
              <b>{account.name}</b> ·{' '}
              <Text span size="sm">
                {roleLabel(account.role)}
              </Text>
              <Text size="sm">{openedBy(account)}</Text>
              <Text size="sm" c="dimmed">
                Made <RelativeTime at={account.made_at} />
                {account.made_by ? ` by ${account.made_by.name}` : ''} ·{' '}
                {account.last_used_at ? (
                  <>
                    used <RelativeTime at={account.last_used_at} />
                  </>
                ) : (
                  'no token of it was used yet'
                )}
              </Text>
            </div>
            {account.triggers > 0 ? null : (
              <Tooltip label="End">
                <ActionIcon
                  aria-label={`End ${account.name}`}
                  onClick={() =>
                    void end(account.id, {
                      title: `End ${account.name}?`,
                      text: 'Its tokens are refused at once. Runs that it started go on and keep its name.',
                      confirm: 'End',
                    })
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}
