import { SegmentedControl, Text } from '@mantine/core';
import { IconBeach } from '@tabler/icons-react';
import { useSession } from '../../../../api/http/queries.ts';
import { shortDay } from '../../../../ui/format/days.ts';
import type { DecisionControl } from '../useDecision.ts';
import classes from '../../inbox.module.css';
import { placeOf } from './place.ts';

/** In whose place one decides, where that is not one's own; a choice where there are several. */
export function PlaceChoice({ control: { item, draft, change } }: { control: DecisionControl }) {
  const me = useSession().data?.user?.id;
  const { places, away } = item;
  const only = placeOf(item, me);
  const until = (id: string) => away.find(({ absent }) => absent.id === id)?.until;
  if (places.length === 1 && only !== null)
    return <OnePlace name={only.name} until={until(only.id)} />;
  if (places.length < 2 || item.my_decision !== null) return null;
  const chosen = draft.place || (places[0]?.id ?? '');
  const day = until(chosen);
  return (
    <div className={classes.place}>
      <Text size="sm" component="span">
        You decide
      </Text>
      <SegmentedControl
        size="xs"
        aria-label="You decide"
        data={places.map(({ id, name }) => ({
          value: id,
          label: id === me ? 'for yourself' : `for ${name}`,
        }))}
        value={chosen}
        onChange={(place) => change({ place })}
      />
      {day ? (
        <Text size="xs" c="dimmed" component="span">
          away until {shortDay(day)}
        </Text>
      ) : null}
    </div>
  );
}

function OnePlace({ name, until }: { name: string; until: string | undefined }) {
  return (
    <Text size="sm" className={classes.place}>
      <IconBeach size={16} stroke={1.9} aria-hidden />
      <span>
        You decide <b>for {name}</b>
        {until ? `, away until ${shortDay(until)}` : ''}
      </span>
    </Text>
  );
}
