import { Pill } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { HeadProps } from '../InboxHead.tsx';
import { conditionsOf, conditionWords, whereOf } from './conditions.ts';
import { offeredFieldsQuery } from './query.ts';

/** Which values the list is narrowed to, each to be taken away. */
export function FieldPills({ filter, change }: HeadProps) {
  const conditions = conditionsOf(filter.where);
  const { data: fields } = useQuery({ ...offeredFieldsQuery, enabled: conditions.length > 0 });
  if (conditions.length === 0) return null;
  return (
    <Pill.Group gap={4}>
      {conditions.map((one) => {
        const words = conditionWords(
          one,
          fields?.find((each) => each.name === one.name),
        );
        const left = conditions.filter((each) => each !== one);
        return (
          <Pill
            key={`${one.name}:${one.how}:${one.value}`}
            withRemoveButton
            size="md"
            onRemove={() => change({ where: whereOf(left) })}
            removeButtonProps={{ 'aria-label': `Take away: ${words}`, 'aria-hidden': false }}
          >
            {words}
          </Pill>
        );
      })}
    </Pill.Group>
  );
}
