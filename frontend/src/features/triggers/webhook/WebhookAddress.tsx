import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { newSecret, type Trigger } from '../../../api/http/runs/triggers.ts';
import { confirm } from '../../../ui/confirm.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { CopyField } from './CopyField.tsx';
import { useTrigger } from '../useTrigger.ts';
import { signatureOf } from '../words.ts';

interface WebhookAddressProps {
  trigger: Trigger;
  canEdit: boolean;
  made: string | null;
}

/** Where a webhook is called, and the secret that calls are signed with: shown once. */
export function WebhookAddress({ trigger, canEdit, made }: WebhookAddressProps) {
  const { act, isPending } = useTrigger(trigger);
  const [fresh, setFresh] = useState<string | null>(null);
  const [given, setGiven] = useState('');
  const look = signatureOf(trigger);
  const secret = fresh ?? made;
  const renew = async () => {
    const text =
      'The secret of now holds for a day longer. Change it at the sender within that day.';
    if (!(await confirm({ title: 'Take a new secret?', text, confirm: 'New secret' }))) return;
    act(async () => {
      setFresh((await newSecret(trigger.id, look?.given ? given : undefined)).secret);
      setGiven('');
    });
  };
  return (
    <>
      <CopyField
        label="Address"
        value={trigger.address ?? ''}
        description="The sender calls it with POST."
      />
      {secret ? (
        <CopyField
          label="Secret"
          value={secret}
          description={`Copy it now: it is not shown again. ${look?.text ?? ''}`}
        />
      ) : null}
      {canEdit ? (
        <Group gap="xs" align="end">
          {look?.given ? (
            <PasswordInput
              label="Another secret"
              flex={1}
              value={given}
              onChange={(event) => setGiven(event.currentTarget.value)}
            />
          ) : null}
          <Button
            variant="default"
            size="xs"
            loading={isPending}
            disabled={look?.given && !given}
            onClick={() => void renew()}
          >
            New secret
          </Button>
          {trigger.former_secret_until ? (
            <Text size="xs" c="dimmed">
              The former one holds until <RelativeTime at={trigger.former_secret_until} />
            </Text>
          ) : null}
        </Group>
      ) : null}
    </>
  );
}
