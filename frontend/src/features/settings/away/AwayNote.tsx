import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import { awayText } from './words.ts';

/** What everyone sees beside somebody who is away, or will be. */
export function AwayNote({ user }: { user: string }) {
  const { data: all = [] } = useQuery(standInsQuery);
  const next = all.find(({ absent }) => absent.id === user);
  if (next === undefined) return null;
  return (
    <Text size="sm" c={next.now ? 'var(--gw-amber)' : 'dimmed'}>
      {awayText(next)}
      {next.note ? `: ${next.note}` : ''}
    </Text>
  );
}
