import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Proposal } from '../../api/http/workspace/describe.ts';
import { useNow } from '../../ui/format/useNow.ts';

/** A draft that is being written: how long it has been, and the way out. */
export function Writing({
  proposal,
  stopping,
  onStop,
}: {
  proposal: Proposal;
  stopping: boolean;
  onStop: () => void;
}) {
  const now = useNow(true);
  const seconds = Math.max(0, Math.floor((now - Date.parse(proposal.created_at)) / 1000));
  return (
    <Stack gap="sm" data-draft="writing">
      <Group gap="sm" wrap="nowrap">
        <Loader size="sm" />
        <Text role="status">The model is writing.</Text>
        <Text c="dimmed" size="sm" className="gw-num">
          {seconds} s
        </Text>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={4} style={{ whiteSpace: 'pre-wrap' }}>
        {proposal.words}
      </Text>
      <Text size="sm" c="dimmed">
        You may close this: it goes on, and waits here for you.{' '}
        <Anchor component={Link} to={`/runs/${proposal.run}`} size="sm">
          See what it writes
        </Anchor>
      </Text>
      <Group justify="flex-end">
        <Button variant="default" loading={stopping} onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  );
}
