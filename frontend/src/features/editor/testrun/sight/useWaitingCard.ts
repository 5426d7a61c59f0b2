import { useStore } from 'zustand';
import { useEditor } from '../../../../store/editor.ts';
import type { TestRun } from '../useTestRun.ts';

/** The card at which the run that is shown waits for a person; null where none does, or none is shown. */
export function useWaitingCard({ live }: TestRun, lit: boolean): string | null {
  const node = useStore(live.store, ({ head }) => {
    const [first] = head.openInterrupts.flatMap((id) => head.interrupts[id]?.node ?? []);
    return first ?? null;
  });
  const isThere = useEditor((state) => node !== null && state.records.nodes.has(node));
  return lit && isThere ? node : null;
}
