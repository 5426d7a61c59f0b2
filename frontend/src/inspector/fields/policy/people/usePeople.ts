import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membersQuery } from '../../../../api/http/lists.ts';
import { groupsQuery } from '../../../../api/http/workspace/people/access.ts';
import {
  type Entry,
  entriesOf,
  entryWords,
  isEmptyGroup,
  isKnown,
  NOBODY,
} from '../../../../graph/policy/entries.ts';

export interface People {
  /** Everyone who can be named here. */
  entries: readonly Entry[];
  name: (entry: string) => string;
  /** What is odd about an entry: nobody is called so, or is in the group; empty while nobody knows. */
  oddity: (entry: string) => string;
}

/** The people, groups and roles of the workspace, as a policy names them. */
export function usePeople(): People {
  const { data } = useQuery(membersQuery);
  const { data: named } = useQuery(groupsQuery);
  return useMemo(() => {
    const groups = (named ?? []).map((group) => group.name);
    return {
      entries: entriesOf(data ?? [], groups),
      name: (entry) => entryWords(entry, data ?? []),
      oddity: (entry) => {
        if (data === undefined || isKnown(entry, data)) return '';
        return isEmptyGroup(entry, data, groups) ? NOBODY : 'nobody here';
      },
    };
  }, [data, named]);
}
