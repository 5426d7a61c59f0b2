import { Text } from '@mantine/core';
import { useSession } from '../../../api/http/queries.ts';
import type { Named } from '../../comments/naming/mentions.ts';
import { alsoTold } from './words.ts';

/** Whom the words name and will be told of them, beside who learns of them anyway, and the person at the page. */
export function AlsoTold({ named, but }: { named: readonly Named[]; but?: string | null }) {
  const me = useSession().data?.user?.id;
  const said = alsoTold(named.filter(({ id }) => id !== but && id !== me));
  return said ? (
    <Text size="sm" c="dimmed" role="status">
      {said}
    </Text>
  ) : null;
}
