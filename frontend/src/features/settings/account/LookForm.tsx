import { SegmentedControl, Select, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import { api } from '../../../api/http/client.ts';
import { sessionQuery } from '../../../api/http/queries.ts';
import type { Session } from '../../../api/types/types.ts';
import { SaveProblem, SettingsSection, useSave } from '../SettingsSection.tsx';

type Me = NonNullable<Session['user']>;

const THEMES = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** In which time zone one is told of times, and how pages look: saved as soon as it is chosen. */
export function LookForm({ me, workspaceZone }: { me: Me; workspaceZone: string }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const save = useSave(sessionQuery.queryKey, (part: Partial<Pick<Me, 'zone' | 'theme'>>) =>
    api.patch('profile/', part),
  );
  const zones = useMemo(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return [...new Set(['UTC', me.zone, here, ...Intl.supportedValuesOf('timeZone')])].filter(
      (zone) => zone !== '',
    );
  }, [me.zone]);
  return (
    <SettingsSection title="Time and look" text="Kept with you, in each browser that you use.">
      <Stack gap="sm" maw={380}>
        <Select
          label="Time zone"
          description="Of times in mails to you, of mail once a day, and of new channels and schedules of yours."
          placeholder={`As the workspace (${workspaceZone})`}
          data={zones}
          value={me.zone || null}
          onChange={(zone) => save.mutate({ zone: zone ?? '' })}
          searchable
          clearable
        />
        <div>
          <Text size="sm" fw={500} mb={4} aria-hidden>
            Look
          </Text>
          <SegmentedControl
            aria-label="Look"
            data={[...THEMES]}
            value={me.theme ?? colorScheme}
            onChange={(theme) => {
              setColorScheme(theme);
              save.mutate({ theme });
            }}
          />
        </div>
        <SaveProblem error={save.error} />
      </Stack>
    </SettingsSection>
  );
}
