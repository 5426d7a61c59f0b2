import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { GroupUse } from '../../../../api/http/workspace/people/access.ts';
import { wordsOf } from './uses.ts';

/** What names a group, each with the way to it; at most `most` of them. */
export function UseList({ uses, most = 50 }: { uses: readonly GroupUse[]; most?: number }) {
  if (uses.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing asks it yet
      </Text>
    );
  const more = uses.length - most;
  return (
    <Text size="sm" c="dimmed">
      {uses.slice(0, most).map((use, at) => {
        const { before, name, to } = wordsOf(use);
        return (
          <span key={`${use.kind}/${use.id}/${use.name}`}>
            {at > 0 ? ' · ' : ''}
            {before}{' '}
            <Anchor component={Link} to={to} inherit underline="always">
              {name}
            </Anchor>
          </span>
        );
      })}
      {more > 0 ? ` and ${more} more` : ''}
    </Text>
  );
}
