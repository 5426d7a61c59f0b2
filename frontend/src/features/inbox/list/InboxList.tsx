import { Checkbox } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconBeach,
  IconBell,
  IconHandStop,
  IconHistoryOff,
  IconMessageReply,
  IconMoon,
  IconRefreshAlert,
  IconX,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { interruptQuery } from '../../../api/http/lists.ts';
import type { Interrupt } from '../../../api/types/types.ts';
import { Money } from '../../../ui/format/Money.tsx';
import { RelativeTime } from '../../../ui/format/RelativeTime.tsx';
import { useSession } from '../../../api/http/queries.ts';
import { givenText, placeOf } from '../decide/rights/place.ts';
import { markOf, waitingOf } from '../asking/words.ts';
import { Countdown } from '../item/deadline/Countdown.tsx';
import classes from '../inbox.module.css';
import { closedText, kindLook, runTitleOf, titleOf } from '../names.ts';
import { briefProgressOf, progressOf, refusedText } from '../people.ts';
import { amountBeside } from '../sums/amount.ts';
import { useHasDraft } from '../rhythm/drafts.ts';
import standing from '../item/item.module.css';

/** From which risk on an item is marked. */
const HIGH_RISK = 70;

/** Which items are picked to be decided together, and which may be. */
export interface Picks {
  picked: ReadonlySet<string>;
  offered: ReadonlySet<string>;
  /** `isRange`: all from the one before to this one. */
  toggle: (id: string, isRange: boolean) => void;
}

interface InboxListProps {
  items: readonly Interrupt[];
  selected: string | null;
  hrefOf: (item: Interrupt) => string;
  picks: Picks;
  /** Ids of what has left the list and is still on screen. */
  gone: ReadonlySet<string>;
  /** Whether the server could not be asked again: what is shown may be old. */
  isOld?: boolean;
}

/** The items of the inbox, one an entry; the selected one is the current one of the list. */
export function InboxList({ items, selected, hrefOf, picks, gone, isOld }: InboxListProps) {
  return (
    <ul className={classes.list} aria-label="Items" data-old={isOld || undefined}>
      {items.map((item) => (
        <Entry
          key={item.request_id}
          item={item}
          current={item.request_id === selected}
          isGone={gone.has(item.request_id)}
          href={hrefOf(item)}
          picks={picks}
        />
      ))}
    </ul>
  );
}

function Entry({
  item,
  current,
  isGone,
  href,
  picks,
}: {
  item: Interrupt;
  current: boolean;
  isGone: boolean;
  href: string;
  picks: Picks;
}) {
  const { icon: Glyph, label, tone } = kindLook(item);
  const amount = amountBeside(item, titleOf(item));
  const about = runTitleOf(item);
  return (
    <li className={standing.item}>
      {picks.offered.has(item.request_id) ? (
        <Checkbox
          size="24px"
          className={standing.pick}
          aria-label={`Pick: ${titleOf(item)}`}
          checked={picks.picked.has(item.request_id)}
          onMouseDown={(event) => {
            if (event.shiftKey) event.preventDefault(); // else the text between is marked
          }}
          onChange={({ nativeEvent }) =>
            picks.toggle(item.request_id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      ) : null}
      <Link
        to={href}
        className={classes.entry}
        aria-current={current || undefined}
        data-item={item.request_id}
        onClick={(event) => {
          if (!event.shiftKey || !picks.offered.has(item.request_id)) return;
          event.preventDefault(); // a browser would open another window
          picks.toggle(item.request_id, true);
        }}
      >
        <span className={classes.entryIcon} data-tone={tone}>
          <Glyph size={16} stroke={1.9} role="img" aria-label={label} />
        </span>
        <span className={classes.entryBody}>
          <span className={classes.entryTop}>
            <span className={standing.from}>
              <span className="gw-truncate">{item.run.graph.name}</span>
              {about ? (
                <span className={standing.about} title={about}>
                  {about}
                </span>
              ) : null}
            </span>
            <RelativeTime
              at={item.status === 'open' ? item.opened_at : (item.decided?.at ?? item.opened_at)}
            />
          </span>
          <bdi className={classes.entryTitle}>{titleOf(item)}</bdi>
          <span className={classes.entryFoot}>
            {item.status !== 'open' ? (
              <span className={standing.marks}>
                {amount ? <Amount text={amount} /> : null}
                <span className={standing.step}>{closedText(item)}</span>
              </span>
            ) : isGone ? (
              <Gone item={item} />
            ) : (
              <Marks item={item} />
            )}
            {isGone ? null : item.status === 'open' && item.expires_at ? (
              <Countdown until={item.expires_at} />
            ) : Number(item.spend_usd) > 0 ? (
              <Money usd={item.spend_usd} />
            ) : null}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** Why an item is not in this list any more, where its own page, which is open, knows: it was asked back. */
function Gone({ item }: { item: Interrupt }) {
  const { data = item } = useQuery({ ...interruptQuery(item.request_id), enabled: false });
  return <span>{(waitingOf(data) && markOf(data)) ?? 'not in this list any more'}</span>;
}

/** The sum of an item, whole. */
function Amount({ text }: { text: string }) {
  return (
    <span className={standing.mark} data-mark="amount">
      {text}
    </span>
  );
}

/** A danger of an item, as a sign that says what it is. */
function Danger({ icon: Glyph, label }: { icon: Icon; label: string }) {
  return (
    <span className={standing.mark} data-mark="risk" title={label}>
      <Glyph size={14} role="img" aria-label={label} />
    </span>
  );
}

interface SaidProps {
  text: string;
  /** What it says in full, where the text is short. */
  full?: string | null;
  mark?: string;
  icon?: Icon;
}

/** A mark in words, which gives way where others need the room. */
function Said({ text, full, mark, icon: Glyph }: SaidProps) {
  return (
    <span className={standing.mark} data-mark={mark} data-shrinks title={full ?? text}>
      {Glyph ? <Glyph size={12} aria-hidden /> : null}
      <span className="gw-truncate">{text}</span>
    </span>
  );
}

/** Where an open item stands, in a few words: whose turn it is first; the step where nothing else is said. */
function Marks({ item }: { item: Interrupt }) {
  const hasDraft = useHasDraft(item);
  const asked = markOf(item);
  const me = useSession().data?.user?.id;
  const place = placeOf(item, me);
  const given = givenText(item, me);
  const amount = amountBeside(item, titleOf(item));
  const refused = refusedText(item);
  const isFull = [place, given, item.claim, asked, refused, amount].some(Boolean);
  const progress = isFull ? briefProgressOf(item.quorum) : progressOf(item.quorum);
  const waits =
    item.my_decision === 'approved' ? 'you approved' : item.asked_again ? null : progress;
  const said = [
    hasDraft,
    place,
    given,
    item.claim,
    item.asked_again,
    asked,
    waits,
    amount,
    refused,
  ];
  return (
    <span className={standing.marks}>
      {item.run.is_test ? (
        <span className={standing.mark} data-mark="test">
          Test
        </span>
      ) : null}
      {hasDraft ? (
        <span className={standing.mark} data-mark="draft">
          draft
        </span>
      ) : null}
      {place ? <Said mark="place" icon={IconBeach} text={`for ${place.name}`} /> : null}
      {given ? <Said mark="given" icon={IconArrowForwardUp} text={given} /> : null}
      {refused ? <Said mark="risk" icon={IconX} text={refused} /> : null}
      {item.claim ? <Said mark="amber" icon={IconHandStop} text={item.claim.by.name} /> : null}
      {item.asked_again ? <Said mark="amber" icon={IconRefreshAlert} text="asked again" /> : null}
      {asked ? <Said mark="amber" icon={IconMessageReply} text={asked} /> : null}
      {waits ? (
        <Said text={waits} full={waits === progress ? progressOf(item.quorum) : waits} />
      ) : null}
      {amount ? <Amount text={amount} /> : null}
      {item.risk !== null && item.risk >= HIGH_RISK ? (
        <Danger icon={IconAlertTriangle} label="high risk" />
      ) : null}
      {item.stays_done ? <Danger icon={IconHistoryOff} label="can’t be taken back" /> : null}
      {item.snoozed_until ? (
        <span className={standing.mark}>
          <IconMoon size={12} role="img" aria-label="snoozed" />
        </span>
      ) : null}
      {item.reminded_at || item.escalated ? (
        <span className={standing.mark} data-mark="amber">
          <IconBell size={12} role="img" aria-label="reminded" />
        </span>
      ) : null}
      {said.some(Boolean) ? null : <span className={standing.step}>{item.node_label}</span>}
    </span>
  );
}
