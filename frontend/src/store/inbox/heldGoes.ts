import { create } from 'zustand';

/** What was decided in one go and can still be taken back. */
export interface HeldGo {
  ids: readonly string[];
  /** `Approved Pay $24.04 to Kim Lee`. */
  text: string;
  /** When it is sent; null before the server has said so. */
  until: number | null;
}

/** The decisions of this tab that are held, the last one last: they can be taken back on every page. */
export const useHeldGoes = create<{ goes: readonly HeldGo[] }>(() => ({ goes: [] }));

export const tellHeld = (goes: readonly HeldGo[]): void => useHeldGoes.setState({ goes });

/** The last go that is not on its way yet. */
export const lastHeld = (goes: readonly HeldGo[], now: number): HeldGo | null =>
  goes.findLast(({ until }) => until === null || until > now) ?? null;
