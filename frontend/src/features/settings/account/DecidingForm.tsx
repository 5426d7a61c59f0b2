import { SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, messageOf } from '../../../api/http/client.ts';
import { decidingQuery } from '../../../api/http/lists.ts';
import { SettingsSection, useSave } from '../SettingsSection.tsx';

const CHOICES = [
  { value: '0', label: 'At once' },
  { value: '5', label: '5 s' },
  { value: '8', label: '8 s' },
  { value: '15', label: '15 s' },
  { value: '30', label: '30 s' },
];

/** For how long one's own decisions can be taken back: saved as soon as it is chosen. */
export function DecidingForm() {
  const { data } = useQuery(decidingQuery);
  const save = useSave(decidingQuery.queryKey, (seconds: number) =>
    api.patch('deciding/', { seconds }),
  );
  const chosen = save.isPending ? save.variables : (data?.seconds ?? 8);
  return (
    <SettingsSection
      title="Deciding"
      text="How long an approval or rejection of yours waits before it is sent. Until then you can take it back, also after the page was closed."
    >
      <SegmentedControl
        aria-label="Decisions are sent"
        data={CHOICES}
        value={String(chosen)}
        onChange={(seconds) => save.mutate(Number(seconds))}
      />
      {save.error ? (
        <Text c="red" size="sm" role="alert">
          {messageOf(save.error)}
        </Text>
      ) : null}
    </SettingsSection>
  );
}
