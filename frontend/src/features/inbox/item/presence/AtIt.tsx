import { IconArrowForwardUp, IconEye, IconHandStop, IconPencil, IconX } from '@tabler/icons-react';
import { useSession } from '../../../../api/http/queries.ts';
import type { Interrupt } from '../../../../api/types/types.ts';
import { RelativeTime } from '../../../../ui/format/RelativeTime.tsx';
import { useHasDraft } from '../../rhythm/drafts.ts';
import { actorName, personName } from '../../names.ts';
import { rejectionsOf } from '../../people.ts';
import { Line } from '../ApprovalStatus.tsx';
import classes from '../item.module.css';
import { useLookers } from './useLookers.ts';
import { decidingText, lookingText, othersThere } from './words.ts';

/** Who is at an open item: who said no, claimed it, was given it, decides or looks just now. */
export function AtIt({ item }: { item: Interrupt }) {
  return item.status === 'open' ? <Open item={item} /> : null;
}

function Open({ item }: { item: Interrupt }) {
  const me = useSession().data?.user?.id;
  const there = othersThere(useLookers(item.request_id, useHasDraft(item)), me);
  const sending = new Set(item.deciding.map(({ name }) => name));
  const deciding = decidingText([
    ...item.deciding,
    ...there.answering.filter(({ name }) => !sending.has(name)),
  ]);
  const looking = lookingText(there.looking.filter(({ name }) => !sending.has(name)));
  const { claim, delegation } = item;
  return (
    <ul className={`${classes.lines} ${classes.atIt}`} aria-label="Who is at it" aria-live="polite">
      {rejectionsOf(item).map((said) => (
        <Line key={personName(said.by)} icon={IconX} tone="red">
          <b>{actorName(said)}</b> rejected this <RelativeTime at={said.at} />
          {said.comment ? <q>{said.comment}</q> : null}
        </Line>
      ))}
      {claim ? (
        <Line icon={IconHandStop} tone="amber">
          <b>{claim.by.id === me ? 'You' : claim.by.name}</b> claimed this{' '}
          <RelativeTime at={claim.at} />
        </Line>
      ) : null}
      {delegation ? (
        <Line icon={IconArrowForwardUp}>
          <b>{delegation.by.name}</b> asked <b>{delegation.to.name}</b> to decide{' '}
          <RelativeTime at={delegation.at} />
          {delegation.note ? <q>{delegation.note}</q> : null}
        </Line>
      ) : null}
      {deciding ? (
        <Line icon={IconPencil} tone="amber">
          {deciding}
        </Line>
      ) : null}
      {looking ? <Line icon={IconEye}>{looking}</Line> : null}
    </ul>
  );
}
