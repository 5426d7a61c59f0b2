import type { Interrupt, Quorum, Said } from '../../api/types/types.ts';
import { personName } from './names.ts';

const SHOWN = 3;

/** Names as a list in a sentence: "Ann", "Ann and Bob", "Ann, Bob, Cat and 2 more". */
export function namesOf(
  people: readonly { name: string }[],
  count: number = people.length,
): string {
  const shown = people.slice(0, SHOWN).map((person) => person.name);
  const more = count - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2
    ? (shown[0] ?? '')
    : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Who else can decide, as a sentence; null where there is nobody to name. Who is away still can. */
export function othersText({
  eligible,
  eligible_count: count,
  can_decide: can,
  away,
}: Pick<Interrupt, 'eligible' | 'eligible_count' | 'can_decide' | 'away'>): string | null {
  if (count === 0) return null;
  if (!can) return `${namesOf(eligible, count)} can decide.`;
  const gone = new Set(away.map(({ absent }) => absent.id));
  const here = eligible.filter(({ id }) => !gone.has(id));
  const absent = eligible.filter(({ id }) => gone.has(id));
  const left = count - absent.length;
  return [
    left > 0 ? `${namesOf(here, left)} can decide too` : '',
    absent.length > 0 ? `${namesOf(absent)} can still decide` : '',
  ]
    .filter((part) => part !== '')
    .join('; ')
    .concat('.');
}

/** Why the reader is asked; that nobody else can decide today belongs into the same sentence. */
export function whyMeText(
  { eligible_count: count, quorum }: Pick<Interrupt, 'eligible_count' | 'quorum'>,
  why: string,
): string {
  if (count > 0 || quorum === null) return why;
  return `${why.replace(/\.$/, '')}; today you are the only one who can.`;
}

/** How far an approval is: "1 of 2 approved"; null where one decision is enough. */
export function progressOf(quorum: Quorum | null): string | null {
  if (quorum === null || quorum.rule === 'any') return null;
  return `${quorum.needed - quorum.remaining} of ${quorum.needed} approved`;
}

/** The same where other words need the room: "1 of 2". */
export const briefProgressOf = (quorum: Quorum | null): string | null =>
  progressOf(quorum)?.replace(/ approved$/, '') ?? null;

/** Who said no to an item that is open all the same: enough others could still approve it. */
export const rejectionsOf = ({ status, quorum }: Pick<Interrupt, 'status' | 'quorum'>): Said[] =>
  status === 'open' ? (quorum?.approvals.filter((said) => said.decision === 'rejected') ?? []) : [];

/** That somebody said no, in a few words; empty where nobody did. */
export function refusedText(item: Pick<Interrupt, 'status' | 'quorum' | 'my_decision'>): string {
  const [first, ...more] = rejectionsOf(item);
  if (first === undefined) return '';
  if (item.my_decision === 'rejected' && more.length === 0) return 'you rejected';
  return more.length > 0 ? `${more.length + 1} rejected` : `${personName(first.by)} rejected`;
}

/** What the rule asks for, in words. */
export function ruleText({ rule, needed }: Quorum): string {
  if (rule === 'all')
    return needed === 1
      ? 'The one person asked must approve'
      : `All ${needed} people asked must approve`;
  if (rule === 'per_group') return 'Someone of each group must approve';
  if (rule === 'at_least' && needed > 1) return `${needed} people must approve`;
  return 'One approval is enough';
}

export interface SnoozeChoice {
  label: string;
  until: Date;
}

const HOUR = 3_600_000;

function morning(now: Date, days: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(9, 0, 0, 0);
  return at;
}

/** When an item may come back; nothing that is not before its deadline. */
export function snoozeChoices(now: Date, deadline: string | null): SnoozeChoice[] {
  const monday = 7 - ((now.getDay() + 6) % 7);
  const all = [
    { label: 'In an hour', until: new Date(now.getTime() + HOUR) },
    { label: 'In four hours', until: new Date(now.getTime() + 4 * HOUR) },
    { label: 'Tomorrow at nine', until: morning(now, 1) },
    { label: 'Monday at nine', until: morning(now, monday) },
  ];
  const end = deadline === null ? Infinity : Date.parse(deadline);
  return all.filter((choice) => choice.until.getTime() < end);
}
