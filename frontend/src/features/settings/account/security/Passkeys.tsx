import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  addPasskey,
  passkeyMessage,
  type Passkey,
} from '../../../../api/http/workspace/people/factors.ts';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import classes from '../../settings.module.css';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

/** One passkey in the list. */
export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li>
      <IconFingerprint size={20} aria-hidden />
      <div className={classes.rowMain}>
        <b>{passkey.name}</b>
        <Text size="sm" c="dimmed">
          Passkey · added <RelativeTime at={at(passkey.created_at)} />
          {passkey.last_used_at ? (
            <>
              {' · used '}
              <RelativeTime at={at(passkey.last_used_at)} />
            </>
          ) : (
            ' · not used yet'
          )}
        </Text>
      </div>
      <ActionIcon aria-label={`Rename the passkey ${passkey.name}`} onClick={onRename}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon aria-label={`Remove the passkey ${passkey.name}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}

/** Names a passkey; then the browser asks for a finger, a face or a PIN. */
export function NewPasskey({
  onDone,
  onCancel,
}: {
  onDone: () => Promise<void>;
  onCancel: () => void;
}) {
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: async () => {
      await addPasskey(name.trim());
      await onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="Where it lives, so that you know it again. Your browser asks for a finger, a face or a PIN next."
          placeholder="Laptop"
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {make.error ? (
          <Text c="red" size="sm" role="alert">
            {passkeyMessage(make.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make the passkey
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
