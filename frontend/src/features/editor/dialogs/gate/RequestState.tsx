import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { IconHourglass, IconInfoCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { api, messageOf } from '../../../../api/http/client.ts';
import { useEditor } from '../../../../store/editor.ts';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import { type Publication, usePublicationChange } from './publication.ts';

type Request = NonNullable<Publication['request']>;

const ENDED: Record<string, string> = {
  rejected: 'It was rejected',
  expired: 'Nobody decided in time',
  overtaken: 'Another version came first',
  refused: 'It could not be published',
};

/** What became of the last request for approval; one that waits can be withdrawn. */
export function RequestState({ graphId, request }: { graphId: string; request: Request }) {
  const revision = useEditor((state) => state.revision);
  const back = usePublicationChange(graphId, () =>
    api.delete<Publication>(`graphs/${graphId}/publication/`),
  );
  if (request.state === 'open') {
    const what = request.version === null ? 'This draft' : `Version ${request.version}`;
    const hasMoved = request.version === null && revision !== request.revision;
    return (
      <Alert color="yellow" icon={<IconHourglass size={18} />} title={`${what} waits for approval`}>
        <Text size="sm">
          {request.asked_by.name} asked <RelativeTime at={request.asked_at} />. Once it is approved,
          exactly that is published.
          {hasMoved ? ' The draft has changed since: those changes are not part of it.' : ''}
        </Text>
        <Group gap="sm" mt="xs">
          <Button
            size="xs"
            variant="default"
            loading={back.isPending}
            onClick={() => back.mutate(undefined)}
          >
            Withdraw
          </Button>
          <Anchor component={Link} to={`/runs/${request.run}`} size="sm">
            Show what was asked
          </Anchor>
        </Group>
        {back.error ? (
          <Text size="sm" c="red" role="alert">
            {messageOf(back.error)}
          </Text>
        ) : null}
      </Alert>
    );
  }
  const title = ENDED[request.state];
  if (title === undefined) return null;
  const by =
    request.state === 'rejected' && request.decided_by ? ` by ${request.decided_by.name}` : '';
  return (
    <Alert color="gray" icon={<IconInfoCircle size={18} />} title={`${title}${by}`}>
      <Text size="sm">{request.detail || 'No reason was given.'}</Text>
    </Alert>
  );
}
