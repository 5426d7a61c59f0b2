import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconBeach,
  IconBell,
  IconCheck,
  IconMoon,
  IconPencil,
  IconUserCheck,
  IconUsers,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Interrupt, Said } from '../../../api/types/types.ts';
import { shortDay } from '../../../ui/format/days.ts';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { personName } from '../names.ts';
import { namesOf, othersText, progressOf, ruleText, whyMeText } from '../people.ts';
import classes from './item.module.css';

interface LineProps {
  icon: Icon;
  tone?: 'green' | 'red' | 'amber';
  children: ReactNode;
}

/** One line about an item, with its sign. */
export function Line({ icon: Glyph, tone, children }: LineProps) {
  return (
    <li data-mark={tone}>
      <Glyph size={15} stroke={1.9} aria-hidden />
      <span>{children}</span>
    </li>
  );
}

/** Who approved an open item so far, in sight before what they approved; nothing where nobody did. */
export function ApprovedSoFar({ item }: { item: Interrupt }) {
  const approvals = approvedSoFar(item);
  if (approvals.length === 0) return null;
  return (
    <section className={classes.soFar} aria-label="Approved so far">
      <Progress item={item} />
      <Decisions all={approvals} />
    </section>
  );
}

/** What people said yes to while it is open; who said no stands with those who are at it. */
const approvedSoFar = ({ status, quorum }: Interrupt): readonly Said[] =>
  status === 'open' && quorum && progressOf(quorum) !== null
    ? quorum.approvals.filter(({ decision }) => decision === 'approved')
    : [];

/** Where an item stands with people: who said what, who is missing, who else can, why oneself. */
export function ApprovalStatus({ item, whyMe }: { item: Interrupt; whyMe: string | null }) {
  const lines = item.status === 'open' ? openLines(item) : [];
  const me = whyMe === null ? null : whyMeText(item, whyMe);
  const isAbove = approvedSoFar(item).length > 0;
  const quorum = progressOf(item.quorum) === null || isAbove ? null : item.quorum;
  if (quorum === null && lines.length === 0 && me === null) return null;
  return (
    <section className={classes.standing} aria-label="Who decides">
      {quorum ? <Progress item={item} /> : null}
      {quorum ? <Decisions all={quorum.approvals} /> : null}
      <ul className={classes.lines}>
        {lines}
        {me ? <Line icon={IconUserCheck}>{me}</Line> : null}
      </ul>
    </section>
  );
}

function Decisions({ all }: { all: readonly Said[] }) {
  return (
    <ul className={classes.lines}>
      {all.map((said) => (
        <Decision key={personName(said.by)} said={said} />
      ))}
    </ul>
  );
}

function Progress({ item: { quorum, status } }: { item: Interrupt }) {
  if (quorum === null) return null;
  const done = quorum.needed - quorum.remaining;
  const missing =
    status === 'open' && quorum.missing.length > 0
      ? `Still needed: ${quorum.missing.join(', ')}`
      : null;
  return (
    <div className={classes.progress}>
      <span className={classes.dots} aria-hidden>
        {Array.from({ length: Math.min(quorum.needed, 12) }, (_, index) => (
          <i key={index} data-filled={index < done || undefined} />
        ))}
      </span>
      <b className="gw-num">{progressOf(quorum)}</b>
      <span className={classes.rule}>{missing ?? ruleText(quorum)}</span>
    </div>
  );
}

function Decision({ said }: { said: Said }) {
  const approved = said.decision === 'approved';
  return (
    <Line icon={approved ? IconCheck : IconX} tone={approved ? 'green' : 'red'}>
      <b>{personName(said.by)}</b>
      {said.stands_for ? `, for ${personName(said.stands_for)},` : ''} {said.decision}{' '}
      <RelativeTime at={said.at} />
      {said.comment ? <q>{said.comment}</q> : null}
    </Line>
  );
}

function openLines(item: Interrupt): ReactNode[] {
  const {
    edited_by: editor,
    escalated,
    reminded_at: reminded,
    next_reminder_at: next,
    snoozed_until: snoozed,
    quorum,
  } = item;
  const others = othersText(item);
  return [
    quorum?.reachable === false ? (
      <Line key="stuck" icon={IconAlertTriangle} tone="amber">
        Too few people can approve this. Unless someone is added to its groups, it ends at its
        deadline.
      </Line>
    ) : null,
    editor ? (
      <Line key="edited" icon={IconPencil}>
        <b>{personName(editor)}</b> edited what is shown. Approvals from before do not count for it.
      </Line>
    ) : null,
    ...item.away.map(({ absent, to, until, why_not: reason }) => (
      <Line key={`away ${absent.id}`} icon={IconBeach} tone="amber">
        <b>{absent.name}</b> is away until {shortDay(until)};{' '}
        {reason === null ? (
          <>
            <b>{to.name}</b> decides meanwhile
          </>
        ) : (
          <>
            <b>{to.name}</b> stands in, but may not decide this: {reason}
          </>
        )}
      </Line>
    )),
    escalated ? (
      <Line key="escalated" icon={IconArrowForwardUp} tone="amber">
        Passed on to {namesOf(escalated.map((name) => ({ name }))) || 'nobody'}, because it was not
        decided in time.
      </Line>
    ) : null,
    reminded ? (
      <Line key="reminded" icon={IconBell} tone="amber">
        People were reminded <RelativeTime at={reminded} />
      </Line>
    ) : null,
    next && !reminded ? (
      <Line key="next" icon={IconBell}>
        People are reminded <RelativeTime at={next} />
      </Line>
    ) : null,
    snoozed ? (
      <Line key="snoozed" icon={IconMoon}>
        You snoozed this; it comes back <RelativeTime at={snoozed} />
      </Line>
    ) : null,
    others && quorum ? (
      <Line key="others" icon={IconUsers}>
        {others}
      </Line>
    ) : null,
  ].filter((line) => line !== null);
}
