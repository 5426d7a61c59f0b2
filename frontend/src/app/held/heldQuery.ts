import { queryOptions } from '@tanstack/react-query';
import type { Interrupt } from '../../api/types/types.ts';
import { calledOf } from '../../features/inbox/names.ts';
import { heldItems } from '../../features/inbox/rhythm/courier/courier.ts';
import { short } from '../../features/inbox/rhythm/words.ts';
import {
  type HeldGo,
  heldIds,
  tellHeld,
  useHeldGoes,
  withTold,
} from '../../store/inbox/heldGoes.ts';

const FRESH_MS = 2_000;

/** What the server holds of an item, as it is told. */
function goOf(item: Interrupt): HeldGo[] {
  const { request_id: id, held } = item;
  if (held?.state !== 'held') return [];
  const verb = held.decision === 'approved' ? 'Approved' : 'Rejected';
  const text = `${verb} ${short(calledOf(item))}`;
  return [{ ids: [id], text, until: Date.parse(held.commit_at) }];
}

/** Asks what is held when a page is loaded, and when somebody comes back to it from another tab. */
export const heldQuery = queryOptions({
  queryKey: ['interrupts', 'held'],
  queryFn: async () => {
    const asked = heldIds(useHeldGoes.getState().goes);
    const told = [...(await heldItems()).values()].flatMap(goOf);
    tellHeld(withTold(useHeldGoes.getState().goes, told, asked));
    return told.length;
  },
  staleTime: FRESH_MS,
  refetchOnWindowFocus: 'always',
});
