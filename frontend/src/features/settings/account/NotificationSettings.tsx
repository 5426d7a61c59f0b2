import { Alert, Radio, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import { useSession } from '../../../api/http/queries.ts';
import type { MailWhen, NotificationChoice } from '../../../api/types/types.ts';
import { ErrorState } from '../../../ui/page/EmptyState.tsx';
import { ListSkeleton } from '../../../ui/page/Skeletons.tsx';
import { SettingsSection } from '../SettingsSection.tsx';

const choiceQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => api.get<NotificationChoice>('notifications/'),
});

const choices: { value: MailWhen; label: string; description: string }[] = [
  {
    value: 'at_once',
    label: 'At once',
    description:
      'Within a minute. What opens together comes in one mail; while ever more opens, mails come further apart.',
  },
  {
    value: 'hourly',
    label: 'Once an hour',
    description:
      'At the full hour, if anything waits. At once only what could not be decided in time otherwise.',
  },
  {
    value: 'daily',
    label: 'Once a day',
    description: 'If anything waits. At once only what could not be decided in time otherwise.',
  },
  {
    value: 'never',
    label: 'Never',
    description:
      'No mail about the inbox, whatever waits, nor about triggers of yours that turn calls away. Mail about your account still comes.',
  },
];

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** When the person is told by mail of what waits for them: saved as soon as it is chosen. */
export function NotificationSettings() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(choiceQuery);
  const titles = useSession().data?.workspace?.settings.mail_titles ?? false;
  const save = useMutation({
    mutationFn: (choice: { mail: MailWhen; hour?: number }) =>
      api.patch<NotificationChoice>('notifications/', choice),
    onSuccess: (saved) => {
      client.setQueryData(choiceQuery.queryKey, saved);
      notifications.show({
        color: 'green',
        title: 'Saved',
        message: `Mail about what waits: ${choices.find((each) => each.value === saved.mail)?.label.toLowerCase() ?? ''}.`,
      });
    },
    onError: (failure) =>
      notifications.show({ color: 'red', title: 'It was not saved', message: messageOf(failure) }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton rows={4} />;
  const chosen = save.isPending ? save.variables.mail : data.mail;
  return (
    <SettingsSection
      title="Mail"
      text={
        <>
          When items of the inbox wait for you. It goes to <b>{data.email}</b>.
        </>
      }
    >
      {data.sends_mail ? null : (
        <Alert color="yellow" mb="md" maw={560}>
          This server sends no mail: nobody has set a mail server. Your choice counts from the day
          that somebody does.
        </Alert>
      )}
      <Radio.Group
        aria-label="Mail about what waits"
        value={chosen}
        onChange={(value) => save.mutate({ mail: value as MailWhen })}
      >
        <Stack gap="sm" maw={560}>
          {choices.map((each) => (
            <Radio key={each.value} {...each} />
          ))}
        </Stack>
      </Radio.Group>
      {chosen === 'daily' ? (
        <Select
          mt="sm"
          maw={220}
          label={`At, in ${data.zone}`}
          data={hours}
          value={String(data.hour)}
          allowDeselect={false}
          onChange={(hour) => save.mutate({ mail: 'daily', hour: Number(hour) })}
        />
      ) : null}
      <Text size="sm" mt="md" maw={560}>
        {titles
          ? 'Mails say what is asked and answered, for this workspace allows it.'
          : 'Mails name the step, the workflow and who asks. What is asked and answered stays in the app unless an admin allows it in mails, under Workspace.'}
      </Text>
      <Text size="xs" c="dimmed" mt="md" maw={560}>
        Opening a link in a mail decides nothing. The inbox shows everything that waits, whatever
        you choose here.
      </Text>
    </SettingsSection>
  );
}
