/** Who else is at an item just now, in words. */

import type { PresencePerson } from '../../../../api/live/realtime.ts';
import { namesOf } from '../../people.ts';

/** What somebody who has an item open tells the others: that they write an answer. */
export const AT_WORK = 'answering';

/** Who else is there, each once: those who write an answer, and those who look. */
export function othersThere(
  people: readonly PresencePerson[],
  me: string | undefined,
): { answering: { name: string }[]; looking: { name: string }[] } {
  const names = new Map<string, { name: string; works: boolean }>();
  for (const { user, selection } of people) {
    if (user.id === me) continue;
    const works = selection.includes(AT_WORK) || (names.get(user.id)?.works ?? false);
    names.set(user.id, { name: user.name, works });
  }
  const all = [...names.values()];
  return {
    answering: all.filter((one) => one.works),
    looking: all.filter((one) => !one.works),
  };
}

const are = (people: readonly unknown[]) => (people.length === 1 ? 'is' : 'are');

/** `Rita Reviewer is deciding this just now`; null with nobody. */
export const decidingText = (people: readonly { name: string }[]): string | null =>
  people.length === 0 ? null : `${namesOf(people)} ${are(people)} deciding this just now`;

/** `Rita Reviewer has this open too`; null with nobody. */
export const lookingText = (people: readonly { name: string }[]): string | null =>
  people.length === 0
    ? null
    : `${namesOf(people)} ${people.length === 1 ? 'has' : 'have'} this open too`;
