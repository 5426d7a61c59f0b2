import { Alert, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Publication } from './publication.ts';

/** That what waited was approved while one looked, and is live by now. */
export function Approved({ request }: { request: NonNullable<Publication['request']> }) {
  const by = request.decided_by?.name ?? 'Somebody';
  return (
    <Alert
      color="green"
      role="status"
      icon={<IconCircleCheck size={18} />}
      title={`${by} approved it: version ${request.published} is live`}
    >
      <Text size="sm">
        Runs that start from now on use it. What you change after this needs an approval of its own.
      </Text>
    </Alert>
  );
}
