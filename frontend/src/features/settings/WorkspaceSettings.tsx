import {
  Button,
  Group,
  NumberInput,
  Radio,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { api, messageOf } from '../../api/http/client.ts';
import { graphsQuery, sessionQuery } from '../../api/http/queries.ts';
import type { Session, WorkspaceSettings as Settings } from '../../api/types/types.ts';
import { KeepRuns, mayKeep } from '../workflows/list/keeping/KeepRuns.tsx';
import type { Keeping } from '../workflows/list/keeping/retention.ts';
import { SettingsSection, useSave } from './SettingsSection.tsx';

const prices: {
  value: NonNullable<Settings['unknown_price']>;
  label: string;
  description: string;
}[] = [
  {
    value: 'refuse',
    label: 'Refuse the call',
    description: 'Nothing is bought at a price that nobody knows.',
  },
  {
    value: 'flat',
    label: 'Hold a flat sum',
    description: 'The call is made; a fixed sum is held and counted.',
  },
  {
    value: 'allow',
    label: 'Allow it',
    description: 'The call is made and counted as at least zero: budgets in USD then say “≥”.',
  },
];

const keepingOf = (settings: Settings): Keeping => ({
  days: settings.keep_runs_days ?? null,
  then: settings.old_runs ?? 'delete',
});

/** What holds for the whole workspace. */
export function WorkspaceSettings({
  workspace,
  canEdit,
}: {
  workspace: NonNullable<Session['workspace']>;
  canEdit: boolean;
}) {
  const [name, setName] = useState(workspace.name);
  const [settings, setSettings] = useState<Settings>(workspace.settings);
  const { data: graphs } = useQuery(graphsQuery());
  const zones = useMemo(() => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  const save = useSave(
    sessionQuery.queryKey,
    () => {
      const {
        unknown_price,
        timezone,
        default_graph,
        egress_allow,
        keep_runs_days,
        old_runs,
        mail_titles,
        runs_at_once,
      } = settings;
      return api.patch('workspace/', {
        name,
        settings: {
          unknown_price,
          timezone,
          default_graph,
          egress_allow,
          keep_runs_days,
          old_runs,
          mail_titles,
          runs_at_once,
        },
      });
    },
    () =>
      notifications.show({ color: 'green', title: 'Saved', message: 'The workspace was changed.' }),
  );
  const set = (part: Partial<Settings>) => setSettings({ ...settings, ...part });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await mayKeep(keepingOf(workspace.settings), keepingOf(settings))) save.mutate(undefined);
  };
  return (
    <SettingsSection title="Workspace" text="What holds for every workflow and everyone here.">
      <form onSubmit={(event) => void submit(event)}>
        <fieldset disabled={!canEdit} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <Stack gap="md" maw={520}>
            <TextInput
              label="Name"
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label="Default workflow"
              description="Answers chats that name no workflow"
              clearable
              searchable
              placeholder="None"
              data={(graphs ?? []).map((graph) => ({ value: graph.slug, label: graph.name }))}
              value={settings.default_graph ?? null}
              onChange={(default_graph) => set({ default_graph })}
            />
            <Select
              label="Time zone"
              description="Where days and months of a budget begin"
              searchable
              allowDeselect={false}
              data={zones}
              value={settings.timezone ?? 'UTC'}
              onChange={(timezone) => set({ timezone: timezone ?? 'UTC' })}
            />
            <Radio.Group
              label="A model without a known price"
              value={settings.unknown_price ?? 'refuse'}
              onChange={(value) =>
                set({
                  unknown_price: prices.find((each) => each.value === value)?.value ?? 'refuse',
                })
              }
            >
              <Stack gap="xs" mt="xs">
                {prices.map((each) => (
                  <Radio key={each.value} {...each} />
                ))}
              </Stack>
            </Radio.Group>
            <TagsInput
              label="Private addresses that may be called"
              description="Scheme, host and port, such as http://10.0.0.5:8080. Everything private is refused otherwise. For one thing alone, begin with it: model=, tool=, notice=, identity= or node= (requests of steps)."
              value={settings.egress_allow ?? []}
              onChange={(egress_allow) => set({ egress_allow })}
            />
            <KeepRuns
              keeping={keepingOf(settings)}
              onChange={({ days, then }) => set({ keep_runs_days: days, old_runs: then })}
            />
            <NumberInput
              label="Runs at once"
              description="How many may be under way; the others wait for their turn, the oldest first. A run that waits for people or a time leaves its place to others. Empty sets no limit."
              placeholder="No limit"
              min={1}
              max={100_000}
              allowDecimal={false}
              value={settings.runs_at_once ?? ''}
              onChange={(value) => set({ runs_at_once: typeof value === 'number' ? value : null })}
            />
            <Switch
              label="Mails may say what is asked"
              description="The question then stands in subject and text, with what it shows of the run, and answers to questions back. Otherwise a mail names the step, the workflow and people only."
              checked={settings.mail_titles ?? false}
              onChange={(event) => set({ mail_titles: event.currentTarget.checked })}
            />
            {save.error ? (
              <Text c="red" size="sm" role="alert">
                {messageOf(save.error)}
              </Text>
            ) : null}
            {canEdit ? (
              <Group>
                <Button type="submit" loading={save.isPending}>
                  Save
                </Button>
              </Group>
            ) : (
              <Text size="sm" c="dimmed">
                Only an admin may change this.
              </Text>
            )}
          </Stack>
        </fieldset>
      </form>
    </SettingsSection>
  );
}
