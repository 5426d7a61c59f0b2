/** The entries of a policy: `user:x`, `group:y`, `role:z` and `=expression`, and whom they name here. */

import type { Member, Role } from '../../api/types/types.ts';

export interface Entry {
  entry: string;
  /** Who that is, in words. */
  label: string;
  hint: string;
}

/** Said of a group without members. */
export const NOBODY = 'nobody is in it today';

/** Roles that may decide; a policy chooses among them, it gives nobody the right. */
const deciding: readonly [Role, string][] = [
  ['reviewer', 'all with the role Reviewer'],
  ['operator', 'all with the role Operator'],
  ['admin', 'all with the role Admin'],
];

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);
const counted = (count: number) => (count === 0 ? NOBODY : people(count));

/** How many each group has, by its name; of those that are there, with nobody in them, none. */
function groupCounts(members: readonly Member[], groups: readonly string[]): Map<string, number> {
  const found = new Map(groups.map((group) => [group, 0]));
  for (const member of members)
    for (const group of member.groups) found.set(group, (found.get(group) ?? 0) + 1);
  return found;
}

/** Everyone whom a policy of this workspace can name: groups, then people, then roles. */
export function entriesOf(members: readonly Member[], groups: readonly string[] = []): Entry[] {
  return [
    ...[...groupCounts(members, groups)]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => ({
        entry: `group:${name}`,
        label: name,
        hint: `group, ${counted(count)}`,
      })),
    ...members.map(({ user }) => ({
      entry: `user:${user.email || user.id}`,
      label: user.name || user.email,
      hint: user.email,
    })),
    ...deciding.map(([role, label]) => ({
      entry: `role:${role}`,
      label,
      hint: people(members.filter((member) => member.role === role).length),
    })),
  ];
}

/** Whether a person is meant, by id or e-mail address. */
const isPerson = ({ user }: Member, name: string): boolean =>
  user.id === name || (name !== '' && user.email.toLowerCase() === name.toLowerCase());

/** Whether an entry names a group that is there and has nobody in it. */
export const isEmptyGroup = (
  entry: string,
  members: readonly Member[],
  groups: readonly string[],
): boolean => groups.some((group) => entry === `group:${group}`) && !isKnown(entry, members);

/** Whether an entry names somebody here; nobody knows that of an expression. */
export function isKnown(entry: string, members: readonly Member[]): boolean {
  const [kind = '', name = ''] = split(entry);
  if (entry.startsWith('=')) return true;
  if (kind === 'user') return members.some((member) => isPerson(member, name));
  if (kind === 'group') return members.some((member) => member.groups.includes(name));
  return kind === 'role' && members.some((member) => member.role === name);
}

/** An entry in a few words: a group by its name, people by theirs, a role by those who have it. */
export function entryWords(entry: string, members: readonly Member[]): string {
  if (entry.startsWith('=')) return entry;
  const [kind = '', name = ''] = split(entry);
  if (kind === 'role') return `${name}s`;
  const person = kind === 'user' ? members.find((member) => isPerson(member, name)) : undefined;
  return person ? person.user.name || person.user.email : name;
}

const split = (entry: string): [string, string] => {
  const colon = entry.indexOf(':');
  return colon < 0 ? ['', entry] : [entry.slice(0, colon), entry.slice(colon + 1)];
};

/** What somebody typed: an entry, or why it is none. A well-formed one that names nobody here is told and can be kept. */
export type Typed = { entry: string } | Refusal;

export interface Refusal {
  wrong: string;
  /** The entry that can be kept all the same. */
  keep?: string;
}

const MOST = 8;

/** Read what was typed: an entry as it is, or the one that has this name. */
export function readEntry(text: string, known: readonly Entry[]): Typed {
  const word = text.trim();
  if (word.startsWith('=') && word.slice(1).trim() !== '') return { entry: word };
  const low = word.toLowerCase();
  const exact = known.find(({ entry }) => entry.toLowerCase() === low);
  const called = known.filter(({ label }) => label.toLowerCase() === low);
  const found = exact ?? known.find(({ hint }) => hint.toLowerCase() === low) ?? called[0];
  if (called.length > 1 && !exact)
    return { wrong: `More than one is called “${word}”: choose in the list.` };
  if (found) return { entry: found.entry };
  const [kind, name] = split(word);
  if (['user', 'group', 'role'].includes(kind) && name.trim() !== '')
    return {
      wrong: `Nobody here is ${kind === 'user' ? '' : `in the ${kind} `}“${name}”.`,
      keep: word,
    };
  const groups = known.filter(({ entry }) => entry.startsWith('group:')).map(({ label }) => label);
  const named =
    groups.length > 0 ? `Groups: ${groups.slice(0, MOST).join(', ')}.` : 'There are no groups yet.';
  return { wrong: `No group and nobody here is called “${word.slice(0, 60)}”. ${named}` };
}

/** Read several names with commas between: what they name, and from the first on that names nobody what is left. */
export function readEntries(
  text: string,
  known: readonly Entry[],
): { fresh: string[]; left: string; refusal: Refusal | null } {
  const whole = readEntry(text, known);
  if (text.trim() === '') return { fresh: [], left: '', refusal: null };
  if ('entry' in whole) return { fresh: [whole.entry], left: '', refusal: null };
  const fresh: string[] = [];
  const names = text.split(/[,;]/);
  for (const [place, name] of names.entries()) {
    if (name.trim() === '') continue;
    const typed = readEntry(name, known);
    if (!('entry' in typed))
      return { fresh, left: names.slice(place).join(',').trim(), refusal: typed };
    fresh.push(typed.entry);
  }
  return { fresh, left: '', refusal: null };
}
