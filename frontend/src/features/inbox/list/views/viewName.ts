/** What saved views are called. */

const LONGEST = 60;

/** A name as it is kept: with one blank between its words. */
export const plainName = (name: string): string => name.trim().split(/\s+/u).join(' ');

/** Whether two names are one, in letters of any case. */
export const isSameName = (one: string, other: string): boolean =>
  plainName(one).toLowerCase() === plainName(other).toLowerCase();

/** What is wrong with a name; null where nothing is. `taken`: names that no other view may have. */
export function nameProblem(name: string, taken: readonly string[] = []): string | null {
  if (!/[^\s\p{C}]/u.test(name)) return 'Write a name for the view.';
  const { length } = Array.from(plainName(name));
  if (length > LONGEST) return `This has ${length} characters: ${LONGEST} is the most.`;
  const known = taken.find((other) => isSameName(other, name));
  return known === undefined ? null : `You have a view ${known} already: choose another name.`;
}
