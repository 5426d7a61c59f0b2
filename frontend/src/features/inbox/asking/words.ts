/** Questions back in words: whom an item waits for, and what came of it. */

import type { StandIn } from '../../../api/http/workspace/people/standIns.ts';
import type { Interrupt, QuestionBack } from '../../../api/types/types.ts';
import type { Question } from '../../../ui/confirm.tsx';
import { shortDay } from '../../../ui/format/days.ts';
import { formatDuration } from '../../../ui/format/format.ts';
import { personName } from '../names.ts';

const MINUTE = 60_000;

const clock = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** A moment as people say it: "10:12", of another day "21 Nov, 10:12". */
export function momentOf(at: Date, now: Date): string {
  const time = clock.format(at);
  return at.toDateString() === now.toDateString() ? time : `${day.format(at)}, ${time}`;
}

/** The question that waits for a reply, null without one. */
export function waitingOf({ status, asked_back: asked }: Interrupt): QuestionBack | null {
  return status === 'open' ? (asked.find((one) => one.outcome === '') ?? null) : null;
}

/** "Waits for Otto since 10:12, clock stopped at 3 h 20 min". */
export function waitText(one: QuestionBack, now: Date): string {
  const since = `Waits for ${personName(one.to)} since ${momentOf(new Date(one.asked_at), now)}`;
  if (one.left_ms === null) return since;
  const left = formatDuration(Math.floor(one.left_ms / MINUTE) * MINUTE);
  return `${since}, clock stopped at ${left}`;
}

/** That who is asked is away, and that nobody answers for them; empty where they are there. */
export function awayText(
  asked: { id: string; name: string } | undefined,
  absences: readonly StandIn[] | undefined,
): string {
  const away = absences?.find(({ absent, now }) => now && absent.id === asked?.id);
  if (asked === undefined || away === undefined) return '';
  return `${asked.name} is away until ${shortDay(away.last_day)}: nobody answers in their place.`;
}

/** "Ada and Otto are told of it too"; empty for nobody. */
export function alsoTold(named: readonly { name: string }[]): string {
  if (named.length === 0) return '';
  const all = new Intl.ListFormat('en').format(named.map(({ name }) => name));
  return `${all} ${named.length === 1 ? 'is' : 'are'} told of it too.`;
}

/** What a list says of an item that is, or was, asked back; null where nothing is. */
export function markOf(item: Interrupt): string | null {
  const waits = waitingOf(item);
  if (waits) return waits.asks_me ? 'asks you' : `waits for ${personName(waits.to)}`;
  const last = item.asked_back.at(-1);
  if (last?.outcome === 'answered') return `${personName(last.to)} answered`;
  return last?.outcome === 'lapsed' ? `${personName(last.to)} did not answer` : null;
}

/** Whether an item is back in somebody's turn: it asks the reader, or a question about it has ended. */
export const isBack = (item: Interrupt): boolean =>
  waitingOf(item)?.asks_me === true ||
  (item.status === 'open' &&
    item.asked_back.some((one) => /^(answered|lapsed)$/.test(one.outcome)));

/** What came of a question, above its reply. */
export function endText(one: QuestionBack): string {
  if (one.outcome === 'answered') return `${personName(one.to)} answered`;
  if (one.outcome === 'withdrawn')
    return `${personName(one.ended_by, 'Someone')} took the question back`;
  return `${personName(one.to)} did not answer in time; the clock goes on`;
}

/** What one is asked before one takes back what somebody else has asked. */
export function takingBack(one: QuestionBack): Question {
  const asker = personName(one.by);
  return {
    title: `Take back ${asker}’s question?`,
    text: `${asker} asked it and waits for ${personName(one.to)}. Nobody has to answer it then, and the clock goes on. The item says that you took it back.`,
    confirm: 'Take it back',
    cancel: 'Leave it',
  };
}
