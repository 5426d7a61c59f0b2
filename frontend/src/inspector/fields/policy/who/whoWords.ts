import type { WhoOut } from '../../../../api/types/schema.gen.ts';
import { type OwnWork, ownWork } from '../../../../graph/policy/policy.ts';
import { type Naming, ownWords } from '../../../../graph/policy/words.ts';

import { shortDay } from '../../../../ui/format/days.ts';

const SHOWN = 5;

/** The first few names of many. */
function listed(people: readonly { name: string }[], total: number): string {
  const names = people.slice(0, SHOWN).map(({ name }) => name);
  const rest = total - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

const isOwn = (rule: string | null): rule is OwnWork => ownWork.some((each) => each === rule);

/** Whom an entry asks: `in the group finance`, `among the reviewers`, a person. */
const asked = (name: Naming) => (entry: string) => {
  if (entry.startsWith('group:')) return `in the group ${name(entry)}`;
  return entry.startsWith('role:') ? `among the ${name(entry)}` : name(entry);
};

/** Who could decide today, in words; `short` where they are too few. */
export function whoWords(
  who: WhoOut,
  name: Naming,
): { today: string; lines: string[]; short: boolean } {
  const lines: string[] = [];
  if (who.met === false && who.can_total > 0) lines.push('These are not enough to approve it.');
  for (const { absent, to, until } of who.away.slice(0, SHOWN))
    lines.push(`${absent.name} is away until ${shortDay(until)}: ${to.name} decides meanwhile`);
  if (who.later_total > 0) lines.push(`Later ${listed(who.later, who.later_total)} too`);
  for (const { name: called, why, rule } of who.cannot.slice(0, SHOWN))
    lines.push(isOwn(rule) ? `Not ${called}, ${ownWords(rule)}` : `Not ${called}: ${why}`);
  const more = who.cannot_total - Math.min(who.cannot.length, SHOWN);
  if (more > 0) lines.push(`Nor ${more} more who are named`);
  if (who.strangers.length > 0)
    lines.push(`Nobody here is ${who.strangers.slice(0, SHOWN).map(asked(name)).join(' or ')}`);
  if (who.computed.length > 0) lines.push('Whom an expression names is known only in a run');
  if (who.looked_at < who.members)
    lines.push(`Of the first ${who.looked_at} of ${who.members} members`);
  const nobody = who.computed.length > 0 ? 'nobody that is known before a run' : 'nobody';
  return {
    today: who.can_total > 0 ? listed(who.can, who.can_total) : nobody,
    lines,
    short: who.met === false,
  };
}
