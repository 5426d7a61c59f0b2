import { useMemo } from 'react';
import type { TrialMarks } from '../../../../canvas/cards/context.ts';
import { threadsWord, useCommenting } from '../../../comments/commenting.ts';
import { useEditor } from '../../../../store/editor.ts';
import { useStale } from '../stale/stalePlan.ts';
import { signOf, type StaleSign } from '../stale/words.ts';
import { useTesting } from '../testing.ts';
import { useTrials } from './trials.ts';

/** What cards show of pins, breakpoints, open threads and, while a run is shown, of what changed since; by node. */
export function useMarks(lit: boolean): ReadonlyMap<string, TrialMarks> {
  const pins = useTrials((state) => state.pins);
  const breakpoints = useTrials((state) => state.breakpoints);
  const counts = useCommenting((state) => state.counts);
  const stale = useStaleSigns(lit);
  return useMemo(() => {
    const nodes = new Set([...pins.keys(), ...breakpoints, ...stale.keys(), ...counts.keys()]);
    const marked = [...nodes].map((node): [string, TrialMarks] => [
      node,
      {
        pinned: pins.has(node),
        breakpoint: breakpoints.has(node),
        stale: stale.get(node),
        talk: talkOf(counts.get(node) ?? 0),
      },
    ]);
    return new Map(marked);
  }, [pins, breakpoints, stale, counts]);
}

const talkOf = (threads: number) =>
  threads > 0 ? { threads, words: threadsWord(threads) } : undefined;

const none: ReadonlyMap<string, StaleSign> = new Map();

/** What changed since the run that is shown, by node; nothing while none is shown. */
export function useStaleSigns(lit: boolean): ReadonlyMap<string, StaleSign> {
  const marks = useStale((state) => state.plan?.stale);
  const nodes = useEditor((state) => state.records.nodes);
  const alone = useTesting((state) => state.only !== null);
  const pins = useTrials((state) => state.pins);
  return useMemo(() => {
    if (!lit || !marks) return none;
    const signs = marks.flatMap((mark): [string, StaleSign][] => {
      const pinned = pins.has(mark.node);
      const sign = signOf(mark, (id) => nodes.get(id)?.label || id, { alone, pinned });
      return sign ? [[mark.node, sign]] : [];
    });
    return new Map(signs);
  }, [lit, marks, nodes, alone, pins]);
}

/** The names of the nodes of the draft that are pinned. */
export function usePinned(): string[] {
  const pins = useTrials((state) => state.pins);
  const nodes = useEditor((state) => state.records.nodes);
  return useMemo(
    () => [...pins.keys()].flatMap((id) => nodes.get(id)?.label || (nodes.has(id) ? id : [])),
    [pins, nodes],
  );
}
