import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  deliveriesQuery,
  type Delivery,
  repeatDelivery,
  type Trigger,
} from '../../../api/http/runs/triggers.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { wordsOf } from '../events/eventWords.ts';
import { useTrigger } from '../useTrigger.ts';
import { toldOf } from '../words.ts';
import classes from '../triggers.module.css';

/** What came in last, how each fared, and once more. */
export function Deliveries({ trigger, canRun }: { trigger: Trigger; canRun: boolean }) {
  const { data } = useQuery(deliveriesQuery(trigger.id));
  const { act, isPending } = useTrigger(trigger);
  const again = (delivery: Delivery) => act(() => repeatDelivery(delivery.id));
  return (
    <div className={classes.deliveries}>
      <h3>What came in</h3>
      {data?.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing yet. What comes in stands here for 30 days, what was refused too.
        </Text>
      ) : null}
      <ol aria-label={`What came in at ${trigger.name}`}>
        {(data ?? []).map((delivery) => (
          <li key={delivery.id} data-state={delivery.state}>
            <span className={classes.when}>
              <RelativeTime at={delivery.at} />
            </span>
            <span className={classes.told}>
              {delivery.event ? `${wordsOf(delivery.event)}. ` : null}
              {toldOf(delivery)}{' '}
              {delivery.run ? (
                <Anchor component={Link} to={`/runs/${delivery.run}`} size="sm" underline="always">
                  Open the run
                </Anchor>
              ) : null}
              {delivery.cause ? (
                <>
                  {delivery.run ? ' · ' : null}
                  <Anchor
                    component={Link}
                    to={`/runs/${delivery.cause}`}
                    size="sm"
                    underline="always"
                  >
                    Where it happened
                  </Anchor>
                </>
              ) : null}
            </span>
            {canRun && delivery.can_repeat ? (
              <Button
                variant="subtle"
                size="compact-xs"
                disabled={isPending}
                onClick={() => again(delivery)}
              >
                Again
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}
