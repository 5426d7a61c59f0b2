import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { membersQuery } from '../../api/http/lists.ts';
import type { RunEvent } from '../../run/fold/events.ts';
import { namesOf, type PersonOf } from '../../run/values/people.ts';
import type { RunStore } from '../../run/replay/store.ts';

const isSomebodys = (event: RunEvent) => 'by' in event && typeof event.by === 'string';

/** What the people of a run's log are called; they are asked for once somebody did something. */
export function usePersonOf(store: RunStore): PersonOf {
  const enabled = useStore(store, (state) => state.events.some(isSomebodys));
  const { data } = useQuery({ ...membersQuery, enabled });
  const known = useStore(store, (state) => state.people);
  return useMemo(() => namesOf(data ?? [], known), [data, known]);
}
