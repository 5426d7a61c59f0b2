import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, messageOf } from '../../api/http/client.ts';
import type { WorkspaceRef } from '../../api/types/types.ts';
import { enterWorkspace } from './enterWorkspace.ts';

interface NewWorkspaceProps {
  opened: boolean;
  onClose: () => void;
}

/** Makes a workspace of one's own, beside those that are there. */
export default function NewWorkspace({ opened, onClose }: NewWorkspaceProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New workspace">
      {opened ? <Form onClose={onClose} /> : null}
    </Modal>
  );
}

function Form({ onClose }: Omit<NewWorkspaceProps, 'opened'>) {
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => api.post<WorkspaceRef>('workspaces/', { name: name.trim() }),
    onSuccess: (made) => enterWorkspace(made.id, made.role),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          It has people, workflows, budgets and keys of its own. You are its admin and can invite
          others.
        </Text>
        <TextInput
          label="Name"
          placeholder="The name of the team"
          required
          withAsterisk={false}
          maxLength={120}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {make.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(make.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
