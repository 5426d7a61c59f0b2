import { type RefObject, useEffect } from 'react';
import { useConductor, useRhythm } from '../conductor.ts';

/** How often one looks again whether an item that is drawn out of sight has come into it. */
const HIDDEN_MS = 250;

/**
 * Tell the machine that an item with this content is on screen: after it was painted, not before.
 * Gives whether it has been told, or need not be.
 */
export function usePainted(
  ref: RefObject<HTMLElement | null>,
  id: string,
  hash: string | undefined,
): boolean {
  const conductor = useConductor();
  const isTold = useRhythm(({ shown }) => shown?.id === id && shown.hash === hash);
  const isCurrent = useRhythm(({ cursor }) => cursor === id);
  useEffect(() => {
    if (isTold || !isCurrent || conductor === null || hash === undefined) return undefined;
    let frame = 0;
    let later = 0;
    // The first frame draws it, the second comes once that is on screen.
    const look = (left: number) => {
      frame = requestAnimationFrame(() => {
        if (left > 0) return look(left - 1);
        const isSeen = (ref.current?.getClientRects().length ?? 0) > 0;
        if (isSeen) conductor.dispatch({ type: 'painted', id, hash, at: performance.now() });
        else later = window.setTimeout(() => look(0), HIDDEN_MS);
      });
    };
    look(1);
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(later);
    };
  }, [conductor, ref, id, hash, isTold, isCurrent]);
  return isTold || conductor === null;
}
