import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyOnceProps {
  label: string;
  value: string;
  text: string;
  onDone: () => void;
}

/** Something that is shown now and never again, ready to be copied. */
export function CopyOnce({ label, value, text, onDone }: CopyOnceProps) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      <TextInput
        label={label}
        value={value}
        readOnly
        data-autofocus
        classNames={{ input: 'gw-mono' }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
