import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  factorsQuery,
  type Passkey,
  renamePasskey,
} from '../../../../api/http/workspace/people/factors.ts';
import { SaveProblem, useSave } from '../../SettingsSection.tsx';

/** Gives a passkey another name. */
export function RenamePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const [name, setName] = useState(passkey.name);
  const save = useSave(factorsQuery.queryKey, () => renamePasskey(passkey.id, name.trim()), onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SaveProblem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
