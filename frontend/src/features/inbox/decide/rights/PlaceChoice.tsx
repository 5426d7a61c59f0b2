import { SegmentedControl, Text } from '@mantine/core';
import { useSession } from '../../../../api/http/queries.ts';
import { shortDay } from '../../../../ui/format/days.ts';
import type { DecisionControl } from '../useDecision.ts';
import classes from '../../inbox.module.css';

/** In whose place one decides, where one may in several: it counts once, whichever one takes. */
export function PlaceChoice({ control: { item, draft, change } }: { control: DecisionControl }) {
  const me = useSession().data?.user?.id;
  const { places, away } = item;
  if (places.length < 2 || item.my_decision !== null) return null;
  const until = (id: string) => away.find(({ absent }) => absent.id === id)?.until;
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
