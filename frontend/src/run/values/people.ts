/** What people are called whom the log knows by their ids. */

import type { Member } from '../../api/types/types.ts';

/** The name of somebody by the id that the log has. */
export type PersonOf = (id: string) => string;

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Whether a text may be the id of somebody. */
export const isId = (text: string): boolean => UUID.test(text);

/** Name members; the id of somebody else, who left perhaps, is shortened. */
export function namesOf(members: readonly Member[]): PersonOf {
  const names = new Map(members.map(({ user }) => [user.id, user.name]));
  return (id) => names.get(id) ?? (isId(id) ? id.slice(0, 8) : id);
}

/** Who decided, and in whose place: `Rita, for Raul`. */
export const deciderOf = (by: string, absent: string | undefined, personOf: PersonOf): string =>
  absent === undefined ? personOf(by) : `${personOf(by)}, for ${personOf(absent)}`;
