import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../api/http/lists.ts';

const list = new Intl.ListFormat('en', { type: 'disjunction' });

/** Those who may approve, named as in a sentence: `role:reviewer` is any reviewer. */
export function useApproverNames(entries: readonly string[]): string {
  const isPerson = (entry: string) => entry.startsWith('user:');
  const { data: members } = useQuery({ ...membersQuery, enabled: entries.some(isPerson) });
  const nameOf = (entry: string): string => {
    const name = entry.slice(entry.indexOf(':') + 1);
    if (entry.startsWith('role:')) return `any ${name}`;
    if (!isPerson(entry)) return name;
    return members?.find(({ user }) => user.id === name)?.user.name ?? 'somebody';
  };
  return list.format(entries.map(nameOf));
}
