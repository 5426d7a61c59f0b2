import type { Interrupt } from '../api/types.ts';

/**
 * The item so many steps from the one at `at`, null where the list ends. Past the last one that is
 * loaded, `more` is asked for the list with its next page.
 */
export async function itemAfter(items: readonly Interrupt[], at: number, step: number, more: () => Promise<readonly Interrupt[]>): Promise<Interrupt | null> {
  const wanted = at + step;
  if (wanted < items.length) return items[Math.max(0, wanted)] ?? null;
  const longer = await more();
  return longer[wanted] ?? null;
}
