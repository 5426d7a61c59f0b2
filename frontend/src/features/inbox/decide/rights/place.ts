import type { Interrupt, Person } from '../../../../api/types/types.ts';

/** The absent person in whose place one decides without choosing; null where that is one's own. */
export function placeOf(
  { places, my_decision: said }: Pick<Interrupt, 'places' | 'my_decision'>,
  me: string | undefined,
): Person | null {
  const first = places[0];
  return first === undefined || me === undefined || first.id === me || said !== null ? null : first;
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
