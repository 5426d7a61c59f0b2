import type { Interrupt, Person } from '../../../../api/types/types.ts';

/** The absent person in whose place one decides without choosing; null where that is one's own. */
export function placeOf(
  { places, my_decision: said }: Pick<Interrupt, 'places' | 'my_decision'>,
  me: string | undefined,
): Person | null {
  const first = places[0];
  return first === undefined || me === undefined || first.id === me || said !== null ? null : first;
}

/** Who gave an item to whom to decide, as its reader has it: `From Ann`, `Given to Bob`; null where nobody did. */
export function givenText(
  { status, delegation }: Pick<Interrupt, 'status' | 'delegation'>,
  me: string | undefined,
): string | null {
  if (status !== 'open' || delegation === null || me === undefined) return null;
  return delegation.to.id === me ? `From ${delegation.by.name}` : `Given to ${delegation.to.name}`;
}

/** In whose places many items are decided, as a sentence; null where all are decided as oneself. */
export function placesText(
  items: readonly Pick<Interrupt, 'places' | 'my_decision'>[],
  me: string | undefined,
): string | null {
  const counts = new Map<string, number>();
  for (const item of items) {
    const name = placeOf(item, me)?.name;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const parts = [...counts].map(([name, count]) =>
    items.length === 1 ? `for ${name}` : `${count} of ${items.length} for ${name}`,
  );
  return `You decide ${parts.join(', ')}.`;
}
