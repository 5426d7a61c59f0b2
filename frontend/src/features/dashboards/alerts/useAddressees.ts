import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../../api/http/lists.ts';
import { roles } from '../../../ui/roles.ts';

export interface Addressees {
  /** Groups of choices for a field: roles, groups, people. */
  choices: { group: string; items: { value: string; label: string }[] }[];
  nameOf: (entry: string) => string;
}

/** Whom an alert can tell: whoever has a role, a group's people, single people. */
export function useAddressees(): Addressees {
  const { data: members } = useQuery(membersQuery);
  const groups = [...new Set((members ?? []).flatMap((member) => member.groups))].toSorted();
  const choices = [
    {
      group: 'Roles',
      items: roles.map(({ value, label }) => ({ value: `role:${value}`, label: `${label}s` })),
    },
    {
      group: 'Groups',
      items: groups.map((name) => ({ value: `group:${name}`, label: name })),
    },
    {
      group: 'People',
      items: (members ?? []).map(({ user }) => ({ value: `user:${user.id}`, label: user.name })),
    },
  ].filter(({ items }) => items.length > 0);
  const known = new Map(
    choices.flatMap(({ items }) => items).map(({ value, label }) => [value, label]),
  );
  return { choices, nameOf: (entry) => known.get(entry) ?? 'somebody who left' };
}
