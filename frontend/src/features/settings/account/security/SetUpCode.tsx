import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../../api/http/client.ts';
import { type Offer, switchCodeOn } from '../../../../api/http/workspace/people/factors.ts';
import classes from './security.module.css';

/** The secret as a picture and in letters, and the code that proves that an app has it. */
export function SetUpCode({
  offer,
  onDone,
  onCancel,
}: {
  offer: Offer;
  onDone: () => Promise<void>;
  onCancel: () => void;
}) {
  const [code, setCode] = useState('');
  const make = useMutation({
    mutationFn: async () => {
      await switchCodeOn(code);
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
        <Text size="sm">
          Scan this with your authenticator app. If the app is on this device, copy the letters into
          it.
        </Text>
        <img
          className={classes.picture}
          alt="The secret as a picture for your app"
          src={`data:image/svg+xml;base64,${btoa(offer.totp_svg)}`}
        />
        <code className={classes.secret}>{offer.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <Group gap="xs">
          <CopyButton value={offer.secret}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy the letters'}
              </Button>
            )}
          </CopyButton>
          <Button component="a" href={offer.totp_url} variant="default" className={classes.here}>
            Open in the app
          </Button>
        </Group>
        <TextInput
          label="Code that the app shows now"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          required
          withAsterisk={false}
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {make.error ? (
          <Text c="red" size="sm" role="alert">
            {messageOf(make.error)}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            Switch on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
