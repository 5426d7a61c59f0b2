import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './security.module.css';

/** The codes that let one in when the app or passkey is lost. */
export function RecoveryCodes({
  codes,
  onRenew,
  onDone,
}: {
  codes: string[];
  onRenew: () => void;
  onDone: () => void;
}) {
  return (
    <Stack gap="sm">
      <Text size="sm">
        Keep these where you find them without this device. Each lets you in once, in place of the
        code or passkey.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between" gap="xs" className={classes.ends}>
        <Button variant="subtle" onClick={onRenew}>
          Make new ones
        </Button>
        <Group gap="xs">
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onDone} data-autofocus>
            I have kept them
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
