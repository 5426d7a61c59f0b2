import { Text } from '@mantine/core';
import type { Named } from '../../comments/naming/mentions.ts';
import { alsoTold } from './words.ts';

/** Whom the words name and will be told of them, beside who learns of them anyway. */
export function AlsoTold({ named, but }: { named: readonly Named[]; but?: string | null }) {
  const said = alsoTold(named.filter(({ id }) => id !== but));
  return said ? (
    <Text size="sm" c="dimmed" role="status">
      {said}
    </Text>
  ) : null;
}
