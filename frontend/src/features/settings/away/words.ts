import type { StandIn } from '../../../api/http/workspace/people/standIns.ts';
import { shortDay } from '../../../ui/format/days.ts';

/** When somebody is away: `until 30 Nov`, or `from 3 to 9 Dec` while that is ahead. */
export function whenText({ now, first_day: first, last_day: last }: StandIn): string {
  if (now) return `until ${shortDay(last)}`;
  if (first === last) return `on ${shortDay(first)}`;
  const from = shortDay(first);
  const to = shortDay(last);
  const [day = '', month = ''] = from.split(' ');
  return to.endsWith(` ${month}`) && from.split(' ').length === 2
    ? `from ${day} to ${to}`
    : `from ${from} to ${to}`;
}

/** Who is away and who decides meanwhile, as others read it. */
export const awayText = (one: StandIn): string =>
  `Away ${whenText(one)}; ${one.to.name} decides meanwhile`;

/** What the server says of a field, with a capital and a full stop. */
export const asSentence = (text: string): string => {
  const told = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(told) ? told : `${told}.`;
};

/** What is asked before an absence ends early. */
export const backQuestion = ({ absent, to }: StandIn, own: boolean) => ({
  title: own ? 'Are you back?' : `Is ${absent.name} back?`,
  text: `${to.name} then decides only in their own name. What was decided stays.`,
  confirm: 'End it now',
});
