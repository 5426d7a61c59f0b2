import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { membersQuery } from '../../../../api/http/lists.ts';
import { type Entry, entriesOf, entryWords, isKnown } from '../../../../graph/policy/entries.ts';

export interface People {
  /** Everyone who can be named here. */
  entries: readonly Entry[];
  name: (entry: string) => string;
  /** Whether an entry names somebody here; true while nobody knows. */
  knows: (entry: string) => boolean;
}

/** The people, groups and roles of the workspace, as a policy names them. */
export function usePeople(): People {
  const { data } = useQuery(membersQuery);
  return useMemo(
    () => ({
      entries: entriesOf(data ?? []),
      name: (entry) => entryWords(entry, data ?? []),
      knows: (entry) => data === undefined || isKnown(entry, data),
    }),
    [data],
  );
}
