import { ActionIcon, Button, Group, NumberInput, Select, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { api } from '../../../../api/http/client.ts';
import { sessionQuery, useSession } from '../../../../api/http/queries.ts';
import type { Models } from '../../../../api/types/types.ts';
import classes from '../../settings.module.css';
import { SaveProblem, SettingsSection, useSave } from '../../SettingsSection.tsx';
import { type CallLimits, inOrder, limitable, nameOf, without } from './limits.ts';

const MOST = 100_000;

/** How many calls of a provider or a model may be under way at once. */
export function CallLimitSettings({ models, canEdit }: { models: Models; canEdit: boolean }) {
  const { data: session } = useSession();
  const limits: CallLimits = session?.workspace?.settings.calls_at_once ?? {};
  const [name, setName] = useState<string | null>(null);
  const [most, setMost] = useState<number | string>('');
  const save = useSave(sessionQuery.queryKey, (next: CallLimits) =>
    api.patch('workspace/', { settings: { calls_at_once: next } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === null || typeof most !== 'number') return;
    save.mutate(
      { ...limits, [name]: most },
      {
        onSuccess: () => {
          setName(null);
          setMost('');
        },
      },
    );
  };
  const rows = inOrder(limits);
  return (
    <SettingsSection
      title="Calls at once"
      text="How many calls may be under way together; the others wait for their turn, the oldest first, and hold no money meanwhile."
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" mb="sm">
          Nothing is limited.
        </Text>
      ) : (
        <ul className={classes.rows} aria-label="Calls at once">
          {rows.map(([each, number]) => (
            <li key={each}>
              <div className={classes.rowMain}>
                <b>{nameOf(models, each)}</b>
                <Text size="sm">
                  {number.toLocaleString('en')} {number === 1 ? 'call' : 'calls'} at once
                </Text>
              </div>
              {canEdit ? (
                <ActionIcon
                  aria-label={`Let ${each} be called without limit`}
                  onClick={() => save.mutate(without(limits, each))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {canEdit ? (
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end" mb="xl">
            <Select
              label="Provider or model"
              placeholder="Choose one"
              searchable
              w={260}
              data={limitable(models)}
              value={name}
              onChange={setName}
            />
            <NumberInput
              label="Calls at once"
              w={140}
              min={1}
              max={MOST}
              allowDecimal={false}
              value={most}
              onChange={setMost}
            />
            <Button
              type="submit"
              variant="default"
              loading={save.isPending}
              disabled={name === null || typeof most !== 'number'}
            >
              Limit it
            </Button>
          </Group>
          <SaveProblem error={save.error} />
        </form>
      ) : null}
    </SettingsSection>
  );
}
