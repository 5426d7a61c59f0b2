/** What people are called whom the log knows by their ids. */

import type { Member, Person, RunDetail } from '../../api/types/types.ts';

/** The name of somebody by the id that the log has. */
export type PersonOf = (id: string) => string;

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Whether a text may be the id of somebody. */
export const isId = (text: string): boolean => UUID.test(text);

/** People by their ids. */
export type Names = Readonly<Record<string, string>>;

/** Name members, and whom else the run names; the id of somebody else is shortened. */
export function namesOf(members: readonly Member[], known: Names = {}): PersonOf {
  const names = new Map(Object.entries(known));
  for (const { user } of members) names.set(user.id, user.name);
  return (id) => names.get(id) ?? (isId(id) ? id.slice(0, 8) : id);
}

/** Who decided, and in whose place: `Rita, for Raul`. */
export const deciderOf = (by: string, absent: string | undefined, personOf: PersonOf): string =>
  absent === undefined ? personOf(by) : `${personOf(by)}, for ${personOf(absent)}`;

/**
 * Whom the server names beside a run: the members that are known may be those of another workspace, as
 * a link leads into any, and who decided may have left.
 */
export function namedIn({
  started_by: starter,
  rejected_by: rejecter,
  interrupts,
}: Pick<RunDetail, 'started_by' | 'rejected_by' | 'interrupts'>): Names {
  const deciders = interrupts.flatMap(({ decided }) => [decided?.by, decided?.stands_for]);
  const people = [starter, rejecter, ...deciders].filter(
    (one): one is Person => typeof one === 'object' && one !== null,
  );
  return Object.fromEntries(people.map(({ id, name }) => [id, name]));
}
