import { create } from 'zustand';

/** What was decided in one go and can still be taken back. */
export interface HeldGo {
  ids: readonly string[];
  /** `Approved Pay $24.04 to Kim Lee`. */
  text: string;
  /** When it is sent; null before the server has said so. */
  until: number | null;
}

/** The decisions that are held, the last one last: they can be taken back on every page. */
export const useHeldGoes = create<{ goes: readonly HeldGo[] }>(() => ({ goes: [] }));

export const tellHeld = (goes: readonly HeldGo[]): void => useHeldGoes.setState({ goes });

/** Ids of what the server has taken and holds. */
export const heldIds = (goes: readonly HeldGo[]): ReadonlySet<string> =>
  new Set(goes.filter(({ until }) => until !== null).flatMap(({ ids }) => ids));

/**
 * What is held once the server has told what it holds: decisions of another tab, or of before a
 * reload, are there too, and what was sent or taken back elsewhere is not. `asked` was held when it
 * was asked: what came after may be missing in the answer.
 */
export function withTold(
  goes: readonly HeldGo[],
  told: readonly HeldGo[],
  asked: ReadonlySet<string>,
): HeldGo[] {
  const held = heldIds(told);
  const known = goes
    .map((go) => ({ ...go, ids: go.ids.filter((id) => held.has(id) || !asked.has(id)) }))
    .filter(({ ids }) => ids.length > 0);
  const here = new Set(known.flatMap(({ ids }) => ids));
  const others = told.filter(({ ids }) => !ids.some((id) => here.has(id)));
  const order = ({ until }: HeldGo) => until ?? Number.POSITIVE_INFINITY;
  return [...others, ...known].sort((a, b) => order(a) - order(b));
}

/** The last go that is not on its way yet. */
export const lastHeld = (goes: readonly HeldGo[], now: number): HeldGo | null =>
  goes.findLast(({ until }) => until === null || until > now) ?? null;
