import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconHourglass, IconMessageReply } from '@tabler/icons-react';
import { messageOf } from '../../../api/http/client.ts';
import { standInsQuery } from '../../../api/http/workspace/people/standIns.ts';
import { useSession } from '../../../api/http/queries.ts';
import type { Interrupt, QuestionBack } from '../../../api/types/types.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { NamingText } from '../../comments/naming/Pieces.tsx';
import { confirm } from '../../../ui/confirm.tsx';
import { personName } from '../names.ts';
import classes from './asking.module.css';
import { ReplyField } from './ReplyField.tsx';
import { useAsking } from './useAsking.ts';
import { awayText, endText, takingBack, waitText, waitingOf } from './words.ts';

/** What was asked back about an item, what was answered, and the field for one's own answer. */
export function AskedBack({ item }: { item: Interrupt }) {
  if (item.asked_back.length === 0) return null;
  const waits = waitingOf(item);
  return (
    <section
      className={classes.asked}
      aria-label="Asked back"
      data-waits={waits !== null || undefined}
    >
      {item.asked_back.map((one) => (
        <Entry key={one.asked_at} one={one} />
      ))}
      {waits ? <Waits item={item} waits={waits} /> : null}
    </section>
  );
}

function Entry({ one }: { one: QuestionBack }) {
  return (
    <div className={classes.entry}>
      <header>
        <b>{personName(one.by)}</b> asks <b>{personName(one.to)}</b>
        <RelativeTime at={one.asked_at} />
      </header>
      <q>
        <NamingText text={one.question} />
      </q>
      {one.outcome === '' ? null : (
        <div className={classes.reply}>
          <header>
            <IconMessageReply size={15} aria-hidden />
            <b>{endText(one)}</b>
            {one.ended_at ? <RelativeTime at={one.ended_at} /> : null}
          </header>
          {one.reply ? (
            <q>
              <NamingText text={one.reply} />
            </q>
          ) : null}
        </div>
      )}
    </div>
  );
}

function Waits({ item, waits }: { item: Interrupt; waits: QuestionBack }) {
  const asking = useAsking(item);
  const me = useSession().data?.user?.id;
  const asker = personName(waits.by);
  const { data: absences } = useQuery({ ...standInsQuery, enabled: !waits.asks_me });
  const away = awayText(
    typeof waits.to === 'object' ? (waits.to ?? undefined) : undefined,
    absences,
  );
  if (waits.asks_me) return <ReplyField item={item} by={asker} />;
  const isMine = typeof waits.by === 'object' && waits.by.id === me;
  const takeBack = async () => {
    if (isMine || (await confirm(takingBack(waits)))) asking.mutate({ verb: 'take-back' });
  };
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" className={classes.waits} role="status">
        <IconHourglass size={15} aria-hidden />
        <span>
          {waitText(waits, new Date())}
          {away ? `. ${away}` : ''}
        </span>
      </Text>
      {item.can_decide ? (
        <Button
          size="xs"
          variant="default"
          loading={asking.isPending}
          onClick={() => void takeBack()}
        >
          {isMine ? 'Take the question back' : `Take ${asker}’s question back`}
        </Button>
      ) : null}
      {asking.error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(asking.error)}
        </Text>
      ) : null}
    </Group>
  );
}
